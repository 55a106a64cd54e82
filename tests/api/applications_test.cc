// Applications of others over the API: registered, connected, cut off; and which calls are open to their
// tokens.
#include "http/api/resource_metadata.h"
#include "http/api/scopes.h"
#include "tests/api/api_world.h"
#include "tests/support/applications.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fmt/format.h>

using namespace slashpost;
using namespace slashpost::test;

namespace {

constexpr auto good =
    R"({"name":"Calendar","website":"https://app.example","redirects":["https://app.example/back"]})";

std::string token_for(ApiWorld& world, std::vector<AppScope> scopes, WorkspaceId workspace = {}) {
    return allow(world, make_application(world), std::move(scopes), workspace);
}

const api::Route& route_of(std::string_view operation) {
    for (const auto* list : api::all_routes())
        for (const auto& route : list->routes)
            if (route.operation_id == operation)
                return route;
    FAIL("no operation " << operation);
    std::abort();
}

std::string scope_of(std::string_view operation) {
    const auto needed = api::needed_scope(route_of(operation));
    return needed ? scope_text({*needed}) : "none";
}

} // namespace

TEST_CASE("an application is registered, changed, and deleted", "[oauth]") {
    ApiWorld world;
    const auto made = world.send(post("/account/applications", good));
    CHECK(made.status == 200);
    CHECK(made.at("name") == "Calendar");
    CHECK(made.at("confidential") == "false");
    CHECK(made.at("grants") == "0");
    CHECK(made.body.find("secret") == std::string::npos);
    const auto path = "/account/applications/" + made.at("id");
    CHECK(world.send(post(path, R"({"name":"Planner","legacyImplicit":true})")).at("name") == "Planner");
    CHECK(world.send(get(path)).at("legacyImplicit") == "true");
    CHECK(world.send(post(path + "/secret")).summary() == "403 WrongApplicationType application");
    CHECK(world.send(del(path)).status == 200);
    CHECK(world.send(get(path)).summary() == "404 NotFound application");
    CHECK(world.send(get("/account/applications")).body == "[]");
}

TEST_CASE("a confidential application's secret is shown once, and renewed", "[oauth][threat-40]") {
    ApiWorld world;
    const auto made = world.send(post(
        "/account/applications", R"({"name":"S","redirects":["https://app.example/"],"confidential":true})"));
    CHECK(made.at("secret").size() == 64);
    const auto path = "/account/applications/" + made.at("id");
    CHECK(world.send(get(path)).body.find("secret") == std::string::npos);
    const auto renewed = world.send(post(path + "/secret"));
    CHECK(renewed.at("secret").size() == 64);
    CHECK(renewed.at("secret") != made.at("secret"));
}

TEST_CASE("what is wrong with an application is told all at once", "[oauth]") {
    ApiWorld world;
    const auto tried = [&](std::string_view json) {
        return world.send(post("/account/applications", json)).summary();
    };
    CHECK(tried("{}") == "403 InvalidFormat application: RequiredField name, RequiredField redirects");
    CHECK(tried(R"({"name":"a","redirects":["http://app.example/"],"website":"javascript:1"})") ==
          "403 InvalidFormat application: InvalidFormat website, InvalidFormat redirects[0]");
    CHECK(tried(R"({"name":"a\nb","redirects":["https://app.example/"]})") ==
          "403 InvalidFormat application: InvalidFormat name");
}

TEST_CASE("applications of others are not there", "[oauth][threat-15]") {
    ApiWorld world;
    const auto id = world.send(post("/account/applications", good)).at("id");
    const auto other = world.outsider();
    for (auto call :
         {get("/account/applications/" + id), del("/account/applications/" + id),
          post("/account/applications/" + id, "{}"), post("/account/applications/" + id + "/secret")})
        CHECK(world.send(std::move(call).as(other.key)).summary() == "404 NotFound application");
    CHECK(world.send(get("/account/applications").as(other.key)).body == "[]");
    token_for(world, {AppScope::everything});
    const auto connected = world.send(get("/account/connections")).at("0.id");
    CHECK(world.send(del("/account/connections/" + connected).as(other.key)).summary() ==
          "404 NotFound connection");
}

TEST_CASE("an application that is cut off is refused at once", "[oauth][threat-17]") {
    ApiWorld world;
    const auto token = token_for(world, {AppScope::links_read});
    CHECK(world.send(get("/links").anonymous().with("Authorization", "Bearer " + token)).status == 200);
    const auto listed = world.send(get("/account/connections"));
    CHECK(listed.column("name") == "App");
    CHECK(listed.at("0.registeredBy") == "admin");
    CHECK(world.send(del("/account/connections/" + listed.at("0.id"))).status == 200);
    CHECK(world.send(get("/links").anonymous().with("Authorization", "Bearer " + token)).status == 401);
    CHECK(world.send(get("/account/connections")).body == "[]");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("each call needs the scope of what it is about", "[oauth][threat-18]") {
    CHECK(scope_of("listLinks") == "links:read");
    CHECK(scope_of("searchLinksByBody") == "links:read");
    CHECK(scope_of("createLink") == "links:write");
    CHECK(scope_of("attachTag") == "links:write");
    CHECK(scope_of("getLinkStatistics") == "stats:read");
    CHECK(scope_of("getWorkspaceStatistics") == "stats:read");
    CHECK(scope_of("createTag") == "tags:write");
    CHECK(scope_of("listScripts") == "scripts:read");
    CHECK(scope_of("listDomains") == "domains:read");
    CHECK(scope_of("registerDomain") == "domains:write");
    CHECK(scope_of("createConversion") == "conversions:write");
    CHECK(scope_of("getEvents") == "events:read");
    CHECK(scope_of("createWebhook") == "webhooks:write");
    CHECK(scope_of("inviteTeammates") == "teammates:write");
    CHECK(scope_of("listTeammates") == "teammates:read");
    CHECK(scope_of("updateWorkspace") == "workspaces:write");
    for (const auto* closed :
         {"listKeys", "createKey", "deleteKey", "listSessions", "deleteSession", "listApplications",
          "createApplication", "renewApplicationSecret", "listConnections", "deleteConnection"})
        CHECK(scope_of(closed) == "none");
}

TEST_CASE("a token does what its scopes say, and rbapi all but what is left to people",
          "[oauth][threat-18]") {
    ApiWorld world;
    const auto with = [&](const std::string& token, Call call) {
        return world.send(std::move(call).anonymous().with("Authorization", "Bearer " + token));
    };
    const auto reader = token_for(world, {AppScope::links_read});
    CHECK(with(reader, get("/account")).status == 200);
    CHECK(with(reader, get("/links")).status == 200);
    const auto refused = with(reader, post("/links", R"({"destination":"https://example.com/"})"));
    CHECK(refused.summary() == "403 LimitedKey apikey");
    CHECK(refused.header("WWW-Authenticate") == R"(Bearer error="insufficient_scope", scope="links:write")");
    const auto all = token_for(world, {AppScope::everything});
    CHECK(with(all, post("/links", R"({"destination":"https://example.com/"})")).status == 200);
    CHECK(with(all, get("/tags")).status == 200);
    for (auto call : {get("/account/keys"), post("/account/keys", "{}"), get("/account/sessions"),
                      get("/account/applications"), get("/account/connections")})
        CHECK(with(all, std::move(call)).summary() == "403 LimitedKey apikey");
    CHECK(world.send(get("/links").as(all)).status == 200); // in the header apikey, too
}

TEST_CASE("a token in an address or a body is none", "[oauth][threat-40]") {
    ApiWorld world;
    const auto token = token_for(world, {AppScope::everything});
    CHECK(world.send(get("/links?apikey=" + token).anonymous()).status == 401);
    CHECK(world
              .send(post("/links",
                         fmt::format(R"({{"destination":"https://example.com/","apikey":"{}"}})", token))
                        .anonymous())
              .status == 401);
}

TEST_CASE("who shows no good token is told where there is one", "[oauth]") {
    Settings settings;
    settings.api_url = "https://api.example/v1";
    const http::Request request{.target = "/mcp", .host = "api.example", .headers = {}, .body = {}};
    CHECK(api::bearer_challenge(nullptr, request, false).value == "Bearer");
    CHECK(api::bearer_challenge(&settings, request, false).value == "Bearer");
    CHECK_FALSE(api::resource_metadata(settings, request));
    settings.dashboard_url = "https://links.example";
    CHECK(api::bearer_challenge(&settings, request, true).value ==
          R"(Bearer resource_metadata="https://api.example/.well-known/oauth-protected-resource/mcp", )"
          R"(error="invalid_token")");
    auto asked = request;
    asked.target = "/.well-known/oauth-protected-resource/mcp";
    const auto told = boost::json::parse(api::resource_metadata(settings, asked)->body);
    CHECK(told.at("resource").as_string() == "https://api.example/mcp");
    CHECK(told.at("authorization_servers").as_array().at(0).as_string() == "https://links.example");
    CHECK(api::scope_challenge(route_of("createTag"), &settings, request).value ==
          R"(Bearer error="insufficient_scope", scope="tags:write", )"
          R"(resource_metadata="https://api.example/.well-known/oauth-protected-resource/mcp")");
    CHECK(api::scope_challenge(route_of("listKeys"), &settings, request).value ==
          R"(Bearer error="insufficient_scope", )"
          R"(resource_metadata="https://api.example/.well-known/oauth-protected-resource/mcp")");
    CHECK(api::scope_challenge(route_of("listKeys"), nullptr, request).value ==
          R"(Bearer error="insufficient_scope")");
    ApiWorld world;
    const auto wrong =
        world.send(get("/links").anonymous().accepting("").with("Authorization", "Bearer wrong"));
    CHECK(wrong.header("WWW-Authenticate") == "Bearer");
    CHECK(wrong.at("code") == "Unauthorized"); // in JSON, unlike who shows a wrong apikey
    CHECK(world.send(get("/links").accepting("").as("wrong")).body == "Unauthorized");
}
