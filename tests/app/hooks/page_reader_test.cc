// Pages in good and in bad weather, and which are never asked for: whatever a name means or a redirect says,
// the address that is connected to is looked at.
#include "app/hooks/page_reader.h"

#include "tests/app/hooks/receiver.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <latch>

using namespace slashpost;
using namespace slashpost::app;
using namespace slashpost::test;
using std::chrono::milliseconds;

namespace {

const Reachable internet_alone{{}};
const Reachable with_first_loopback{{"127.0.0.1/32"}};

AccountId reader_number(std::uint8_t number) {
    AccountId out;
    out.bytes[15] = number;
    return out;
}

PageReader::Options in_a_second() { return {.whole_max = milliseconds(1'000)}; }

std::string page_at(const Receiver& receiver) {
    return fmt::format("http://127.0.0.1:{}/page?a=b", receiver.port());
}

WebPageAnswer read_once(const Reachable& reachable, std::string_view address,
                        PageReader::Options options = in_a_second()) {
    PageReader reader(reachable, std::move(options));
    return reader.read(address, reader_number(1));
}

// "not_public" and so on; "a page" for one.
std::string told_of(const WebPageAnswer& answer) {
    if (answer)
        return "a page";
    switch (answer.error()) {
    case WebPageProblem::not_public:
        return "not_public";
    case WebPageProblem::no_answer:
        return "no_answer";
    case WebPageProblem::no_page:
        return "no_page";
    case WebPageProblem::account_is_busy:
        return "account_is_busy";
    case WebPageProblem::server_is_busy:
        return "server_is_busy";
    }
    return "?";
}

std::string page_answer(std::string_view status, std::string_view headers, std::string_view body) {
    return fmt::format("HTTP/1.1 {}\r\n{}Content-Length: {}\r\nConnection: close\r\n\r\n{}", status, headers,
                       body.size(), body);
}
std::string leading_to(std::string_view address) {
    return page_answer("302 Found", fmt::format("Location: {}\r\n", address), "");
}

void wait_for_the_end(int, const std::stop_token& stopping) {
    while (!stopping.stop_requested())
        std::this_thread::sleep_for(milliseconds(10));
}

} // namespace

TEST_CASE("a page is asked for as it is named, and answered as its server gave it", "[page_reader]") {
    const Receiver receiver(Receiver::says(
        page_answer("200 OK", "Content-Type: text/html; charset=koi8-r\r\n", "<title>a</title>")));
    const auto page = read_once(with_first_loopback, page_at(receiver) + "#part");
    REQUIRE(page.has_value());
    CHECK(page->content_type == "text/html; charset=koi8-r");
    CHECK(page->bytes == "<title>a</title>");
    REQUIRE(receiver.requests().size() == 1);
    const auto request = receiver.requests().front();
    CHECK(request.starts_with("GET /page?a=b HTTP/1.1\r\n"));
    CHECK(request.find("\r\nUser-Agent: Slashpost-Titles\r\n") != request.npos);
    CHECK(request.find("\r\nAccept: text/html,application/xhtml+xml\r\n") != request.npos);
    CHECK(request.find("Cookie") == request.npos);
    CHECK(request.find("Referer") == request.npos);

    const Receiver silent_on_type(Receiver::says(page_answer("200 OK", "", "x")));
    CHECK(read_once(with_first_loopback, page_at(silent_on_type)).value().content_type.empty());
}

TEST_CASE("a status that is no success is no page", "[page_reader]") {
    for (const auto* status : {"404 None", "500 Oh", "403 No", "304 Same", "300 Many", "302 Nowhere"}) {
        const Receiver receiver(
            Receiver::says(page_answer(status, "Content-Type: text/html\r\n", "<title>a</title>")));
        CHECK(told_of(read_once(with_first_loopback, page_at(receiver))) == "no_page");
    }
}

TEST_CASE("three redirects are followed and no more", "[page_reader]") {
    const Receiver page(Receiver::says(page_answer("200 OK", "Content-Type: text/html\r\n", "here")));
    const Receiver third(Receiver::says(leading_to(page_at(page))));
    const Receiver second(Receiver::says(leading_to(page_at(third))));
    const Receiver first(Receiver::says(leading_to(page_at(second))));
    const Receiver before(Receiver::says(leading_to(page_at(first))));
    CHECK(read_once(with_first_loopback, page_at(first)).value().bytes == "here");
    CHECK(page.connections() == 1);
    CHECK(told_of(read_once(with_first_loopback, page_at(before))) == "no_page");
    CHECK(page.connections() == 1);

    const Receiver circle(Receiver::says(leading_to("/page?a=b")));
    CHECK(told_of(read_once(with_first_loopback, page_at(circle))) == "no_page");
    CHECK(circle.requests().size() == 4);
}

TEST_CASE("nothing is read from this machine or its neighbours", "[page_reader][threat-12]") {
    const Receiver receiver(Receiver::says(page_answer("200 OK", "", "secret")));
    const auto port = receiver.port();
    for (const auto& address :
         {fmt::format("http://127.0.0.1:{}/", port), fmt::format("http://localhost:{}/", port),
          fmt::format("http://127.1:{}/", port), fmt::format("http://2130706433:{}/", port),
          fmt::format("http://0x7f000001:{}/", port), fmt::format("http://0:{}/", port),
          fmt::format("http://[::1]:{}/", port), fmt::format("http://[::ffff:127.0.0.1]:{}/", port),
          std::string("http://10.0.0.1/"), std::string("http://169.254.169.254/latest/meta-data/"),
          std::string("http://192.168.0.1/"), std::string("https://172.16.0.1:8443/"),
          std::string("http://100.64.0.1/"), std::string("http://[fd00::1]/"),
          std::string("http://[fe80::1]/")}) {
        INFO(address);
        CHECK(told_of(read_once(internet_alone, address)) == "not_public");
    }
    CHECK(receiver.connections() == 0);
}

TEST_CASE("each address that a page leads on to is looked at anew", "[page_reader][threat-12]") {
    // 127.0.0.1 is this test's internet, 127.0.0.2 what lies behind it.
    const Receiver secret(Receiver::says(page_answer("200 OK", "", "secret")), "127.0.0.2");
    for (const auto& address :
         {fmt::format("http://127.0.0.2:{}/", secret.port()), std::string("http://10.0.0.1/"),
          std::string("http://169.254.169.254/latest/meta-data/"), std::string("//[::1]:8080/"),
          fmt::format("http://127.0.0.1:{}/", 22)}) {
        INFO(address);
        const Receiver receiver(Receiver::says(leading_to(address)));
        CHECK(told_of(read_once(with_first_loopback, page_at(receiver))) == "not_public");
    }
    CHECK(secret.connections() == 0);

    // And so is a name that meant something else a moment ago.
    std::atomic<int> asked = 0;
    auto options = in_a_second();
    options.look_up = [&](std::string_view) { return std::string(++asked == 1 ? "127.0.0.1" : "127.0.0.2"); };
    const Receiver receiver(Receiver::says(leading_to("/next")));
    CHECK(told_of(read_once(with_first_loopback, fmt::format("http://rebind.example:{}/", receiver.port()),
                            options)) == "not_public");
    CHECK(asked == 2);
    CHECK(receiver.connections() == 1);
}

TEST_CASE("a page leads on to no other scheme, and to no name and password", "[page_reader][threat-12]") {
    for (const auto* address : {"file:///etc/passwd", "gopher://127.0.0.1/", "ftp://127.0.0.1/",
                                "javascript:alert(1)", "data:text/html,x", "http://user:secret@127.0.0.1/"}) {
        INFO(address);
        const Receiver receiver(Receiver::says(leading_to(address)));
        CHECK(told_of(read_once(with_first_loopback, page_at(receiver))) == "no_page");
        CHECK(told_of(read_once(with_first_loopback, address)) == "no_page");
    }
}

TEST_CASE("of an endless page the beginning is read", "[page_reader]") {
    std::atomic<std::size_t> written = 0;
    const Receiver receiver([&](int socket, const std::stop_token& stopping) {
        Receiver::write(socket, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n");
        const std::string block(65'536, 'x');
        while (!stopping.stop_requested() && Receiver::write(socket, block))
            written += block.size();
    });
    CHECK(read_once(with_first_loopback, page_at(receiver)).value().bytes == std::string(262'144, 'x'));
    CHECK(written < 64U << 20U); // what the system's buffers took
}

TEST_CASE("of a page that stops on the way what came is read", "[page_reader]") {
    const Receiver receiver([](int socket, const std::stop_token& stopping) {
        Receiver::write(socket, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n<title>a</title>");
        wait_for_the_end(socket, stopping);
    });
    CHECK(read_once(with_first_loopback, page_at(receiver)).value().bytes == "<title>a</title>");
}

TEST_CASE("no answer is told when the time is over, redirects and all", "[page_reader]") {
    const Receiver silent(wait_for_the_end);
    const Receiver slow([](int socket, const std::stop_token& stopping) {
        for (const char c : "HTTP/1.1 200 OK\r\nX-Long: " + std::string(10'000, 'x'))
            if (stopping.stop_requested() || !Receiver::write(socket, {&c, 1}))
                return;
            else
                std::this_thread::sleep_for(milliseconds(20));
    });
    const Receiver late([&](int socket, const std::stop_token&) {
        std::this_thread::sleep_for(milliseconds(700));
        Receiver::write(socket, leading_to(page_at(silent)));
    });
    for (const auto* receiver : {&silent, &late}) {
        const auto begun = std::chrono::steady_clock::now();
        CHECK(told_of(read_once(with_first_loopback, page_at(*receiver))) == "no_answer");
        const auto took = std::chrono::steady_clock::now() - begun;
        CHECK(took >= milliseconds(900));
        CHECK(took < milliseconds(5'000));
    }
    const auto begun = std::chrono::steady_clock::now();
    static_cast<void>(read_once(with_first_loopback, page_at(slow)));
    CHECK(std::chrono::steady_clock::now() - begun < milliseconds(5'000));

    const Receiver garbled(Receiver::says("no HTTP at all"));
    CHECK(told_of(read_once(with_first_loopback, page_at(garbled))) == "no_page");
    const Receiver closes([](int, const std::stop_token&) {});
    CHECK(told_of(read_once(with_first_loopback, page_at(closes))) == "no_answer");
    CHECK(told_of(read_once(with_first_loopback, fmt::format("https://127.0.0.1:{}/", garbled.port()))) ==
          "no_answer");
}

TEST_CASE("an account reads one page at a time, and the server so many", "[page_reader]") {
    std::latch both_are_there(2);
    std::atomic<bool> goes_on = false;
    const Receiver receiver([&](int socket, const std::stop_token& stopping) {
        both_are_there.count_down();
        while (!goes_on && !stopping.stop_requested())
            std::this_thread::sleep_for(milliseconds(5));
        Receiver::write(socket, page_answer("200 OK", "", "x"));
    });
    const Receiver at_once(Receiver::says(page_answer("200 OK", "", "y")));
    PageReader reader(with_first_loopback, {.pages_max = 2});
    WebPageAnswer first, second;
    std::jthread one([&] { first = reader.read(page_at(receiver), reader_number(1)); });
    std::jthread two([&] { second = reader.read(page_at(receiver), reader_number(2)); });
    both_are_there.wait();
    CHECK(told_of(reader.read(page_at(at_once), reader_number(1))) == "account_is_busy");
    CHECK(told_of(reader.read(page_at(at_once), reader_number(3))) == "server_is_busy");
    CHECK(at_once.connections() == 0);
    goes_on = true;
    one.join();
    two.join();
    CHECK(told_of(first) == "a page");
    CHECK(told_of(second) == "a page");
    CHECK(told_of(reader.read(page_at(at_once), reader_number(1))) == "a page");
    CHECK(told_of(reader.read(page_at(at_once), reader_number(3))) == "a page");
}
