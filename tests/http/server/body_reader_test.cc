#include "http/server/body_reader.h"

#include <catch2/catch.hpp>
#include <random>

namespace slashpost::http {

namespace {

using Progress = BodyReader::Progress;

struct Outcome {
    Progress progress = Progress::more;
    std::string body;
    std::string rest;
    bool operator==(const Outcome&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Outcome& outcome) {
    return out << static_cast<int>(outcome.progress) << " '" << outcome.body << "' '" << outcome.rest << "'";
}

// Feeds `text` in pieces of `step` bytes, the way a session does.
Outcome read(RequestHead head, std::string_view text, std::size_t step, std::size_t bytes_max = 100) {
    BodyReader reader(head, bytes_max);
    Outcome outcome;
    std::string waiting;
    for (std::size_t at = 0; at < text.size() && outcome.progress == Progress::more; at += step) {
        waiting += text.substr(at, step);
        const BodyReader::Step taken = reader.feed(waiting, outcome.body);
        outcome.progress = taken.progress;
        waiting.erase(0, taken.consumed);
        outcome.rest = waiting;
    }
    return outcome;
}

Outcome read_chunks(std::string_view text, std::size_t step = 1, std::size_t bytes_max = 100) {
    RequestHead head;
    head.body = BodyKind::chunked;
    return read(head, text, step, bytes_max);
}

} // namespace

TEST_CASE("a sized body ends at its size", "[body]") {
    RequestHead head;
    head.body = BodyKind::sized;
    head.body_bytes = 5;
    for (std::size_t step : {1U, 2U, 5U})
        CHECK(read(head, "hello", step) == Outcome{Progress::done, "hello", ""});
    CHECK(read(head, "helloGET", 8) == Outcome{Progress::done, "hello", "GET"});
    CHECK(read(head, "hello", 1, 4).progress == Progress::too_large);
}

TEST_CASE("chunks are put together however they are split", "[body]") {
    const std::string text = "5\r\nhello\r\nB\r\n, big world\r\n0\r\nX-Trailer: 1\r\n\r\n";
    for (std::size_t step = 1; step <= text.size(); ++step) {
        INFO(step);
        CHECK(read_chunks(text, step) == Outcome{Progress::done, "hello, big world", ""});
    }
    CHECK(read_chunks("0\r\n\r\nGET", 100) == Outcome{Progress::done, "", "GET"});
    CHECK(read_chunks("0\r\n\r\n") == Outcome{Progress::done, "", ""});
    CHECK(read_chunks("0a\r\n0123456789\r\n0\r\n\r\n").body == "0123456789");
}

TEST_CASE("chunks that two servers could read differently are refused", "[body][smuggling][threat-31]") {
    for (const char* text : {"5;a\nb=1\r\nhello\r\n0\r\n\r\n",
                             "5;a=\"\r\"\r\nhello\r\n0\r\n\r\n",
                             "5;\x01\r\nhello\r\n0\r\n\r\n",
                             "5 a\r\nhello\r\n0\r\n\r\n",
                             "5=a\r\nhello\r\n0\r\n\r\n",
                             ";a\r\nhello\r\n0\r\n\r\n",
                             "5 \r\nhello\r\n0\r\n\r\n",
                             " 5\r\nhello\r\n0\r\n\r\n",
                             "0x5\r\nhello\r\n0\r\n\r\n",
                             "+5\r\nhello\r\n0\r\n\r\n",
                             "-5\r\nhello\r\n0\r\n\r\n",
                             "5\nhello\r\n0\r\n\r\n",
                             "5\r\nhelloXX0\r\n\r\n",
                             "5\r\nhello\n0\r\n\r\n",
                             "\r\nhello",
                             "g\r\nhello\r\n0\r\n\r\n",
                             "00000000000000005\r\nhello",
                             "0\r\n\n",
                             "0\r\nX: \x01\r\n\r\n",
                             "0\r\nX: a\rb\r\n\r\n",
                             "5\rhello\r\n"}) {
        INFO(text);
        CHECK(read_chunks(text, 100).progress == Progress::broken);
    }
    CHECK(read_chunks("0\r\n" + std::string(5'000, 'x'), 1'000).progress == Progress::broken);
}

TEST_CASE("chunk extensions are passed over, as far as they are bounded", "[body]") {
    const std::string text = "5;a;b=1 ; c=\"x;y\"\r\nhello\r\n1 ;d\r\n!\r\n0;end\r\n\r\n";
    for (std::size_t step = 1; step <= text.size(); ++step) {
        INFO(step);
        CHECK(read_chunks(text, step) == Outcome{Progress::done, "hello!", ""});
    }
    const auto twice = [](std::size_t bytes) {
        const std::string extension = ";" + std::string(bytes - 1, 'x');
        return "1" + extension + "\r\na\r\n1" + extension + "\r\nb\r\n0\r\n\r\n";
    };
    for (std::size_t step : {1U, 700U, 10'000U}) {
        INFO(step);
        CHECK(read_chunks(twice(2'048), step) == Outcome{Progress::done, "ab", ""});
        CHECK(read_chunks(twice(2'049), step).progress == Progress::broken);
    }
}

TEST_CASE("how a body is cut into packets never changes what it is", "[body][smuggling]") {
    const std::string seed = "5;x=y\r\nhello\r\nA\r\n0123456789\r\n0\r\nX: y\r\n\r\nGET";
    const std::string spice("\r\n ;0A\0x", 8);
    std::mt19937 random(1);
    const auto below = [&](std::size_t bound) { return static_cast<std::size_t>(random()) % bound; };
    for (int round = 0; round < 20'000; ++round) {
        std::string text = seed;
        for (std::size_t i = below(4); i > 0; --i) {
            const std::size_t at = below(text.size());
            if (below(2) == 0)
                text.insert(at, 1, spice[below(spice.size())]);
            else
                text.replace(at, below(3), 1, spice[below(spice.size())]);
        }
        const Outcome whole = read_chunks(text, text.size());
        const Outcome cut = read_chunks(text, 1 + below(4));
        INFO(text);
        REQUIRE(cut.progress == whole.progress);
        if (whole.progress == Progress::done)
            REQUIRE(cut.body == whole.body);
    }
}

TEST_CASE("chunks together stay within the limit", "[body]") {
    CHECK(read_chunks("5\r\nhello\r\n5\r\nhello\r\n0\r\n\r\n", 1, 10).progress == Progress::done);
    CHECK(read_chunks("5\r\nhello\r\n6\r\nhello!\r\n0\r\n\r\n", 1, 10).progress == Progress::too_large);
    CHECK(read_chunks("ffffffffffffffff\r\nx", 1, 10).progress == Progress::too_large);
}

} // namespace slashpost::http
