// Routing rules over the wire (interface 2.3, 4.2, 4.6; wire "Parts of a link").
#include "tests/api/api_world.h"
#include "tests/support/parts.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace slashpost;
using namespace slashpost::test;

namespace {

struct RuleWorld : ApiWorld {
    std::string id = link_id("x");
    std::string path = "/links/" + id + "/rules";

    std::string make(std::string_view body) {
        const auto made = send(post(path, body));
        INFO(made.body);
        REQUIRE(made.status == 200);
        return made.at("id");
    }
    std::string refusal(std::string_view body) { return send(post(path, body)).summary(); }
};

constexpr std::string_view mobile =
    R"({"destination":"https://example.com/m","conditions":[{"type":"device","value":"mobile"}]})";

std::string with_values(int count) {
    std::string values;
    for (int i = 0; i < count; ++i)
        values += fmt::format("{}\"v{}\"", i > 0 ? "," : "", i);
    return R"({"destination":"https://example.com/","condition":{"and":[)"
           R"({"property":"req.query.a","operator":"in","values":[)" +
           values + "]}]}}";
}

std::string with_conditions(int count) {
    std::string conditions;
    for (int i = 0; i < count; ++i)
        conditions += fmt::format(R"({}{{"type":"location","value":"de"}})", i > 0 ? "," : "");
    return R"({"destination":"https://example.com/","conditions":[)" + conditions + "]}";
}

} // namespace

TEST_CASE("a rule is made from conditions and answered in both shapes", "[link_rules]") {
    RuleWorld world;
    const auto made =
        world.send(post(world.path, R"({"destination":"https://example.com/ü","rank":3,"conditions":[)"
                                    R"({"type":"location","value":"DE,at"},)"
                                    R"({"type":"platform","value":"ios"}]})"));
    CHECK(made.body ==
          R"({"id":")" + made.at("id") + R"(","destination":"https://example.com/%C3%BC","rank":3,)" +
              R"("condition":{"and":[{"property":"req.country","operator":"in","values":["de","at"]},)" +
              R"({"property":"req.os","operator":"in","values":["ios"]}]},)" +
              R"("conditions":[{"type":"location","value":"de,at"},{"type":"platform","value":"ios"}]})");
    CHECK(world.send(get(world.path)).body == "[" + made.body + "]");
    CHECK(world.send(get(world.path + "/" + made.at("id"))).body == made.body);
}

TEST_CASE("a rule is made from a condition, and conditions are left out when they cannot say it",
          "[link_rules]") {
    RuleWorld world;
    const auto made = world.send(
        post(world.path, R"({"destination":"https://example.com/","condition":{"and":[)"
                         R"({"property":"req.language","operator":"not-in","values":["de"]},)"
                         R"({"property":"req.query.utm_source","operator":"in","values":["Mail"]}]}})"));
    CHECK(made.at("condition.and.0.operator") == "not-in");
    CHECK(made.at("condition.and.1.property") == "req.query.utm_source");
    CHECK(made.at("condition.and.1.values") == R"(["Mail"])");
    CHECK(made.at("conditions") == "(absent)");
    CHECK(made.at("rank") == "0");
}

TEST_CASE("rules are listed lowest rank first, with a limit", "[link_rules]") {
    RuleWorld world;
    CHECK(world.send(get(world.path)).body == "[]");
    const auto with_rank = [&](const std::string& rank) {
        world.make(R"({"destination":"https://example.com/","rank":)" + rank +
                   R"(,"conditions":[{"type":"device","value":"bot"}]})");
    };
    with_rank("2");
    with_rank("-1");
    with_rank("1");
    CHECK(world.send(get(world.path)).column("rank") == "-1 1 2");
    CHECK(world.send(get(world.path + "?limit=2")).column("rank") == "-1 1");
    CHECK(world.send(get(world.path + "?limit=0")).summary() == "403 InvalidFormat rule: OutOfRange limit");
}

TEST_CASE("all broken fields of a rule are named at once", "[link_rules]") {
    RuleWorld world;
    CHECK(world.refusal("{}") ==
          "403 InvalidFormat rule: RequiredField destination, RequiredField conditions");
    CHECK(world.refusal(R"({"destination":"nonsense","rank":1.5,"condition":{"and":[)"
                        R"({"property":"req.city","operator":"in","values":["x"]},)"
                        R"({"property":"req.country","operator":"is","values":["x"]},)"
                        R"({"property":"req.country","operator":"in","values":["de","uk",5,""]},7]}})") ==
          "403 InvalidFormat rule: InvalidFormat rank, InvalidFormat condition.and[2].values[2], "
          "RequiredField condition.and[2].values[3], InvalidFormat condition.and[3], "
          "InvalidFormat condition.and[0].property, InvalidFormat condition.and[1].operator, "
          "InvalidFormat condition.and[2].values[1], InvalidFormat destination");
    CHECK(world.refusal(
              R"({"destination":"https://example.com/","conditions":[{"type":"weather","value":"sun"},)"
              R"({"type":"device"},{"type":"time","value":"now"}]})") ==
          "403 InvalidFormat rule: InvalidFormat conditions[0].type, RequiredField conditions[1].value, "
          "InvalidFormat conditions[2].value");
    CHECK(world.refusal(R"({"destination":"https://example.com/","condition":{}})") ==
          "403 InvalidFormat rule: RequiredField condition.and");
    CHECK(world.refusal(R"({"destination":"https://example.com/","conditions":[]})") ==
          "403 InvalidFormat rule: RequiredField conditions");
    CHECK(
        world.refusal(
            R"({"destination":"https://go.example.com/X","conditions":[{"type":"device","value":"bot"}]})") ==
        "403 InvalidFormat rule: InvalidFormat destination");
    CHECK(world.refusal("[]").starts_with("400 InvalidFormat"));
    CHECK(world.send(get(world.path)).body == "[]");
}

TEST_CASE("a rank is a number of 32 bits", "[link_rules]") {
    RuleWorld world;
    const auto rank = [&](const std::string& number) {
        return world.refusal(R"({"destination":"https://example.com/","rank":)" + number +
                             R"(,"conditions":[{"type":"device","value":"bot"}]})");
    };
    CHECK(rank("2147483647") == "200");
    CHECK(rank("2147483648") == "403 InvalidFormat rule: OutOfRange rank");
    CHECK(rank("-2147483648") == "200");
    CHECK(rank("-2147483649") == "403 InvalidFormat rule: OutOfRange rank");
}

TEST_CASE("a rule has 10 conditions, not 11, and one of them 250 values, not 251", "[link_rules]") {
    RuleWorld world;
    CHECK(world.refusal(with_conditions(10)) == "200");
    CHECK(world.refusal(with_conditions(11)) == "403 InvalidFormat rule: OutOfRange conditions");
    CHECK(world.refusal(with_values(250)) == "200");
    CHECK(world.refusal(with_values(251)) == "403 InvalidFormat rule: OutOfRange condition.and[0].values");
}

TEST_CASE("a link has 50 rules over the wire, not 51", "[link_rules]") {
    RuleWorld world;
    for (int i = 0; i < 50; ++i)
        world.make(mobile);
    CHECK(world.refusal(mobile) == "403 LimitReached link");
    CHECK(world.send(get(world.path + "?limit=100")).json.as_array().size() == 50);
}

TEST_CASE("a rule is updated in what is sent", "[link_rules]") {
    RuleWorld world;
    const auto path = world.path + "/" + world.make(mobile);
    CHECK(world.send(post(path, "{}")).status == 200);
    const auto ranked = world.send(post(path, R"({"rank":7,"destination":""})"));
    CHECK(ranked.at("rank") == "7");
    CHECK(ranked.at("destination") == "https://example.com/m");
    CHECK(ranked.at("conditions.0.value") == "mobile");
    // As clients do that send back what they got, with one thing changed.
    const auto changed = world.send(
        post(path, R"({"id":"x","destination":"https://example.com/n","rank":7,"condition":{"and":[)"
                   R"({"property":"req.device","operator":"in","values":["mobile"]}]},)"
                   R"("conditions":[{"type":"device","value":"tablet"}]})"));
    CHECK(changed.at("destination") == "https://example.com/n");
    CHECK(changed.at("condition.and.0.values") == R"(["tablet"])");
    CHECK(world.send(get(world.path)).body == "[" + changed.body + "]");
    CHECK(world.send(post(path, changed.body)).body == changed.body);
    CHECK(world.send(post(path, R"({"rank":"a","conditions":[{"type":"device","value":"x"}]})")).summary() ==
          "403 InvalidFormat rule: InvalidFormat rank, InvalidFormat conditions[0].value");
    CHECK(world.send(post(path, R"({"destination":"javascript:alert`1`"})")).summary() ==
          "403 InvalidFormat rule: InvalidFormat destination");
}

TEST_CASE("a rule is deleted, or all of them", "[link_rules]") {
    RuleWorld world;
    const auto first = world.make(mobile), second = world.make(mobile);
    world.make(mobile);
    CHECK(world.send(del(world.path + "/" + first)).body == "{}");
    CHECK(world.send(del(world.path + "/" + first)).summary() == "404 NotFound rule");
    CHECK(world.send(get(world.path + "/" + first)).summary() == "404 NotFound rule");
    CHECK(world.send(post(world.path + "/" + first, "{}")).summary() == "404 NotFound rule");
    CHECK(world.send(get(world.path + "/x")).at("id") == "x");
    CHECK(world.send(get(world.path)).json.as_array().size() == 2);
    CHECK(world.send(del(world.path)).body == "{}");
    CHECK(world.send(del(world.path)).body == "{}");
    CHECK(world.send(get(world.path)).body == "[]");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("rules are made from a form too", "[link_rules]") {
    RuleWorld world;
    const auto made = world.send(
        post_form(world.path,
                  "destination=https://example.com/&conditions[0][type]=device&conditions[0][value]=mobile"));
    INFO(made.body);
    CHECK(made.at("condition.and.0.property") == "req.device");
}

TEST_CASE("a rule of another link is not found there", "[link_rules]") {
    RuleWorld world;
    const auto rule = world.make(mobile);
    const auto other = "/links/" + world.link_id("other") + "/rules/" + rule;
    for (const auto& call : {get(other), post(other, "{}"), del(other)})
        CHECK(world.send(call).summary() == "404 NotFound rule");
    CHECK(world.send(get(world.path)).json.as_array().size() == 1);
}

TEST_CASE("the link and its state come before a rule and the body", "[link_rules]") {
    RuleWorld world;
    world.make(mobile);
    world.send(del("/links/" + world.id));
    for (const auto& call : {get(world.path), post(world.path, "{}"), del(world.path), get(world.path + "/x"),
                             post(world.path + "/x", "[]"), del(world.path + "/x")})
        CHECK(world.send(call).summary() == "403 DeletedLink link");
    CHECK(world.send(post("/links/x/rules", "{}")).summary() == "404 NotFound link");
}

TEST_CASE("a guest makes and changes rules of its own links only", "[link_rules]") {
    RuleWorld world;
    const auto rule = world.make(mobile);
    const auto guest = world.colleague(Role::guest);
    const auto as_guest = [&](Call call) {
        return world.send(std::move(call).with("Workspace", world.workspace_id()).as(guest.key));
    };
    const auto own = as_guest(post("/links", R"({"destination":"https://example.com/"})")).at("id");
    const auto made = as_guest(post("/links/" + own + "/rules", mobile)).at("id");
    CHECK(as_guest(post("/links/" + own + "/rules/" + made, R"({"rank":1})")).status == 200);
    CHECK(as_guest(del("/links/" + own + "/rules/" + made)).status == 200);
    CHECK(as_guest(del("/links/" + own + "/rules")).status == 200);
    CHECK(as_guest(get(world.path)).status == 200);
    for (const auto& call : {post(world.path, mobile), del(world.path), post(world.path + "/" + rule, "{}"),
                             del(world.path + "/" + rule)})
        CHECK(as_guest(call).summary() == "403 Forbidden link");
}

TEST_CASE("rules need the feature links.rules to be made and changed, not to be read or deleted",
          "[link_rules]") {
    RuleWorld world;
    const auto rule = world.make(mobile);
    must(world.operate([&](SystemContext& system) -> Result<void> {
        const auto was = TRY(schema().accounts.find(system.txn, world.installed.account.id.view())).value();
        auto now = was;
        now.revoked_features = {"links.rules"};
        return schema().accounts.update(system.txn, was, now);
    }));
    CHECK(world.send(post(world.path, "{}")).summary() == "403 FeatureNotIncluded links.rules");
    CHECK(world.send(post(world.path + "/" + rule, "{}")).summary() == "403 FeatureNotIncluded links.rules");
    CHECK(world.send(get(world.path)).status == 200);
    CHECK(world.send(del(world.path + "/" + rule)).status == 200);
}
