// Apps and deep links over the wire (interface 4.6, wire "Parts of a link").
#include "tests/api/api_world.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::test;

namespace {

struct AppWorld : ApiWorld {
    std::string id = link_id("x");
    std::string path = "/links/" + id + "/apps";
};

} // namespace

TEST_CASE("the known apps are listed with what opens them", "[link_apps]") {
    AppWorld world;
    const auto apps = world.send(get("/apps"));
    CHECK(apps.json.as_array().size() == 36);
    CHECK(apps.column("id").find(" instagram ") != std::string::npos);
    CHECK(boost::json::serialize(apps.json.as_array().at(9)) ==
          R"({"id":"instagram","name":"Instagram","android":{"package":"com.instagram.android",)"
          R"("url":"intent://{path}#Intent;scheme=instagram;package=com.instagram.android;end"},)"
          R"("ios":{"id":"389801252","url":"instagram://{path}"}})");
}

TEST_CASE("deep links are set, replaced, listed and deleted", "[link_apps]") {
    AppWorld world;
    CHECK(world.send(get(world.path)).body == "[]");
    CHECK(world.send(post(world.path + "/youtube", R"({"path":"watch?v=1"})")).body ==
          R"({"id":"youtube","active":true,"path":"watch?v=1"})");
    world.send(post(world.path + "/spotify", R"({"path":"track/1"})"));
    CHECK(world.send(post(world.path + "/youtube", R"({"id":"x","active":false,"path":"watch?v=2"})")).body ==
          R"({"id":"youtube","active":false,"path":"watch?v=2"})");
    CHECK(world.send(get(world.path)).body == R"([{"id":"youtube","active":false,"path":"watch?v=2"},)"
                                              R"({"id":"spotify","active":true,"path":"track/1"}])");
    CHECK(world.send(del(world.path + "/youtube")).body == "{}");
    CHECK(world.send(del(world.path + "/youtube")).body == "{}");
    CHECK(world.send(get(world.path)).column("id") == "spotify");
    CHECK(world.send(del(world.path)).body == "{}");
    CHECK(world.send(del(world.path)).body == "{}");
    CHECK(world.send(get(world.path)).body == "[]");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a deep link's path is 1 to 2,048 characters without a number sign", "[link_apps]") {
    AppWorld world;
    const auto set = [&](const std::string& path) {
        return world.send(post(world.path + "/x", R"({"path":")" + path + R"("})")).summary();
    };
    CHECK(set(std::string(2048, 'a')) == "200");
    CHECK(set(std::string(2049, 'a')) == "403 InvalidFormat app: InvalidLength path");
    CHECK(set("") == "403 InvalidFormat app: RequiredField path");
    CHECK(set("a#b") == "403 InvalidFormat app: InvalidFormat path");
    CHECK(set("a\\nb") == "403 InvalidFormat app: InvalidFormat path");
    CHECK(world.send(post(world.path + "/x", R"({"path":5,"active":"no"})")).summary() ==
          "403 InvalidFormat app: InvalidFormat path, InvalidFormat active");
}

TEST_CASE("an app that is not known is not found, before the state of the link and the body", "[link_apps]") {
    AppWorld world;
    world.send(post(world.path + "/x", R"({"path":"a"})"));
    CHECK(world.send(post(world.path + "/none", "{}")).summary() == "404 NotFound app");
    CHECK(world.send(post(world.path + "/none", "{}")).at("id") == "none");
    CHECK(world.send(del(world.path + "/none")).summary() == "404 NotFound app");
    CHECK(world.send(post("/links/x/apps/x", "{}")).summary() == "404 NotFound link");
    world.send(del("/links/" + world.id));
    CHECK(world.send(post(world.path + "/none", "{}")).summary() == "404 NotFound app");
    for (const auto& call :
         {get(world.path), post(world.path + "/x", "[]"), del(world.path + "/x"), del(world.path)})
        CHECK(world.send(call).summary() == "403 DeletedLink link");
}

TEST_CASE("a guest sets deep links of its own links only", "[link_apps]") {
    AppWorld world;
    const auto guest = world.colleague(Role::guest);
    const auto as_guest = [&](Call call) {
        return world.send(std::move(call).with("Workspace", world.workspace_id()).as(guest.key));
    };
    const auto own = as_guest(post("/links", R"({"destination":"https://example.com/"})")).at("id");
    CHECK(as_guest(post("/links/" + own + "/apps/x", R"({"path":"a"})")).status == 200);
    for (const auto& call :
         {post(world.path + "/x", R"({"path":"a"})"), del(world.path + "/x"), del(world.path)})
        CHECK(as_guest(call).summary() == "403 Forbidden link");
}
