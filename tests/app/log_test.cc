#include "app/log.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::app;

namespace {

std::string text(std::string_view message, LogFields fields = {}) {
    return format_line(LogFormat::text, {.ms = 0}, LogLevel::info, message, fields);
}
std::string json(std::string_view message, LogFields fields = {}) {
    return format_line(LogFormat::json, {.ms = 0}, LogLevel::warn, message, fields);
}

} // namespace

TEST_CASE("a text line has time, level, message and fields", "[log]") {
    CHECK(text("listening", {{"address", "127.0.0.1:8080"}, {"threads", 2}}) ==
          "1970-01-01T00:00:00.000Z info  listening address=127.0.0.1:8080 threads=2");
}

TEST_CASE("a JSON line is an object with time, level, message and fields", "[log]") {
    CHECK(
        json("disk full", {{"path", "/var/lib"}, {"lost", 3}}) ==
        R"({"time":"1970-01-01T00:00:00.000Z","level":"warn","message":"disk full","path":"/var/lib","lost":3})");
}

TEST_CASE("nothing in a value can end or forge a line", "[log]") {
    CHECK(text("x", {{"v", "a\nb"}}) == R"(1970-01-01T00:00:00.000Z info  x v="a\nb")");
    CHECK(text("x\ny") == R"(1970-01-01T00:00:00.000Z info  x\ny)");
    CHECK(text("x", {{"v", "a b=\"c\""}}) == R"(1970-01-01T00:00:00.000Z info  x v="a b=\"c\"")");
    CHECK(text("x", {{"v", ""}}) == R"(1970-01-01T00:00:00.000Z info  x v="")");
    CHECK(json("x", {{"v", "q\"\\\x01\x1b"}}) ==
          R"({"time":"1970-01-01T00:00:00.000Z","level":"warn","message":"x","v":"q\"\\\u0001\u001b"})");
}

TEST_CASE("text stays as it is when it is UTF-8, and becomes so when it is not", "[log]") {
    CHECK_THAT(json("x", {{"v", "bücher"}}), Catch::Contains(R"("v":"bücher")"));
    CHECK_THAT(json("x", {{"v", "a\xff"
                                "b\xc3"}}),
               Catch::Contains(R"("v":"a\ufffdb\ufffd")"));
}
