// What is posted back as it was read says nothing, whatever became of it or of the caller's rights since
// (wire "Transport").
#include "tests/api/api_world.h"
#include "tests/support/workspaces.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace slashpost;
using namespace slashpost::test;

namespace {

namespace json = boost::json;

// The object with other members, each "name": value.
std::string with(const Answer& answer, std::string_view members) {
    auto object = answer.json.as_object();
    const auto more = json::parse("{" + std::string(members) + "}");
    for (const auto& [name, value] : more.as_object())
        object[name] = value;
    return json::serialize(object);
}

} // namespace

TEST_CASE("of two spellings of a link's domain the one that is not as it was counts", "[whole]") {
    ApiWorld world;
    const auto old = world.installed.domain.id.hex();
    const auto one = world.domain("one.example").id.hex();
    const auto two = world.domain("two.example").id.hex();
    const auto moved = [&](const std::string& members) {
        const auto link = world.link(R"({"destination":"https://example.com/"})");
        const auto answer = world.send(post("/links/" + link.at("id"), with(link, members)));
        return answer.status == 200 ? answer.at("domainName") : answer.summary();
    };
    const auto id = [](const std::string& value) { return fmt::format(R"("id":"{}")", value); };
    CHECK(moved("") == "go.example.com");
    CHECK(moved(fmt::format(R"("domain":{{{}}})", id(one))) == "one.example");
    CHECK(moved(R"("domain":{"fullName":"one.example"})") == "one.example");
    CHECK(moved(R"("domain":"one.example")") == "one.example");
    CHECK(moved(fmt::format(R"("domain":{{"ref":"/domains/{}"}})", one)) == "one.example");
    CHECK(moved(fmt::format(R"("domain":{{{},"fullName":"one.example"}})", id(old))) == "one.example");
    CHECK(moved(fmt::format(R"("domain":{{{},"fullName":"go.example.com"}})", id(one))) == "one.example");
    CHECK(moved(fmt::format(R"("domain":{{{},"fullName":"GO.example.com"}})", id(one))) == "one.example");
    CHECK(moved(fmt::format(R"("domain":{{{},"ref":"/domains/{}"}})", id(old), one)) == "one.example");
    CHECK(moved(fmt::format(R"("domainId":"{}")", one)) == "one.example");
    CHECK(moved(fmt::format(R"("domainId":"{}","domain":{{"fullName":"one.example"}})", one)) ==
          "one.example");
    CHECK(moved(fmt::format(R"("domainId":"{}","domain":{{"fullName":"two.example"}})", one)) ==
          "403 InvalidFormat link: InvalidFormat domainId, InvalidFormat domain.fullName");
    CHECK(moved(fmt::format(R"("domainId":"{}","domain":{{{}}})", one, id(two))) ==
          "403 InvalidFormat link: InvalidFormat domainId, InvalidFormat domain.id");
    CHECK(moved(R"("domain":"nowhere.example")") == "404 NotFound domain");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a link is posted back whole by somebody who could not make it so", "[whole]") {
    ApiWorld world;
    world.settings.destination_schemes = {"myapp"};
    const auto domain =
        world.domain("one.example", {.length_min = 1, .length_max = 40, .case_sensitive = false});
    const auto tag = world.send(post("/tags", R"({"name":"print","color":"ff8800"})")).at("id");
    const auto script = world.send(post("/scripts", R"({"name":"pixel","value":"<p>"})")).at("id");
    const auto link = world.link(fmt::format(
        R"({{"destination":"myapp://x/y","domain":"one.example","slashtag":"ab","description":"abc","ttl":3600,)"
        R"("tags":["{}"],"scripts":["{}"],"favourite":true}})",
        tag, script));
    const auto path = "/links/" + link.at("id");
    const auto renamed = [&] {
        const auto answer = world.send(post(path, with(link, R"("title":"B")")));
        INFO(answer.body);
        return answer.status == 200 && answer.at("title") == "B" && answer.at("description") == "abc" &&
               answer.at("destination") == "myapp://x/y" && answer.at("domainName") == "one.example";
    };
    CHECK(renamed());
    world.settings.destination_schemes.clear();
    CHECK(renamed());
    world.set_domain(domain, {.slashtag_length_min = Change<std::uint32_t>::set(5)});
    CHECK(renamed());
    set_plan(world, {.features = Change<std::vector<std::string>>::set({"links.rules"})});
    CHECK(renamed());
    CHECK(world.send(post(path, R"({"description":"def"})")).summary() ==
          "403 FeatureNotIncluded links.notes");
    world.set_domain(domain, {.verified = Change<bool>::set(false), .active = Change<bool>::set(false)});
    CHECK(renamed());
    world.set_domain(domain, {.revoked = Change<bool>::set(true)});
    CHECK(renamed());
    world.clock.advance_seconds(7200); // expired meanwhile
    CHECK(renamed());
    CHECK(world.send(get(path)).at("status") == "expired");
    world.send(del("/tags/" + tag)); // still on the link's row
    world.send(del("/scripts/" + script));
    CHECK(renamed());
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a form may post back what it has not changed", "[whole]") {
    ApiWorld world;
    const auto link =
        world.link(R"({"destination":"https://example.com/a","slashtag":"a","description":"abc"})");
    set_plan(world, {.features = Change<std::vector<std::string>>::set({"links.rules"})});
    const auto form = [&](std::string_view more) {
        return world.send(
            post_form("/links/" + link.at("id"),
                      "description=abc&favourite=false&slashtag=a&domain[fullName]=go.example.com&" +
                          std::string(more)));
    };
    CHECK(form("title=B").at("title") == "B");
    CHECK(form("description=other").summary() == "403 FeatureNotIncluded links.notes");
}

TEST_CASE("a workspace is posted back whole without the feature for its time to live", "[whole]") {
    ApiWorld world;
    const auto path = "/workspaces/" + world.workspace_id();
    world.send(
        post(path, R"({"expiration":{"ttl":3600},"notes":"abc","avatarUrl":"https://example.com/a.png"})"));
    const auto workspace = world.send(get(path));
    set_plan(world, {.features = Change<std::vector<std::string>>::set({})});
    CHECK(world.send(post(path, with(workspace, R"("name":"Other")"))).at("name") == "Other");
    CHECK(world.send(get(path)).at("expiration.ttl") == "3600");
    CHECK(world.send(post(path, R"({"expiration":{"ttl":7200}})")).summary() ==
          "403 FeatureNotIncluded links.expiration");
}

TEST_CASE("a domain is posted back whole, though another leads to it since", "[whole]") {
    ApiWorld world;
    const auto made = world.send(post("/domains", R"({"fullName":"one.example"})"));
    const auto path = "/domains/" + made.at("id");
    world.send(patch(
        path, R"({"customHomepage":"https://other.example/","notFoundUrl":"https://other.example/no"})"));
    const auto domain = world.send(get(path));
    const auto changed = world.send(patch(path, with(domain, R"("redirectType":301)")));
    CHECK(changed.at("redirectType") == "301");
    CHECK(changed.at("customHomepage") == "https://other.example/");
    CHECK(changed.at("slashtag.maxLength") == domain.at("slashtag.maxLength"));
    CHECK(changed.at("active") == domain.at("active"));
}

TEST_CASE("parts of a link, tags and scripts are posted back whole", "[whole]") {
    ApiWorld world;
    world.settings.destination_schemes = {"myapp"};
    const auto id = world.link_id("a");
    const auto rule = world.send(post("/links/" + id + "/rules", R"({"destination":"myapp://x/y",
        "conditions":[{"type":"device","value":"mobile"}]})"));
    const auto wheel = world.link_id("w", R"(,"type":"rotator")");
    const auto arm =
        world.send(post("/links/" + wheel + "/rotator", R"({"destination":"myapp://x/y","weight":3})"));
    world.settings.destination_schemes.clear();

    const auto rule_path = fmt::format("/links/{}/rules/{}", id, rule.at("id"));
    CHECK(world.send(post(rule_path, with(rule, R"("rank":7)"))).at("rank") == "7");
    CHECK(world.send(post(rule_path, with(rule, R"("conditions":[{"type":"device","value":"tablet"}])")))
              .at("condition.and.0.values.0") == "tablet");
    CHECK(world
              .send(post(rule_path, R"({"conditions":[{"type":"device","value":"mobile"}],
              "condition":{"and":[{"property":"req.device","operator":"in","values":["desktop"]}]}})"))
              .summary() == "403 InvalidFormat rule: InvalidFormat condition, InvalidFormat conditions");

    const auto arm_path = fmt::format("/links/{}/rotator/{}", wheel, arm.at("id"));
    CHECK(world.send(post(arm_path, with(arm, R"("weight":5)"))).at("weight") == "5");
    CHECK(
        world.send(put(fmt::format("/links/{}/rotator", wheel), "[" + arm.body + "]")).at("0.destination") ==
        "myapp://x/y");
    CHECK(world.send(put(fmt::format("/links/{}/rotator", wheel), R"([{"destination":"myapp://x/y"}])"))
              .status == 403);

    const auto preview = world.send(post("/links/" + id + "/opengraph", R"({"title":"T","type":"website"})"));
    CHECK(world.send(post("/links/" + id + "/opengraph", with(preview, R"("title":"U")"))).at("type") ==
          "website");
    const auto tag = world.send(post("/tags", R"({"name":"print","color":"ff8800"})"));
    CHECK(world.send(post("/tags/" + tag.at("id"), with(tag, R"("name":"Poster")"))).at("color") == "ff8800");
    const auto script = world.send(post("/scripts", R"({"name":"pixel","value":"<p>"})"));
    CHECK(world.send(post("/scripts/" + script.at("id"), with(script, R"("name":"other")"))).at("value") ==
          "<p>");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a teammate's role may be posted as it is by an admin", "[whole]") {
    ApiWorld world;
    const auto admin = world.colleague(Role::admin);
    const auto other = world.colleague(Role::user);
    const auto path =
        fmt::format("/workspaces/{}/teammates/{}", world.workspace_id(), other.account.id.hex());
    const auto teammate = world.send(get(path));
    CHECK(world.send(post(path, teammate.body).as(admin.key)).at("role") == "user");
}
