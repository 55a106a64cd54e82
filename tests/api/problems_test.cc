// Errors as problem details, for clients that ask for them (RFC 9457).
#include "tests/api/api_world.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::test;

namespace {

Answer problem(ApiWorld& world, Call call) {
    auto answer = world.send(std::move(call).accepting("application/problem+json, application/json"));
    CHECK(answer.header("Content-Type") == "application/problem+json");
    CHECK(answer.at("status") == std::to_string(answer.status));
    return answer;
}

} // namespace

TEST_CASE("who asks for problem details gets errors as such, with all that they say else", "[problems]") {
    ApiWorld world;
    const auto refused = problem(world, post("/links", R"({"slashtag":"a b"})"));
    CHECK(refused.status == 403);
    CHECK(refused.at("type") == "about:blank");
    CHECK(refused.at("title") == "Forbidden");
    CHECK(refused.at("detail") == refused.at("message"));
    CHECK(refused.summary() == "403 InvalidFormat link: RequiredField destination, PatternMismatch slashtag");
    const auto absent = problem(world, get("/links/none"));
    CHECK(absent.at("title") == "Not Found");
    CHECK(absent.at("detail") == absent.at("verbose"));
    CHECK(problem(world, get("/links").anonymous()).at("title") == "Unauthorized");
    CHECK(problem(world, del("/links/count")).at("title") == "Method Not Allowed");
    CHECK(world.send(get("/links").accepting("application/problem+json")).header("Content-Type") ==
          "application/json; charset=utf-8");
}

TEST_CASE("a limit that was met has a type of its own, and its name", "[problems]") {
    ApiWorld world({.requests = 1, .period_seconds = 60});
    world.send(get("/links"));
    const auto limited = problem(world, get("/links"));
    CHECK(limited.at("type") == "https://iana.org/assignments/http-problem-types#quota-exceeded");
    CHECK(limited.at("violated-policies") == R"(["default"])");
    CHECK(limited.at("code") == "TooManyRequests");
}

TEST_CASE("who does not ask for them gets errors as ever", "[problems]") {
    ApiWorld world;
    for (const auto* accepted : {"application/json", "*/*", "application/*"}) {
        const auto answer = world.send(get("/links/none").accepting(accepted));
        CHECK(answer.header("Content-Type") == "application/json; charset=utf-8");
        CHECK(answer.at("title") == "(absent)");
    }
}
