#include "app/dns/txt_resolver.h"

#include "tests/app/dns/name_server.h"
#include "tests/support/must.h"

#include <algorithm>
#include <array>
#include <functional>
#include <poll.h>
#include <thread>

using namespace slashpost;
using namespace slashpost::test;
using dns::TxtResolver;
using std::chrono::milliseconds;

namespace {

using Texts = std::vector<std::string>;
using Clock = std::chrono::steady_clock;

Texts sorted(Texts texts) {
    std::ranges::sort(texts);
    return texts;
}

// A socket that takes questions and answers each with what `answer` makes of it; nothing: silence.
class StrangeServer {
  public:
    using MakeAnswer = std::function<std::string(std::string question)>;
    explicit StrangeServer(MakeAnswer answer = {})
        : fd_(loopback_socket(SOCK_DGRAM, port_)),
          thread_([this, answer = std::move(answer)](const std::stop_token& stop) { serve(stop, answer); }) {}
    ~StrangeServer() {
        thread_.request_stop();
        thread_.join();
        ::close(fd_);
    }
    StrangeServer(const StrangeServer&) = delete;
    StrangeServer& operator=(const StrangeServer&) = delete;

    [[nodiscard]] TxtResolver::Options options() const {
        return {.server = "127.0.0.1:" + std::to_string(port_), .timeout = milliseconds(300)};
    }
    [[nodiscard]] int questions() const { return questions_; }

  private:
    void serve(const std::stop_token& stop, const MakeAnswer& answer) {
        while (!stop.stop_requested()) {
            pollfd one{.fd = fd_, .events = POLLIN, .revents = 0};
            if (::poll(&one, 1, 10) <= 0)
                continue;
            std::array<char, 1024> bytes{};
            sockaddr_in from{};
            socklen_t size = sizeof from;
            const auto got =
                ::recvfrom(fd_, bytes.data(), bytes.size(), 0, reinterpret_cast<sockaddr*>(&from), &size);
            if (got <= 0)
                continue;
            ++questions_;
            if (!answer)
                continue;
            const auto text = answer(std::string(bytes.data(), static_cast<std::size_t>(got)));
            ::sendto(fd_, text.data(), text.size(), 0, reinterpret_cast<sockaddr*>(&from), size);
        }
    }

    std::uint16_t port_ = 0;
    int fd_;
    std::atomic<int> questions_ = 0;
    std::jthread thread_;
};

std::string outcome_of(const Result<Texts>& result) {
    return result.has_value() ? "answered" : result.error().code;
}

} // namespace

TEST_CASE("a real server's TXT records are found, their parts put together", "[dns]") {
    const NameServer server({"--txt-record=_slashpost.go.example,slashpost-verification=abc",
                             "--txt-record=_slashpost.go.example,v=spf1-,all",
                             "--txt-record=_slashpost.other.example,not this one"});
    TxtResolver resolver({.server = server.address()});
    CHECK(sorted(must(resolver.look_up("_slashpost.go.example"))) ==
          Texts{"slashpost-verification=abc", "v=spf1-all"});
    CHECK(must(resolver.look_up("_SLASHPOST.go.example")).size() == 2);
}

TEST_CASE("texts count only at the name that was asked, or at what it is an alias of in the same answer",
          "[dns]") {
    // Records as they stand in an answer behind the question, which begins at byte 12.
    const auto name = [](std::string_view text) {
        std::string out;
        while (!text.empty()) {
            const auto label = text.substr(0, text.find('.'));
            out += static_cast<char>(label.size());
            out += label;
            text.remove_prefix(std::min(text.size(), label.size() + 1));
        }
        return out + '\0';
    };
    const auto record = [](const std::string& owner, char type, const std::string& data) {
        return owner + std::string{'\0', type, '\0', '\1', '\0', '\0', '\0', '\1', '\0'} +
               static_cast<char>(data.size()) + data;
    };
    const auto txt = [&](const std::string& owner, const std::string& text) {
        return record(owner, 16, static_cast<char>(text.size()) + text);
    };
    const auto alias = [&](const std::string& owner, const std::string& target) {
        return record(owner, 5, target);
    };
    const auto asked = std::string("\xc0\x0c"), other = name("other.example"), third = name("Third.Example");
    const struct {
        std::vector<std::string> records;
        Texts found;
    } answers[] = {{{txt(asked, "ours")}, {"ours"}},
                   {{txt(name("_SLASHPOST.go.example"), "ours")}, {"ours"}},
                   {{txt(other, "theirs")}, {}},
                   {{txt(name("go.example"), "above")}, {}},
                   {{txt(asked, "ours"), txt(other, "theirs")}, {"ours"}},
                   {{alias(asked, other), txt(other, "ours")}, {"ours"}},
                   {{txt(third, "ours"), alias(other, name("third.example")), alias(asked, other)}, {"ours"}},
                   {{alias(asked, other), txt(third, "theirs")}, {}},
                   {{alias(third, other), txt(other, "theirs")}, {}},
                   {{alias(asked, other), alias(other, asked), txt(third, "theirs")}, {}}};
    for (const auto& [records, found] : answers) {
        const StrangeServer server([&](std::string question) {
            question.at(2) = static_cast<char>(question.at(2) | '\x80');
            question.at(7) = static_cast<char>(records.size());
            for (const auto& one : records)
                question += one;
            return question;
        });
        TxtResolver resolver(server.options());
        CHECK(must(resolver.look_up("_slashpost.go.example")) == found);
    }
}

TEST_CASE("a name that is not there, or has no TXT record, has no texts", "[dns]") {
    const NameServer server({"--txt-record=_slashpost.go.example,x", "--host-record=host.example,192.0.2.1"});
    TxtResolver resolver({.server = server.address()});
    CHECK(must(resolver.look_up("_slashpost.nowhere.example")).empty());
    CHECK(must(resolver.look_up("host.example")).empty());
}

TEST_CASE("an answer that is too long for a datagram is fetched over TCP", "[dns]") {
    std::vector<std::string> records;
    Texts expected;
    for (char c = 'a'; c <= 'z'; ++c) {
        expected.emplace_back(200, c);
        records.push_back("--txt-record=_slashpost.long.example," + expected.back());
    }
    const NameServer server(records);
    TxtResolver resolver({.server = server.address()});
    CHECK(sorted(must(resolver.look_up("_slashpost.long.example"))) == expected);
}

TEST_CASE("a server that refuses is no answer", "[dns]") {
    const NameServer server({});
    TxtResolver resolver({.server = server.address()});
    CHECK(outcome_of(resolver.look_up("_slashpost.go.elsewhere")) == "Unavailable");
}

TEST_CASE("a server that is not there, or cannot be one, is no answer", "[dns]") {
    std::uint16_t port = 0;
    ::close(loopback_socket(SOCK_DGRAM, port));
    for (const auto& address : {"127.0.0.1:" + std::to_string(port), std::string("dns.example")}) {
        TxtResolver resolver({.server = address, .timeout = milliseconds(300)});
        CHECK(outcome_of(resolver.look_up("_slashpost.go.example")) == "Unavailable");
    }
}

TEST_CASE("a server that keeps silent is asked twice and waited for only so long", "[dns][threat-13]") {
    const StrangeServer silent;
    TxtResolver resolver(silent.options());
    const auto began = Clock::now();
    const auto result = resolver.look_up("_slashpost.go.example");
    const auto took = Clock::now() - began;
    CHECK(outcome_of(result) == "Unavailable");
    CHECK(took >= milliseconds(250));
    CHECK(took < milliseconds(2'000));
    CHECK(silent.questions() == 2);
}

TEST_CASE("answers that make no sense are no answer, and end in time", "[dns][threat-13]") {
    const auto reply_bit = [](std::string question) {
        question.at(2) = static_cast<char>(question.at(2) | '\x80');
        return question;
    };
    const StrangeServer::MakeAnswer answers[] = {
        [](const std::string&) { return std::string(); },
        [](const std::string&) { return std::string(500, '\xff'); },
        [](const std::string& question) { return question.substr(0, 7); },
        [&](std::string question) { // says that there are answers, and has none
            question.at(7) = 5;
            return reply_bit(std::move(question));
        },
        [&](std::string question) { // an answer whose name points at itself
            question.at(7) = 1;
            const auto here = question.size();
            question += std::string{'\xc0', static_cast<char>(here), '\0', '\x10', '\0', '\1'} +
                        std::string("\0\0\0\1\0\3\2ab", 9);
            return reply_bit(std::move(question));
        },
        [&](std::string question) { // a text that is longer than its record
            question.at(7) = 1;
            question += std::string("\xc0\x0c\0\x10\0\1\0\0\0\1\0\3\xff"
                                    "ab",
                                    15);
            return reply_bit(std::move(question));
        },
        [&](std::string question) { // the answer to somebody else's question
            question.at(0) = static_cast<char>(question.at(0) + 1);
            return reply_bit(std::move(question));
        }};
    for (const auto& answer : answers) {
        const StrangeServer server(answer);
        TxtResolver resolver(server.options());
        const auto began = Clock::now();
        const auto result = resolver.look_up("_slashpost.go.example");
        CHECK((!result.has_value() || result->empty()));
        CHECK(Clock::now() - began < milliseconds(2'000));
    }
}

TEST_CASE("only so many look-ups are under way at once, the next is sent away", "[dns]") {
    const StrangeServer silent;
    auto options = silent.options();
    options.lookups_max = 1;
    TxtResolver resolver(options);
    std::string first;
    {
        const std::jthread thread([&] { first = outcome_of(resolver.look_up("_slashpost.a.example")); });
        for (int i = 0; i < 1000 && silent.questions() == 0; ++i)
            std::this_thread::sleep_for(milliseconds(1));
        REQUIRE(silent.questions() > 0);
        const auto began = Clock::now();
        const auto second = resolver.look_up("_slashpost.b.example");
        REQUIRE_FALSE(second.has_value());
        CHECK_THAT(second.error().message, Catch::Contains("Too many"));
        CHECK(Clock::now() - began < milliseconds(200));
    }
    CHECK(first == "Unavailable");
    CHECK_THAT(resolver.look_up("_slashpost.c.example").error().message, Catch::Contains("too long"));
}

TEST_CASE("many threads look up at once", "[dns]") {
    const NameServer server({"--txt-record=_slashpost.go.example,x"});
    TxtResolver resolver({.server = server.address(), .lookups_max = 8});
    std::atomic<int> found = 0;
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 8; ++i)
            threads.emplace_back([&] {
                for (int n = 0; n < 20; ++n)
                    found += must(resolver.look_up("_slashpost.go.example")) == Texts{"x"} ? 1 : 0;
            });
    }
    CHECK(found == 160);
}
