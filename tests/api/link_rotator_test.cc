// Rules of rotators over the wire (interface 4.2, wire "Parts of a link").
#include "tests/api/api_world.h"
#include "tests/support/must.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace slashpost;
using namespace slashpost::test;

namespace {

struct RotatorWorld : ApiWorld {
    std::string id = link_id("x", R"(,"type":"rotator")");
    std::string path = "/links/" + id + "/rotator";
};

std::string rules(int count) {
    std::string out;
    for (int i = 0; i < count; ++i)
        out += fmt::format(R"({}{{"destination":"https://example.com/{}"}})", i > 0 ? "," : "", i);
    return "[" + out + "]";
}

} // namespace

TEST_CASE("a rule of a rotator is made, read and changed", "[link_rotator]") {
    RotatorWorld world;
    CHECK(world.send(get(world.path)).body == "[]");
    const auto made = world.send(post(world.path, R"({"destination":"https://example.com/a","weight":2})"));
    const auto id = made.at("id");
    CHECK(made.body ==
          R"({"id":")" + id + R"(","destination":"https://example.com/a","weight":2,"clicks":0})");
    CHECK(world.send(get(world.path + "/" + id)).body == made.body);
    CHECK(world.send(get(world.path)).body == "[" + made.body + "]");
    const auto changed =
        world.send(post(world.path + "/" + id, R"({"destination":"https://example.com/b"})"));
    CHECK(changed.at("destination") == "https://example.com/b");
    CHECK(changed.at("weight") == "2");
    CHECK(world.send(post(world.path + "/" + id, R"({"weight":null})")).at("weight") == "(absent)");
    CHECK(world.send(post(world.path + "/" + id, "{}")).status == 200);
    CHECK(world.send(post(world.path, R"({"destination":"https://example.com/c"})")).at("weight") ==
          "(absent)");
    CHECK(world.send(get(world.path)).column("destination") == "https://example.com/b https://example.com/c");
}

TEST_CASE("a weight is 0 to 1,000,000", "[link_rotator]") {
    RotatorWorld world;
    const auto weight = [&](const std::string& number) {
        return world
            .send(post(world.path, R"({"destination":"https://example.com/","weight":)" + number + "}"))
            .summary();
    };
    CHECK(weight("0") == "200");
    CHECK(weight("1000000") == "200");
    CHECK(weight("1000001") == "403 InvalidFormat rotator: OutOfRange weight");
    CHECK(weight("-1") == "403 InvalidFormat rotator: OutOfRange weight");
    CHECK(weight("0.5") == "403 InvalidFormat rotator: InvalidFormat weight");
}

TEST_CASE("all rules of a rotator are replaced at once, and known ones keep their ids", "[link_rotator]") {
    RotatorWorld world;
    const auto old = world.send(post(world.path, R"({"destination":"https://example.com/a"})")).at("id");
    const auto replaced = world.send(
        put(world.path, R"([{"destination":"https://example.com/b"},)"
                        R"({"id":")" +
                            old + R"(","destination":"https://example.com/a","weight":5,"clicks":9}])"));
    CHECK(replaced.status == 200);
    CHECK(replaced.at("1.id") == old);
    CHECK(replaced.at("1.clicks") == "0");
    CHECK(replaced.column("destination") == "https://example.com/b https://example.com/a");
    CHECK(world.send(get(world.path)).body == replaced.body);
    CHECK(world.send(put(world.path, replaced.body)).body == replaced.body);
    CHECK(world.send(put(world.path, "[]")).body == "[]");
    CHECK(world.send(get(world.path)).body == "[]");
}

TEST_CASE("a replacement of a rotator's rules is all or nothing", "[link_rotator]") {
    RotatorWorld world;
    REQUIRE(world.send(put(world.path, rules(1))).status == 200);
    CHECK(world
              .send(put(world.path,
                        R"([{},{"destination":"x"},{"destination":"https://example.com/","weight":-1}])"))
              .summary() ==
          "403 InvalidFormat rotator: RequiredField [0].destination, OutOfRange [2].weight, "
          "InvalidFormat [1].destination");
    CHECK(world.send(put(world.path, "{}")).summary().starts_with("400 InvalidFormat"));
    CHECK(world.send(get(world.path)).column("destination") == "https://example.com/0");
    CHECK(world.send(put(world.path, rules(51))).summary() == "403 LimitReached link");
    CHECK(world.send(put(world.path, rules(50))).status == 200);
    CHECK(world.send(post(world.path, R"({"destination":"https://example.com/"})")).summary() ==
          "403 LimitReached link");
}

TEST_CASE("a rotator's rules are deleted, one or all", "[link_rotator]") {
    RotatorWorld world;
    const auto made = world.send(put(world.path, rules(3)));
    const auto first = world.path + "/" + made.at("0.id");
    CHECK(world.send(del(first)).body == "{}");
    for (const auto& call : {get(first), post(first, "{}"), del(first)})
        CHECK(world.send(call).summary() == "404 NotFound rotator");
    CHECK(world.send(get(world.path)).json.as_array().size() == 2);
    CHECK(world.send(del(world.path)).body == "{}");
    CHECK(world.send(del(world.path)).body == "{}");
    CHECK(world.send(get(world.path)).body == "[]");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a link that is no rotator has no rotator's rules", "[link_rotator]") {
    RotatorWorld world;
    const auto path = "/links/" + world.link_id("plain") + "/rotator";
    for (const auto& call : {get(path), post(path, "{}"), put(path, "{}"), del(path), get(path + "/x"),
                             post(path + "/x", "[]"), del(path + "/x")})
        CHECK(world.send(call).summary() == "403 WrongLinkType link");
    // What else is wrong with the link comes first.
    world.send(del("/links/" + world.id));
    CHECK(world.send(put(world.path, "{}")).summary() == "403 DeletedLink link");
}

TEST_CASE("all broken fields of a rotator's rule are named at once", "[link_rotator]") {
    RotatorWorld world;
    CHECK(world.send(post(world.path, R"({"weight":"a"})")).summary() ==
          "403 InvalidFormat rotator: RequiredField destination, InvalidFormat weight");
    CHECK(
        world.send(post(world.path, R"({"destination":"https://go.example.com/x","weight":-1})")).summary() ==
        "403 InvalidFormat rotator: OutOfRange weight, InvalidFormat destination");
}

TEST_CASE("a guest changes rotators of its own only", "[link_rotator]") {
    RotatorWorld world;
    const auto made = world.send(put(world.path, rules(1))).at("0.id");
    const auto guest = world.colleague(Role::guest);
    const auto as_guest = [&](Call call) {
        return world.send(std::move(call).with("Workspace", world.workspace_id()).as(guest.key));
    };
    const auto own =
        as_guest(post("/links", R"({"destination":"https://example.com/","type":"rotator"})")).at("id");
    CHECK(as_guest(put("/links/" + own + "/rotator", rules(2))).status == 200);
    CHECK(as_guest(get(world.path)).status == 200);
    for (const auto& call :
         {post(world.path, R"({"destination":"https://example.com/"})"), put(world.path, rules(1)),
          del(world.path), post(world.path + "/" + made, "{}"), del(world.path + "/" + made)})
        CHECK(as_guest(call).summary() == "403 Forbidden link");
}
