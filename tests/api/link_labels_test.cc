// Tags and scripts of links over the wire (interface 4.2, wire "Link").
#include "tests/api/api_world.h"
#include "tests/support/labels.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace slashpost;
using namespace slashpost::test;

namespace {

struct LabelWorld : ApiWorld {
    std::string tag = make_tag(*this, "a").id.hex();
    std::string other_tag = make_tag(*this, "b", "00aa00").id.hex();
    std::string script = make_script(*this, "s").id.hex();
    std::string id = link_id("x");

    std::string tags() { return send(get("/links/" + id + "/tags")).column("name"); }
    std::string scripts() { return send(get("/links/" + id + "/scripts")).column("name"); }
};

} // namespace

TEST_CASE("a link shows its tags and scripts", "[link_labels]") {
    LabelWorld world;
    const auto made = world.link(fmt::format(
        R"({{"destination":"https://example.com/","tags":["{}",{{"id":"{}","name":"?"}}],"scripts":["{}"]}})",
        world.other_tag, world.tag, world.script));
    const auto tags = fmt::format(R"([{{"id":"{}","name":"b","color":"00aa00","active":true,"clicks":0}},)"
                                  R"({{"id":"{}","name":"a","color":"ff8800","active":true,"clicks":0}}])",
                                  world.other_tag, world.tag);
    const auto scripts = fmt::format(R"([{{"id":"{}","name":"s"}}])", world.script);
    const auto path = "/links/" + made.at("id");
    for (const auto& shown : {made, world.send(get(path)), world.send(post(path, R"({"title":"t"})"))}) {
        CHECK(shown.at("tags") == tags);
        CHECK(shown.at("scripts") == scripts);
    }
    const auto list = world.send(get("/links?limit=1"));
    CHECK(list.at("0.tags") == tags);
    CHECK(list.at("0.scripts") == scripts);
}

TEST_CASE("a link is updated to exactly the tags and scripts that are sent", "[link_labels]") {
    LabelWorld world;
    const auto update = [&](const std::string& body) {
        return world.send(post("/links/" + world.id, body)).summary();
    };
    CHECK(update(fmt::format(R"({{"tags":["{}","{}"],"scripts":[{{"id":"{}"}}]}})", world.tag,
                             world.other_tag, world.script)) == "200");
    CHECK(world.tags() == "a b");
    CHECK(world.scripts() == "s");
    CHECK(update(world.send(get("/links/" + world.id)).body) == "200"); // as clients post it back
    CHECK(world.tags() == "a b");
    CHECK(update(R"({"tags":null,"scripts":""})") == "200");
    CHECK(world.tags() == "a b");
    CHECK(update(fmt::format(R"({{"tags":["{}"],"scripts":[]}})", world.other_tag)) == "200");
    CHECK(world.tags() == "b");
    CHECK(world.scripts().empty());
    CHECK(update(R"({"tags":["x",{"id":""},"0123456789abcdef0123456789abcdef"]})") ==
          "403 InvalidFormat link: InvalidFormat tags[1]");
    CHECK(update(R"({"tags":["x","0123456789abcdef0123456789abcdef"],"scripts":["y"]})") ==
          "403 InvalidFormat link: NotFound tags[0], NotFound tags[1], NotFound scripts[0]");
}

TEST_CASE("a link is made with 50 tags, not with 51", "[link_labels]") {
    LabelWorld world;
    const auto body_of = [&](int count) {
        std::string tags;
        for (int i = 0; i < count; ++i)
            tags += (i > 0 ? ",\"" : "\"") + world.tag + "\"";
        return R"({"destination":"https://example.com/","tags":[)" + tags + "]}";
    };
    CHECK(world.send(post("/links", body_of(50))).summary() == "200");
    CHECK(world.send(post("/links", body_of(51))).summary() == "403 InvalidFormat link: OutOfRange tags");
}

TEST_CASE("a link is made from a query with tags", "[link_labels]") {
    LabelWorld world;
    const auto made = world.send(get("/links/new?destination=https://example.com/&tags=" + world.tag + "," +
                                     world.other_tag + "&scripts[0]=" + world.script));
    CHECK(made.at("tags.1.name") == "b");
    CHECK(made.at("scripts.0.name") == "s");
}

TEST_CASE("tags are attached, listed and taken off, as often as one likes", "[link_labels]") {
    LabelWorld world;
    const auto at = [&](const std::string& tag) { return "/links/" + world.id + "/tags/" + tag; };
    CHECK(world.send(get("/links/" + world.id + "/tags")).body == "[]");
    CHECK(world.send(post(at(world.other_tag))).body == "{}");
    CHECK(world.send(post(at(world.tag), "{}")).body == "{}");
    CHECK(world.send(post(at(world.tag))).body == "{}");
    CHECK(world.tags() == "b a");
    CHECK(world.send(get("/links/" + world.id + "/tags?limit=1")).column("name") == "b");
    CHECK(world.send(get("/links/" + world.id + "/tags?limit=0")).summary() ==
          "403 InvalidFormat tag: OutOfRange limit");
    CHECK(world.send(get("/links/" + world.id + "/tags")).at("0").find("createdAt") != std::string::npos);
    CHECK(world.send(del(at(world.other_tag))).body == "{}");
    CHECK(world.send(del(at(world.other_tag))).body == "{}");
    CHECK(world.tags() == "a");
    CHECK(world.send(post(at("x"))).summary() == "404 NotFound tag");
    CHECK(world.send(del(at("x"))).summary() == "404 NotFound tag");
    CHECK(world.send(post("/links/x/tags/" + world.tag)).summary() == "404 NotFound link");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("scripts are attached, listed, counted and taken off", "[link_labels]") {
    LabelWorld world;
    const auto path = "/links/" + world.id + "/scripts";
    CHECK(world.send(get(path + "/count")).body == R"({"count":0})");
    CHECK(world.send(post(path + "/" + world.script)).body == "{}");
    CHECK(world.send(post(path + "/" + world.script)).body == "{}");
    CHECK(world.send(get(path + "/count")).body == R"({"count":1})");
    const auto listed = world.send(get(path));
    CHECK(listed.at("0.name") == "s");
    CHECK(listed.at("0.value") == "<script></script>");
    CHECK(world.send(get(path + "?orderBy=createdAt&orderDir=asc&limit=1")).column("name") == "s");
    CHECK(world.send(get(path + "?last=" + world.script)).body == "[]");
    CHECK(world.send(get(path + "?orderBy=value")).summary() ==
          "403 InvalidFormat script: InvalidFormat orderBy");
    CHECK(world.send(del(path + "/" + world.script)).body == "{}");
    CHECK(world.scripts().empty());
    CHECK(world.send(del(path + "/x")).summary() == "404 NotFound script");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a deleted link's tags and scripts are neither read nor changed", "[link_labels]") {
    LabelWorld world;
    const auto path = "/links/" + world.id;
    world.send(post(path + "/tags/" + world.tag));
    world.send(del(path));
    for (const auto& call : {get(path + "/tags"), get(path + "/scripts"), get(path + "/scripts/count"),
                             post(path + "/tags/" + world.tag), del(path + "/tags/" + world.tag),
                             post(path + "/scripts/" + world.script), del(path + "/scripts/" + world.script)})
        CHECK(world.send(call).summary() == "403 DeletedLink link");
    CHECK(world.send(get("/links?status.active=false&tag.id=" + world.tag)).column("slashtag") == "x");
    // What the path names must be there before the state of the link counts.
    CHECK(world.send(post(path + "/tags/x")).summary() == "404 NotFound tag");
}

TEST_CASE("a guest labels its own links only", "[link_labels]") {
    LabelWorld world;
    const auto guest = world.colleague(Role::guest);
    const auto as_guest = [&](Call call) {
        return world.send(std::move(call).with("Workspace", world.workspace_id()).as(guest.key));
    };
    const auto own =
        as_guest(post("/links", R"({"destination":"https://example.com/","tags":[")" + world.tag + R"("]})"));
    CHECK(own.at("tags.0.name") == "a");
    CHECK(as_guest(post("/links/" + own.at("id") + "/tags/" + world.other_tag)).summary() == "200");
    CHECK(as_guest(del("/links/" + own.at("id") + "/tags/" + world.tag)).summary() == "200");
    CHECK(as_guest(post("/links/" + own.at("id") + "/scripts/" + world.script)).summary() == "200");
    CHECK(as_guest(post("/links/" + world.id + "/tags/" + world.tag)).summary() == "403 Forbidden link");
    CHECK(as_guest(del("/links/" + world.id + "/tags/" + world.tag)).summary() == "403 Forbidden link");
    CHECK(as_guest(post("/tags", R"({"name":"c","color":"123456"})")).summary() == "403 Forbidden workspace");
    CHECK(as_guest(post("/scripts", R"({"name":"c","value":"x"})")).summary() == "403 Forbidden workspace");
}

TEST_CASE("links are listed and counted by their tags", "[link_labels]") {
    LabelWorld world;
    world.link_id("both", fmt::format(R"(,"tags":["{}","{}"])", world.tag, world.other_tag));
    world.link_id("one", fmt::format(R"(,"tags":["{}"])", world.tag));
    const auto list = [&](const std::string& query) {
        const auto count = world.send(get("/links/count" + query)).at("count");
        const auto links = world.send(get("/links" + query));
        CHECK(count == std::to_string(links.json.as_array().size()));
        return links.column("slashtag");
    };
    CHECK(list("?tag.id=" + world.tag) == "one both");
    CHECK(list("?tag[id]=" + world.other_tag) == "both");
    CHECK(list("?tag.id=" + world.other_tag + "," + world.tag) == "one both");
    CHECK(list("?tag.id=") == "one both x");
    CHECK(list("?tag.id=0123456789abcdef0123456789abcdef").empty());
    CHECK(world.send(get("/links?tag.id=x")).summary() == "403 InvalidFormat link: InvalidFormat tag.id");
    REQUIRE(world.send(del("/tags/" + world.tag)).status == 200);
    CHECK(list("?tag.id=" + world.tag).empty());
    CHECK(world.send(get("/links")).at("0.tags") == "[]");
    CHECK(run_jobs(world) == 1);
    CHECK(list("?tag.id=" + world.other_tag + "," + world.tag) == "both");
    CHECK(world.inconsistency().empty());
}
