// Social previews over the wire (interface 4.1, wire "Parts of a link").
#include "tests/api/api_world.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::test;

namespace {

struct PreviewWorld : ApiWorld {
    std::string id = link_id("x");
    std::string path = "/links/" + id + "/opengraph";
};

} // namespace

TEST_CASE("a preview has exactly five fields, empty ones too; {} when there is none", "[link_opengraph]") {
    PreviewWorld world;
    CHECK(world.send(get(world.path)).body == "{}");
    const auto set = world.send(post(
        world.path, R"({"title":"T","description":"","image":"https://example.com/a.png","type":"website",)"
                    R"("locale":"en_US","url":"ignored"})"));
    CHECK(set.body == R"({"title":"T","description":"","image":"https://example.com/a.png","type":"website",)"
                      R"("locale":"en_US"})");
    CHECK(world.send(get(world.path)).body == set.body);
    CHECK(world.send(del(world.path)).body == "{}");
    CHECK(world.send(del(world.path)).body == "{}");
    CHECK(world.send(get(world.path)).body == "{}");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a change of a preview leaves what is absent, and an empty text takes away", "[link_opengraph]") {
    PreviewWorld world;
    CHECK(world.send(post(world.path, "{}")).body == "{}");
    CHECK(world.send(post(world.path, R"({"title":"","image":null})")).body == "{}");
    CHECK(world.send(get(world.path)).body == "{}");
    world.send(post(world.path, R"({"title":"T","type":"website"})"));
    CHECK(world.send(post(world.path, R"({"description":"D"})")).body ==
          R"({"title":"T","description":"D","image":"","type":"website","locale":""})");
    CHECK(world.send(post(world.path, R"({"title":""})")).body ==
          R"({"title":"","description":"D","image":"","type":"website","locale":""})");
    CHECK(world.send(post_form(world.path, "description=&type=article")).body ==
          R"({"title":"","description":"","image":"","type":"article","locale":""})");
    CHECK(world.send(post(world.path, R"({"type":null})")).body ==
          R"({"title":"","description":"","image":"","type":"","locale":""})");
    CHECK(world.send(post(world.path, "{}")).body == world.send(get(world.path)).body);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a preview's title has 255 characters, its description 2,000", "[link_opengraph]") {
    PreviewWorld world;
    const auto set = [&](const std::string& name, std::size_t length) {
        return world.send(post(world.path, R"({")" + name + R"(":")" + std::string(length, 'a') + R"("})"))
            .summary();
    };
    CHECK(set("title", 255) == "200");
    CHECK(set("title", 256) == "403 InvalidFormat opengraph: InvalidLength title");
    CHECK(set("description", 2000) == "200");
    CHECK(set("description", 2001) == "403 InvalidFormat opengraph: InvalidLength description");
    CHECK(set("type", 100) == "200");
    CHECK(set("type", 101) == "403 InvalidFormat opengraph: PatternMismatch type");
}

TEST_CASE("all broken fields of a preview are named at once", "[link_opengraph]") {
    PreviewWorld world;
    CHECK(world
              .send(post(world.path,
                         R"({"title":5,"image":"javascript:alert`1`","type":"<b>","locale":"English"})"))
              .summary() == "403 InvalidFormat opengraph: InvalidFormat title, PatternMismatch type, "
                            "PatternMismatch locale, InvalidFormat image");
    CHECK(world.send(get(world.path)).body == "{}");
}

TEST_CASE("a deleted link's preview is neither read nor changed", "[link_opengraph]") {
    PreviewWorld world;
    world.send(post(world.path, R"({"title":"T"})"));
    world.send(del("/links/" + world.id));
    for (const auto& call : {get(world.path), post(world.path, "[]"), del(world.path)})
        CHECK(world.send(call).summary() == "403 DeletedLink link");
}

TEST_CASE("a guest sets previews of its own links only", "[link_opengraph]") {
    PreviewWorld world;
    const auto guest = world.colleague(Role::guest);
    const auto as_guest = [&](Call call) {
        return world.send(std::move(call).with("Workspace", world.workspace_id()).as(guest.key));
    };
    const auto own = as_guest(post("/links", R"({"destination":"https://example.com/"})")).at("id");
    CHECK(as_guest(post("/links/" + own + "/opengraph", R"({"title":"T"})")).status == 200);
    CHECK(as_guest(post(world.path, R"({"title":"T"})")).summary() == "403 Forbidden link");
    CHECK(as_guest(del(world.path)).summary() == "403 Forbidden link");
}
