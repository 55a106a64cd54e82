// ETag, If-None-Match and If-Match of single resources (RFC 9110, 8.8.3 and 13.1).
#include "core/schema/click_totals.h"
#include "tests/api/api_world.h"
#include "tests/support/must.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::test;

namespace {

std::string tag_of(ApiWorld& world, const std::string& path) { return world.send(get(path)).header("ETag"); }

void click(ApiWorld& world, const std::string& link) {
    must(world.operate([&](SystemContext& system) {
        return system.txn.add(
            link_clicks_tally(world.installed.account.default_workspace, LinkId::parse(link).value()), 1);
    }));
}

} // namespace

TEST_CASE("the answer about one thing carries a tag, which changes when the thing does",
          "[tags_of_resources]") {
    ApiWorld world;
    const auto path = "/links/" + world.link_id("sale");
    const auto first = tag_of(world, path);
    CHECK(first.size() == 35); // two hashes of 16 digits, a dot, the quotes
    CHECK(tag_of(world, path) == first);
    const auto changed = world.send(post(path, R"({"title":"New"})"));
    CHECK(changed.header("ETag") != first);
    CHECK(tag_of(world, path) == changed.header("ETag"));
    const auto domain = world.send(get("/domains")).at("0.id"),
               tag = world.send(post("/tags", R"({"name":"t"})")).at("id");
    for (const auto& other : {"/domains/" + domain, "/tags/" + tag, "/workspaces/" + world.workspace_id()})
        CHECK(tag_of(world, other).size() == 35);
    for (const auto* list : {"/links", "/links/count", "/tags", "/account/workspaces"})
        CHECK(tag_of(world, list).empty());
    CHECK(tag_of(world, "/links/none").empty());
}

TEST_CASE("who has the answer already is told so, without it", "[tags_of_resources]") {
    ApiWorld world;
    const auto path = "/links/" + world.link_id("sale");
    const auto tag = tag_of(world, path);
    for (const auto& known : {tag, "W/" + tag, "\"x\", " + tag, std::string("*")}) {
        const auto answer = world.send(get(path).with("If-None-Match", known));
        CHECK(answer.status == 304);
        CHECK(answer.body.empty());
        CHECK(answer.header("ETag") == tag);
    }
    CHECK(world.send(get(path).with("If-None-Match", "\"x\"")).status == 200);
    world.send(post(path, R"({"title":"New"})"));
    CHECK(world.send(get(path).with("If-None-Match", tag)).at("title") == "New");
}

TEST_CASE("a click makes another answer", "[tags_of_resources]") {
    ApiWorld world;
    const auto id = world.link_id("sale");
    const auto tag = tag_of(world, "/links/" + id);
    click(world, id);
    const auto answer = world.send(get("/links/" + id).with("If-None-Match", tag));
    CHECK(answer.status == 200);
    CHECK(answer.at("clicks") == "1");
    CHECK(answer.header("ETag") != tag);
}

TEST_CASE("a change that is to hold for what the client knows is refused when somebody changed it since",
          "[tags_of_resources]") {
    ApiWorld world;
    const auto id = world.link_id("sale");
    const auto path = "/links/" + id;
    const auto known = tag_of(world, path);
    CHECK(world.send(post(path, R"({"title":"Ann's"})").with("If-Match", known)).status == 200);
    for (const auto& call : {post(path, R"({"title":"Ben's"})"), del(path)}) {
        const auto refused = world.send(Call(call).with("If-Match", known));
        CHECK(refused.summary() == "412 PreconditionFailed request");
        CHECK(refused.at("message").find("somebody changed it") != std::string::npos);
    }
    const auto now = world.send(get(path));
    CHECK(now.at("title") == "Ann's");
    CHECK(now.at("status") == "active");
    CHECK(world.send(del(path).with("If-Match", now.header("ETag"))).status == 200);
}

TEST_CASE("clicks keep nobody from a change on a condition", "[tags_of_resources]") {
    ApiWorld world;
    const auto id = world.link_id("sale");
    const auto known = tag_of(world, "/links/" + id);
    click(world, id);
    CHECK(tag_of(world, "/links/" + id) != known);
    CHECK(world.send(post("/links/" + id, R"({"title":"New"})").with("If-Match", known)).status == 200);
}

TEST_CASE("the account, and a link's preview and rotator, have tags as what has an id of its own",
          "[tags_of_resources]") {
    ApiWorld world;
    const auto link = "/links/" + world.link_id("sale"),
               rotator = "/links/" + world.link_id("turns", R"(,"type":"rotator")") + "/rotator";
    for (const auto& path : {std::string("/account"), link + "/opengraph", rotator}) {
        INFO(path);
        const auto tag = tag_of(world, path);
        CHECK(tag.size() == 35);
        const auto known = world.send(get(path).with("If-None-Match", tag));
        CHECK(known.status == 304);
        CHECK(known.body.empty());
        CHECK(world.send(get(path).with("If-None-Match", "\"x\"")).status == 200);
    }
    const auto before = tag_of(world, "/account");
    world.send(post("/tags", R"({"name":"t"})"));
    CHECK(tag_of(world, "/account") != before); // it tells how many tags there are
}

TEST_CASE("a preview is changed and taken away only as long as it is as the client knows it",
          "[tags_of_resources]") {
    ApiWorld world;
    const auto path = "/links/" + world.link_id("sale") + "/opengraph";
    const auto none = tag_of(world, path);
    const auto first = world.send(post(path, R"({"title":"Ann's"})").with("If-Match", none));
    CHECK(first.at("title") == "Ann's");
    CHECK(first.header("ETag") == tag_of(world, path));
    for (const auto& call : {post(path, R"({"title":"Ben's"})"), del(path)})
        CHECK(world.send(Call(call).with("If-Match", none)).summary() == "412 PreconditionFailed request");
    CHECK(world.send(get(path)).at("title") == "Ann's");
    CHECK(world.send(del(path).with("If-Match", first.header("ETag"))).status == 200);
    CHECK(tag_of(world, path) == none);
}

TEST_CASE(
    "rules of a rotator are added, replaced and taken away only as long as it is as the client knows it",
    "[tags_of_resources]") {
    ApiWorld world;
    const auto path = "/links/" + world.link_id("turns", R"(,"type":"rotator")") + "/rotator";
    const auto none = tag_of(world, path);
    const auto one = R"({"destination":"https://example.com/a"})";
    CHECK(world.send(post(path, one).with("If-Match", none)).status == 200);
    const std::string rules = R"([{"destination":"https://example.com/b"}])";
    for (const auto& call : {post(path, one), put(path, rules), del(path)})
        CHECK(world.send(Call(call).with("If-Match", none)).summary() == "412 PreconditionFailed request");
    CHECK(world.send(get(path)).column("destination") == "https://example.com/a");
    const auto replaced = world.send(put(path, rules).with("If-Match", tag_of(world, path)));
    CHECK(replaced.column("destination") == "https://example.com/b");
    CHECK(replaced.header("ETag") == tag_of(world, path));
    CHECK(world.send(del(path).with("If-Match", replaced.header("ETag"))).status == 200);
    CHECK(tag_of(world, path) == none);
}

TEST_CASE("a condition names one of several tags, or asks that there is anything", "[tags_of_resources]") {
    ApiWorld world;
    const auto path = "/links/" + world.link_id("sale");
    const auto change = [&](std::string_view condition) {
        return world.send(post(path, R"({"favourite":true})").with("If-Match", condition)).status;
    };
    CHECK(change("*") == 200);
    const auto known = tag_of(world, path);
    CHECK(change("\"x\", " + known) == 200);
    CHECK(change("W/" + known) == 412);
    CHECK(change(known.substr(1)) == 412);
    CHECK(change("\"x\"") == 412);
    CHECK(change("") == 412);
    CHECK(world.send(post("/links/0123", R"({"title":"a"})").with("If-Match", "*")).summary() ==
          "404 NotFound link");
}

TEST_CASE("a condition on what GET does not answer is told, and nothing is done", "[tags_of_resources]") {
    ApiWorld world;
    CHECK(world.send(post("/links", R"({"destination":"https://example.com/"})").with("If-Match", "*"))
              .status == 400);
    CHECK(world.send(get("/links/count")).at("count") == "0");
    CHECK(world.send(get("/links/count").with("If-Match", "\"x\"")).status == 200);
}

TEST_CASE("a repetition is answered as before, whatever has become of its condition",
          "[tags_of_resources][repeated]") {
    ApiWorld world;
    const auto path = "/links/" + world.link_id("sale");
    const auto known = tag_of(world, path);
    const auto call = [&] {
        return post(path, R"({"title":"New"})").with("If-Match", known).with("Idempotency-Key", "abc");
    };
    const auto first = world.send(call());
    CHECK(first.status == 200);
    const auto again = world.send(call());
    CHECK(again.status == 200);
    CHECK(again.body == first.body);
    CHECK(again.header("Idempotent-Replayed") == "true");
}
