// Posts in good and in bad weather, and where none goes: whatever a name means, the address that is connected
// to is looked at.
#include "app/hooks/http_posts.h"

#include "tests/app/hooks/receiver.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace slashpost;
using namespace slashpost::app;
using namespace slashpost::test;
using std::chrono::milliseconds;

namespace {

const Reachable public_only{{}};
const Reachable loopback{{"127.0.0.1/32"}};

Post post_to(std::string url) {
    return {.id = "1", .url = std::move(url), .headers = {"Content-Type: application/json"}, .body = "{}"};
}
Post post_to(const Receiver& receiver) {
    return post_to(fmt::format("http://127.0.0.1:{}/hook", receiver.port()));
}

PostOptions quick() {
    return {.plain = true, .connect_max = milliseconds(2'000), .whole_max = milliseconds(1'000)};
}

PostOutcome sent(Poster& poster, const Post& post) {
    poster.begin(post);
    std::vector<PostOutcome> out;
    for (int i = 0; i < 100 && out.empty(); ++i)
        out = poster.wait(milliseconds(100));
    REQUIRE(out.size() == 1);
    CHECK(poster.under_way() == 0);
    return out.front();
}

PostOutcome sent(const Reachable& reachable, const Post& post, PostOptions options = quick()) {
    return sent(*make_http_poster(reachable, std::move(options)), post);
}

std::string answer(std::string_view status, std::string_view headers = {}, std::string_view body = {}) {
    return fmt::format("HTTP/1.1 {}\r\n{}Content-Length: {}\r\nConnection: close\r\n\r\n{}", status, headers,
                       body.size(), body);
}

constexpr std::string_view refusal =
    "The address is none that is sent to: it lies in a private or special network.";

} // namespace

TEST_CASE("a post arrives as it was given, and its answer is told", "[http_posts]") {
    const Receiver receiver(Receiver::says(answer("200 OK", "", "thanks")));
    auto post = post_to(receiver);
    post.headers.emplace_back("webhook-id: 7");
    post.body = R"({"a":1})";
    const auto outcome = sent(loopback, post);
    CHECK(outcome.id == "1");
    CHECK(outcome.answered == 200);
    CHECK(outcome.text == "thanks");
    CHECK_FALSE(outcome.retry_after_seconds);
    REQUIRE(receiver.requests().size() == 1);
    const auto request = receiver.requests().front();
    CHECK(request.starts_with("POST /hook HTTP/1.1\r\n"));
    CHECK(request.find("\r\nHost: 127.0.0.1:") != request.npos);
    CHECK(request.find("\r\nContent-Type: application/json\r\n") != request.npos);
    CHECK(request.find("\r\nwebhook-id: 7\r\n") != request.npos);
    CHECK(request.find("\r\nUser-Agent: Slashpost-Webhooks\r\n") != request.npos);
    CHECK(request.find("Expect:") == request.npos);
    CHECK(request.ends_with("\r\n\r\n{\"a\":1}"));
}

TEST_CASE("a status that is no success is told with what the receiver asks for", "[http_posts]") {
    for (const auto& [line, status] : {std::pair{"500 Oh", 500}, {"410 Gone", 410}, {"404 None", 404}}) {
        const Receiver receiver(Receiver::says(answer(line, "", "no")));
        const auto outcome = sent(loopback, post_to(receiver));
        CHECK(outcome.answered == status);
        CHECK(outcome.text == "no");
    }
    const Receiver busy(Receiver::says(answer("429 Slow", "Retry-After: 120\r\n")));
    CHECK(sent(loopback, post_to(busy)).retry_after_seconds == 120);
}

TEST_CASE("a redirect is not followed", "[http_posts][threat-14]") {
    const Receiver secret(Receiver::says(answer("200 OK")));
    const Receiver receiver(Receiver::says(
        answer("307 There", fmt::format("Location: http://127.0.0.1:{}/\r\n", secret.port()))));
    CHECK(sent(loopback, post_to(receiver)).answered == 307);
    CHECK(secret.connections() == 0);
}

TEST_CASE("an answer that does not come, or byte by byte, ends with the time", "[http_posts]") {
    const Receiver silent([](int, const std::stop_token& stopping) {
        while (!stopping.stop_requested())
            std::this_thread::sleep_for(milliseconds(10));
    });
    const Receiver slow([](int socket, const std::stop_token& stopping) {
        for (const char c : "HTTP/1.1 200 OK\r\nX-Long: " + std::string(10'000, 'x'))
            if (stopping.stop_requested() || !Receiver::write(socket, {&c, 1}))
                return;
            else
                std::this_thread::sleep_for(milliseconds(20));
    });
    for (const auto* receiver : {&silent, &slow}) {
        const auto outcome = sent(loopback, post_to(*receiver));
        CHECK(outcome.took >= milliseconds(900));
        CHECK(outcome.took < milliseconds(5'000));
    }
    const auto outcome = sent(loopback, post_to(silent));
    CHECK(outcome.answered == 0);
    CHECK(outcome.text == "It took too long.");
}

TEST_CASE("of an endless body a bounded part is read, and its status counts", "[http_posts]") {
    std::atomic<std::size_t> written = 0;
    const Receiver receiver([&](int socket, const std::stop_token& stopping) {
        Receiver::write(socket, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
        const std::string block(65'536, 'x');
        while (!stopping.stop_requested() && Receiver::write(socket, block))
            written += block.size();
    });
    const auto outcome = sent(loopback, post_to(receiver));
    CHECK(outcome.answered == 200);
    CHECK(outcome.text == std::string(1'000, 'x'));
    CHECK(written < 64U << 20U); // what the system's buffers took
}

TEST_CASE("headers without an end are no answer", "[http_posts]") {
    const Receiver receiver([](int socket, const std::stop_token& stopping) {
        Receiver::write(socket, "HTTP/1.1 200 OK\r\n");
        while (!stopping.stop_requested() &&
               Receiver::write(socket, "X-Header: " + std::string(500, 'x') + "\r\n")) {
        }
    });
    CHECK(sent(loopback, post_to(receiver)).took < milliseconds(5'000));
}

TEST_CASE("an answer that is not text is told as text", "[http_posts]") {
    const Receiver receiver(Receiver::says(answer("200 OK", "", "\xff\xfe text")));
    CHECK(sent(loopback, post_to(receiver)).text == "?? text");
    std::string longer = "a"; // two bytes each behind it, so that the bound cuts one in two
    for (int i = 0; i < 600; ++i)
        longer += "ä";
    const Receiver cut(Receiver::says(answer("200 OK", "", longer)));
    CHECK(sent(loopback, post_to(cut)).text == longer.substr(0, 999));
}

TEST_CASE("nothing is sent to this machine or its neighbours unless the operator allows it",
          "[http_posts][threat-12][threat-14]") {
    const Receiver receiver(Receiver::says(answer("200 OK")));
    const auto port = receiver.port();
    for (const auto& url :
         {fmt::format("http://127.0.0.1:{}/", port), fmt::format("http://localhost:{}/", port),
          fmt::format("http://127.1:{}/", port), fmt::format("http://2130706433:{}/", port),
          fmt::format("http://0x7f000001:{}/", port), fmt::format("http://0:{}/", port),
          fmt::format("http://[::1]:{}/", port), fmt::format("http://[::ffff:127.0.0.1]:{}/", port),
          fmt::format("http://[64:ff9b::7f00:1]:{}/", port), std::string("http://10.0.0.1/"),
          std::string("http://169.254.169.254/latest/meta-data/"), std::string("http://192.168.0.1/"),
          std::string("http://172.16.0.1:8080/"), std::string("http://100.64.0.1/"),
          std::string("http://[fd00::1]/"), std::string("http://[fe80::1]/"),
          std::string("http://224.0.0.1/"), std::string("http://255.255.255.255/")}) {
        INFO(url);
        const auto outcome = sent(public_only, post_to(url));
        CHECK(outcome.answered == 0);
        CHECK(outcome.text == refusal);
    }
    CHECK(receiver.connections() == 0);
}

TEST_CASE("a name that means a good address first and a private one then leads to no private one",
          "[http_posts][threat-14]") {
    // The good one of this test is 127.0.0.2, which its operator allows.
    const Reachable allowed{{"127.0.0.2/32"}};
    const Receiver good(Receiver::says(answer("200 OK")), "127.0.0.2");
    std::atomic<int> asked = 0;
    auto options = quick();
    options.look_up = [&](std::string_view name) {
        CHECK(name == "rebind.example");
        return std::string(++asked == 1 ? "127.0.0.2" : "127.0.0.1");
    };
    const auto poster = make_http_poster(allowed, options);
    const auto post = post_to(fmt::format("http://rebind.example:{}/", good.port()));
    CHECK(sent(*poster, post).answered == 200);
    const auto second = sent(*poster, post);
    CHECK(second.answered == 0);
    CHECK(second.text == refusal);
    CHECK(asked == 2);
    CHECK(good.connections() == 1);
}

TEST_CASE("of several addresses of a name those that are not allowed are left out",
          "[http_posts][threat-14]") {
    const Reachable allowed{{"127.0.0.2/32"}};
    const Receiver good(Receiver::says(answer("200 OK")), "127.0.0.2");
    auto options = quick();
    options.look_up = [](std::string_view) { return std::string("127.0.0.1,10.0.0.1,127.0.0.2"); };
    CHECK(sent(allowed, post_to(fmt::format("http://many.example:{}/", good.port())), options).answered ==
          200);
}

TEST_CASE("no proxy of the environment is asked", "[http_posts][threat-14]") {
    const Receiver proxy(Receiver::says(answer("200 OK")));
    const Receiver receiver(Receiver::says(answer("204 Nothing")));
    const auto address = fmt::format("http://127.0.0.1:{}", proxy.port());
    for (const auto* name : {"http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"})
        ::setenv(name, address.c_str(), 1); // NOLINT(concurrency-mt-unsafe): the receivers read none
    CHECK(sent(loopback, post_to(receiver)).answered == 204);
    for (const auto* name : {"http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"})
        ::unsetenv(name); // NOLINT(concurrency-mt-unsafe)
    CHECK(proxy.connections() == 0);
}

TEST_CASE("without the operator's word nothing is sent over http, and no other scheme is known",
          "[http_posts][threat-14]") {
    const Receiver receiver(Receiver::says(answer("200 OK")));
    auto options = quick();
    options.plain = false;
    CHECK(sent(loopback, post_to(receiver), options).answered == 0);
    for (const auto* url : {"file:///etc/passwd", "gopher://127.0.0.1/", "ftp://127.0.0.1/"})
        CHECK(sent(loopback, post_to(url)).answered == 0);
    CHECK(receiver.connections() == 0);
}

TEST_CASE("a certificate that is nobody's is no receiver", "[http_posts]") {
    const Receiver receiver(Receiver::says("no TLS at all"));
    const auto outcome = sent(loopback, post_to(fmt::format("https://127.0.0.1:{}/", receiver.port())));
    CHECK(outcome.answered == 0);
    CHECK_FALSE(outcome.text.empty());
}

TEST_CASE("many posts are under way at once", "[http_posts]") {
    const Receiver receiver([](int socket, const std::stop_token&) {
        std::this_thread::sleep_for(milliseconds(300));
        Receiver::write(socket, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    });
    const auto poster = make_http_poster(loopback, {.plain = true});
    const auto begun = std::chrono::steady_clock::now();
    for (int i = 0; i < 20; ++i)
        poster->begin(post_to(receiver));
    CHECK(poster->under_way() == 20);
    std::size_t done = 0;
    while (done < 20 && std::chrono::steady_clock::now() - begun < std::chrono::seconds(10))
        done += poster->wait(milliseconds(100)).size();
    CHECK(done == 20);
    CHECK(std::chrono::steady_clock::now() - begun < std::chrono::seconds(4)); // one by one: six
}

TEST_CASE("posts that are under way end with the poster", "[http_posts]") {
    const Receiver silent([](int, const std::stop_token& stopping) {
        while (!stopping.stop_requested())
            std::this_thread::sleep_for(milliseconds(10));
    });
    auto poster = make_http_poster(loopback, {.plain = true});
    poster->begin(post_to(silent));
    poster->wait(milliseconds(100));
    const auto begun = std::chrono::steady_clock::now();
    poster.reset();
    CHECK(std::chrono::steady_clock::now() - begun < std::chrono::seconds(2));
}
