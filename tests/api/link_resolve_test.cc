// What a visitor would get, told without a visit.
#include "tests/api/api_world.h"
#include "tests/support/parts.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::test;

namespace {

struct ResolveWorld : ApiWorld {
    std::string id = link_id("x");

    std::string make_rule(std::string_view conditions, std::string_view where) {
        const auto made = send(post("/links/" + id + "/rules",
                                    R"({"destination":"https://)" + std::string(where) +
                                        R"(.example/","conditions":)" + std::string(conditions) + "}"));
        INFO(made.body);
        REQUIRE(made.status == 200);
        return made.at("id");
    }
    Answer resolve(const std::string& query = {}) { return send(get("/links/" + id + "/resolve?" + query)); }
};

} // namespace

TEST_CASE("a link without rules leads to its destination", "[resolve]") {
    ResolveWorld world;
    CHECK(world.resolve("country=de").body ==
          R"({"destination":"https://example.com/","decidedBy":"link",)"
          R"("reason":"The link has no rules, so its destination counts.",)"
          R"("forwarding":{"parameters":true,"onConflict":"destination"},"rules":[],"arms":[]})");
}

TEST_CASE("the rule that a visitor would get is named, with those that were tried before", "[resolve]") {
    ResolveWorld world;
    const auto first = world.make_rule(R"([{"type":"location","value":"us,ca"}])", "us");
    const auto second =
        world.make_rule(R"([{"type":"device","value":"mobile"},{"type":"platform","value":"ios"}])", "phone");
    world.make_rule(R"([{"type":"location","value":"de"}])", "never-tried");
    const auto reply = world.resolve("country=DE&device=mobile&os=ios");
    CHECK(
        reply.body ==
        R"({"destination":"https://phone.example/","decidedBy":"rule",)"
        R"("reason":"The rule of rank 1 is the first to match: req.device in mobile and req.os in ios hold.",)"
        R"("forwarding":{"parameters":true,"onConflict":"destination"},)"
        R"("rules":[{"id":")" +
            first +
            R"(","rank":0,"destination":"https://us.example/","matched":false,)"
            R"("reason":"req.country in us, ca does not hold"},{"id":")" +
            second +
            R"(","rank":1,"destination":"https://phone.example/","matched":true,)"
            R"("reason":"req.device in mobile and req.os in ios hold"}],"arms":[]})");
    CHECK(world.resolve("country=fr").at("decidedBy") == "link");
    CHECK(world.resolve("country=fr").at("reason") == "No rule matches, so the link's destination counts.");
}

TEST_CASE("language, time and query are looked at as a redirect would", "[resolve]") {
    ResolveWorld world;
    REQUIRE(
        world
            .send(post("/links/" + world.id + "/rules",
                       R"({"destination":"https://late.example/","condition":{"and":[)"
                       R"({"property":"req.time","operator":"in","values":["09:00-17:00 Europe/Berlin"]},)"
                       R"({"property":"req.language","operator":"in","values":["de"]},)"
                       R"({"property":"req.query.a","operator":"in","values":["1 2"]}]}})"))
            .status == 200);
    const auto where = [&](const std::string& query) { return world.resolve(query).at("destination"); };
    CHECK(where("time=2026-07-06T07:00Z&language=en%3Bq%3D0.1%2Cde-AT&query=a%3D1%2B2") ==
          "https://late.example/?a=1+2");
    CHECK(where("time=2026-07-06T06:59Z&language=de&query=a%3D1%2B2") == "https://example.com/?a=1+2");
    CHECK(where("time=2026-07-06T07:00Z&language=en&query=a%3D1%2B2") == "https://example.com/?a=1+2");
    CHECK(where("time=2026-07-06T07:00Z&language=de&query=%3Fa%3D1") == "https://example.com/?a=1");
}

TEST_CASE("of a rotator the shares are told, and nobody's turn is taken", "[resolve]") {
    ResolveWorld world;
    const auto made = world.send(post("/links", R"({"destination":"https://example.com/","slashtag":"r",)"
                                                R"("type":"rotator"})"));
    REQUIRE(made.status == 200);
    world.id = made.at("id");
    const auto put_arms = [&](std::string_view arms) {
        REQUIRE(world.send(put("/links/" + world.id + "/rotator", arms)).status == 200);
    };
    put_arms(R"([{"destination":"https://a.example/","weight":3},{"destination":"https://b.example/"}])");
    const auto weighted = world.resolve();
    CHECK(weighted.at("decidedBy") == "rotator");
    CHECK(weighted.at("reason") == "There are no rules, so the rotator chooses among its arms.");
    CHECK(weighted.body.find(R"("destination":"https://a.example/","visits":3,"of":4)") != std::string::npos);
    CHECK(weighted.body.find(R"("destination":"https://b.example/","visits":1,"of":4)") != std::string::npos);
    CHECK(weighted.body.starts_with(R"({"decidedBy")")); // no one destination
    put_arms(R"([{"destination":"https://a.example/"},{"destination":"https://b.example/"}])");
    CHECK(world.resolve().body.find(R"("destination":"https://b.example/","visits":1,"of":2)") !=
          std::string::npos);
    put_arms(
        R"([{"destination":"https://a.example/","weight":0},{"destination":"https://b.example/","weight":1}])");
    CHECK(world.resolve().at("destination") == "https://b.example/");
    put_arms(R"([{"destination":"https://a.example/","weight":0}])");
    CHECK(world.resolve().at("decidedBy") == "link");
}

TEST_CASE("what can be no visitor is refused with all that is wrong", "[resolve]") {
    ResolveWorld world;
    CHECK(world.resolve("country=xx&device=phone&os=dos&browser=lynx&language=%3C&time=soon").summary() ==
          "403 InvalidFormat link: InvalidFormat time, InvalidFormat device, InvalidFormat os, InvalidFormat "
          "browser, InvalidFormat country, InvalidFormat language");
    CHECK(world.resolve("country=&device=&time=").status == 200);
}

TEST_CASE("whose parameter wins is told, as the link says or its domain", "[resolve]") {
    ResolveWorld world;
    const auto update = [&](const std::string& body) {
        REQUIRE(world.send(post("/links/" + world.id, body)).status == 200);
        const auto reply = world.resolve("query=x%3D2%26y%3D3");
        return reply.at("destination") + " " + reply.at("forwarding");
    };
    CHECK(update(R"({"destination":"https://example.com/?x=1"})") ==
          R"(https://example.com/?x=1&y=3 {"parameters":true,"onConflict":"destination"})");
    world.set_domain(world.installed.domain, {.on_conflict = Change<OnConflict>::set(OnConflict::both)});
    CHECK(update("{}") == R"(https://example.com/?x=1&x=2&y=3 {"parameters":true,"onConflict":"both"})");
    CHECK(update(R"({"forwarding":{"onConflict":"visitor"}})") ==
          R"(https://example.com/?x=2&y=3 {"parameters":true,"onConflict":"visitor"})");
    world.set_domain(world.installed.domain, {.forward_parameters = Change<bool>::set(false)});
    CHECK(update("{}") == R"(https://example.com/?x=1 {"parameters":false,"onConflict":"visitor"})");
    CHECK(update(R"({"forwardParameters":true})") ==
          R"(https://example.com/?x=2&y=3 {"parameters":true,"onConflict":"visitor"})");
    CHECK(update(R"({"forwarding":null})") ==
          R"(https://example.com/?x=1 {"parameters":false,"onConflict":"both"})");
}
