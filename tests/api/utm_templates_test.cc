// Templates of campaigns of a workspace.
#include "tests/api/api_world.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace slashpost;
using namespace slashpost::test;

namespace {

std::string place(const ApiWorld& world) {
    return fmt::format("/workspaces/{}/utm-templates", world.workspace_id());
}

// The names, as they are listed.
std::string names(ApiWorld& world) {
    std::string out;
    const auto answer = world.send(get(place(world)));
    for (const auto& one : answer.json.as_array())
        out += (out.empty() ? "" : ", ") + std::string(one.at("name").as_string());
    return out;
}

std::string summary(ApiWorld& world, std::string body) {
    return world.send(post(place(world), std::move(body))).summary();
}

} // namespace

TEST_CASE("templates are made, listed by their names, renamed in one step and deleted", "[utm]") {
    ApiWorld world;
    CHECK(world.send(get(place(world))).body == "[]");
    const auto made =
        world.send(post(place(world), R"({"name":"Spring","source":"newsletter","campaign":"spring 2027"})"));
    CHECK(
        made.body ==
        R"({"name":"Spring","source":"newsletter","medium":"","campaign":"spring 2027","term":"","content":""})");
    CHECK(summary(world, R"({"name":"autumn","medium":"email"})") == "200");
    CHECK(names(world) == "autumn, Spring");
    CHECK(summary(world, R"({"name":"SPRING","source":"x"})") ==
          "403 InvalidFormat template: AlreadyExists name");
    CHECK(summary(world, R"({"name":"A first one","source":"x","replaces":"spring"})") == "200");
    CHECK(names(world) == "A first one, autumn");
    CHECK(summary(world, R"({"name":"x","source":"x","replaces":"spring"})") ==
          "403 InvalidFormat template: NotFound replaces");
    CHECK(world.send(del(place(world) + "/A%20First%20one")).at("source") == "x");
    CHECK(world.send(del(place(world) + "/A%20First%20one")).summary() == "404 NotFound template");
    CHECK(names(world) == "autumn");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a template has a name, a value, and neither is too long", "[utm]") {
    ApiWorld world;
    CHECK(summary(world, R"({"source":"x"})") == "403 InvalidFormat template: RequiredField name");
    CHECK(summary(world, R"({"name":"x"})") == "403 InvalidFormat template: RequiredField source");
    CHECK(summary(world, fmt::format(R"({{"name":"{}","source":"x"}})", std::string(65, 'n'))) ==
          "403 InvalidFormat template: InvalidLength name");
    CHECK(summary(world, fmt::format(R"({{"name":"x","source":"y","term":"{}"}})", std::string(129, 't'))) ==
          "403 InvalidFormat template: InvalidLength term");
    CHECK(summary(world, fmt::format(R"({{"name":"{}","term":"{}"}})", std::string(64, 'n'),
                                     std::string(128, 't'))) == "200");
    CHECK(summary(world, R"({"name":"a\nb","source":"x"})") ==
          "403 InvalidFormat template: InvalidFormat name");
}

TEST_CASE("a workspace has fifty templates and no more", "[utm]") {
    ApiWorld world;
    for (int i = 0; i < 50; ++i)
        REQUIRE(summary(world, fmt::format(R"({{"name":"t{}","source":"x"}})", i)) == "200");
    CHECK(summary(world, R"({"name":"one more","source":"x"})") == "403 LimitReached template");
    CHECK(summary(world, R"({"name":"instead","source":"x","replaces":"t7"})") == "200");
}
