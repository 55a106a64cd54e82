#include "core/access/rate_limit.h"

#include <catch2/catch.hpp>

using namespace slashpost;

TEST_CASE("a caller has so many requests in a window of its own", "[rate_limit]") {
    RateLimiter limiter({.requests = 2, .period_seconds = 60});
    const Timestamp start{1'000'000'500};
    const auto first = limiter.take("a", start);
    CHECK(first.allowed);
    CHECK(first.limit == 2);
    CHECK(first.remaining == 1);
    CHECK(first.reset_unix_seconds == 1'000'061);
    CHECK(limiter.take("a", start.plus_seconds(1)).remaining == 0);
    const auto third = limiter.take("a", start.plus_seconds(59));
    CHECK_FALSE(third.allowed);
    CHECK(third.remaining == 0);
    CHECK(third.reset_unix_seconds == 1'000'061);
    CHECK(limiter.take("b", start.plus_seconds(59)).allowed);
    CHECK(limiter.take("a", start.plus_seconds(60)).allowed);
}

TEST_CASE("looking counts nothing", "[rate_limit]") {
    RateLimiter limiter({.requests = 1, .period_seconds = 60});
    CHECK(limiter.look("a", {0}).allowed);
    CHECK(limiter.look("a", {0}).remaining == 1);
    CHECK(limiter.take("a", {0}).allowed);
    CHECK_FALSE(limiter.look("a", {0}).allowed);
}

TEST_CASE("a limit of 0 is no limit and says the largest 32-bit integer", "[rate_limit]") {
    RateLimiter limiter({.requests = 0, .period_seconds = 60});
    for (int i = 0; i < 10; ++i) {
        const auto verdict = limiter.take("a", {0});
        CHECK(verdict.allowed);
        CHECK(verdict.limit == 2'147'483'647);
        CHECK(verdict.remaining == 2'147'483'647);
    }
}

TEST_CASE("a clock that jumps back locks nobody out", "[rate_limit][threat-36]") {
    RateLimiter limiter({.requests = 1, .period_seconds = 60});
    CHECK(limiter.take("a", {10'000'000}).allowed);
    CHECK_FALSE(limiter.take("a", {10'000'001}).allowed);
    CHECK(limiter.take("a", {1'000'000}).allowed);
}

TEST_CASE("a flood of callers is remembered only up to the bound", "[rate_limit][threat-21]") {
    RateLimiter limiter({.requests = 1, .period_seconds = 60, .callers_max = 160});
    for (int i = 0; i < 10'000; ++i)
        CHECK(limiter.take("caller " + std::to_string(i), {i}).allowed);
}

TEST_CASE("a caller's own rate goes before the limiter's", "[rate_limit]") {
    RateLimiter limiter({.requests = 100, .period_seconds = 60});
    const OwnRate own{.requests = 2, .period_seconds = 10};
    const Timestamp start{1'000'000'000};
    const auto first = limiter.take("a", start, own);
    CHECK(first.limit == 2);
    CHECK(first.remaining == 1);
    CHECK(first.reset_unix_seconds == 1'000'010);
    CHECK(limiter.take("a", start, own).allowed);
    CHECK_FALSE(limiter.take("a", start.plus_seconds(9), own).allowed);
    CHECK(limiter.take("a", start.plus_seconds(10), own).allowed);
    CHECK(limiter.take("b", start).limit == 100);
    CHECK(limiter.take("c", start, {.requests = 0, .period_seconds = {}}).limit == 2'147'483'647);
    CHECK(limiter.take("d", start, {.requests = 3, .period_seconds = {}}).reset_unix_seconds == 1'000'060);
}

TEST_CASE("a plan that changes within a window takes effect at once", "[rate_limit]") {
    RateLimiter limiter({.requests = 5, .period_seconds = 60});
    for (int i = 0; i < 5; ++i)
        CHECK(limiter.take("a", {0}).allowed);
    const auto fewer = limiter.take("a", {1}, {.requests = 3, .period_seconds = {}});
    CHECK_FALSE(fewer.allowed);
    CHECK(fewer.remaining == 0);
    CHECK(limiter.take("a", {2}, {.requests = 7, .period_seconds = {}}).remaining == 1);
    CHECK(limiter.take("a", {3}, {.requests = 5, .period_seconds = 30}).remaining == 4);
}
