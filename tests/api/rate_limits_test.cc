// Rate limits (wire "Rate limits", interface 8).
#include "tests/api/api_world.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::test;

namespace {

constexpr RateLimiter::Options two_a_minute{.requests = 2, .period_seconds = 60};

} // namespace

TEST_CASE("the headers count a key's requests down, and the next window begins anew", "[rate]") {
    ApiWorld world(two_a_minute);
    const auto first = world.send(get("/links"));
    CHECK(first.status == 200);
    CHECK(first.header("X-RateLimit-Limit") == "2");
    CHECK(first.header("X-RateLimit-Remaining") == "1");
    CHECK(first.header("X-RateLimit-Reset") == "1800000060");
    CHECK(world.send(get("/links/x")).header("X-RateLimit-Remaining") == "0");
    world.clock.advance_seconds(20);
    const auto third = world.send(get("/links"));
    CHECK(third.summary() == "429 TooManyRequests request");
    CHECK(third.header("X-RateLimit-Remaining") == "0");
    CHECK(third.header("X-RateLimit-Reset") == "1800000060");
    CHECK(third.header("Retry-After") == "40");
    world.clock.advance_seconds(40);
    CHECK(world.send(get("/links")).header("X-RateLimit-Remaining") == "1");
}

TEST_CASE("the same is said as the standard in the making has it", "[rate]") {
    ApiWorld world(two_a_minute);
    const auto first = world.send(get("/links"));
    CHECK(first.header("RateLimit-Policy") == R"("default";q=2;w=60)");
    CHECK(first.header("RateLimit") == R"("default";r=1;t=60)");
    world.clock.advance_seconds(20);
    world.send(get("/links"));
    const auto third = world.send(get("/links"));
    CHECK(third.status == 429);
    CHECK(third.header("RateLimit") == R"("default";r=0;t=40)");
    CHECK(third.header("Retry-After") == "40");
    CHECK_FALSE(ApiWorld({.requests = 0}).send(get("/links")).header("X-RateLimit-Limit").empty());
    CHECK(ApiWorld({.requests = 0}).send(get("/links")).header("RateLimit").empty());
    CHECK(ApiWorld({.requests = 0}).send(get("/links")).header("RateLimit-Policy").empty());
}

TEST_CASE("a request over the limit changes nothing", "[rate]") {
    ApiWorld world(two_a_minute);
    world.link_id("one");
    world.link_id("two");
    CHECK(world.send(post("/links", R"({"destination":"https://example.com/"})")).status == 429);
    world.clock.advance_seconds(60);
    CHECK(world.send(get("/links/count")).body == R"({"count":2})");
}

TEST_CASE("each key has a window of its own", "[rate]") {
    ApiWorld world(two_a_minute);
    const auto other = world.outsider().key;
    world.send(get("/links"));
    world.send(get("/links"));
    CHECK(world.send(get("/links")).status == 429);
    CHECK(world.send(get("/links").as(other)).status == 200);
}

TEST_CASE("no limit says the largest 32-bit number", "[rate]") {
    ApiWorld world({.requests = 0}, {.requests = 0});
    for (const auto& call : {get("/links"), get("/links").anonymous(), get("/nothing")}) {
        const auto answer = world.send(call);
        CHECK(answer.header("X-RateLimit-Limit") == "2147483647");
        CHECK(answer.header("X-RateLimit-Remaining") == "2147483647");
    }
}

TEST_CASE("wrong keys are limited by address, so that none is guessed at speed", "[rate]") {
    ApiWorld world({}, two_a_minute);
    CHECK(world.send(get("/links").as("guess1")).header("X-RateLimit-Remaining") == "1");
    CHECK(world.send(get("/links").as("guess2")).status == 401);
    const auto limited = world.send(get("/links").as("guess3"));
    CHECK(limited.status == 429);
    CHECK(limited.header("Retry-After") == "60");
    CHECK(world.send(get("/links").as("guess4").with("X-Forwarded-For", "203.0.113.9")).status == 429);
    CHECK(world.send(get("/links").anonymous()).status == 429);
    world.remote_address = "192.0.2.2";
    CHECK(world.send(get("/links").as("guess5")).status == 401);
    world.remote_address = "192.0.2.1";
    world.clock.advance_seconds(60);
    CHECK(world.send(get("/links").as("guess6")).status == 401);
}

TEST_CASE("a good key is served whatever others have sent from its address", "[rate]") {
    ApiWorld world({}, two_a_minute);
    for (int i = 0; i < 10; ++i)
        world.send(get("/links").as("guess"));
    CHECK(world.send(get("/links").as("guess")).status == 429);
    const auto good = world.send(get("/links"));
    CHECK(good.status == 200);
    CHECK(good.header("X-RateLimit-Limit") == "6000");
    CHECK(good.header("X-RateLimit-Remaining") == "5999");
    CHECK(world.send(post("/links", R"({"destination":"https://example.com/"})")).status == 200);
}

TEST_CASE("what is answered without a look at the key says what keys may send", "[rate]") {
    ApiWorld world({}, two_a_minute);
    for (int i = 0; i < 5; ++i)
        world.send(get("/links").as("guess"));
    const auto missing = world.send(get("/nothing"));
    CHECK(missing.header("X-RateLimit-Limit") == "6000");
    CHECK(missing.header("X-RateLimit-Remaining") == "6000");
    CHECK(missing.header("X-RateLimit-Reset") == "1800000060");
    CHECK(world.send(get("/openapi.json")).header("X-RateLimit-Limit") == "6000");
}

TEST_CASE("a body is waited for only when its key is in force and something is there to take it", "[rate]") {
    ApiWorld world({}, two_a_minute);
    const auto admit = [&](const Call& call) { return world.admit_body(call); };
    CHECK(admit(post("/links", "")).status == 100);
    CHECK(admit(post("/links", "").as("guess")).status == 401);
    CHECK(admit(post("/links", "").anonymous()).status == 401);
    CHECK(admit(post("/links", "").as("guess")).status == 429);
    CHECK(admit(post("/links", "")).status == 100);
    CHECK(admit(post("/nothing", "")).status == 404);
    CHECK(admit(post("/links/count", "")).status == 405);
    // It is counted when it is served.
    CHECK(world.send(get("/links")).header("X-RateLimit-Remaining") == "5999");
}

TEST_CASE("good requests do not use up the address", "[rate]") {
    ApiWorld world({}, two_a_minute);
    for (int i = 0; i < 5; ++i)
        CHECK(world.send(get("/links")).status == 200);
}
