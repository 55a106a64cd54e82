// Links as a file, over the API.
#include "tests/api/api_world.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>

using namespace slashpost;
using namespace slashpost::test;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> out;
    for (std::size_t at = 0; at < text.size();) {
        const auto end = std::min(text.find('\n', at), text.size());
        out.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return out;
}

} // namespace

TEST_CASE("links are exported as comma-separated values, oldest first", "[export]") {
    ApiWorld world;
    const auto first = world.link_id("one", R"~(,"title":"=SUM(A1)","favourite":true,"externalId":"a,1")~");
    world.clock.advance_seconds(1);
    const auto second = world.link_id("two", R"(,"title":"a, \"b\"")");
    const auto answer = world.send(get("/links/export"));
    CHECK(answer.status == 200);
    CHECK(answer.header("Content-Type") == "text/csv; charset=utf-8");
    CHECK(answer.header("Content-Disposition") == "attachment; filename=\"links\"");
    const auto made = world.send(get("/links/" + first)).at("createdAt");
    const auto lines = lines_of(answer.body);
    REQUIRE(lines.size() == 3);
    CHECK(lines[0] ==
          "id,domain,slashtag,destination,title,description,tags,status,favourite,createdAt,expiresAt,"
          "expiredUrl,passPath,clicks,sessions,lastClickAt,externalId\r");
    CHECK(lines[1] == first + ",go.example.com,one,https://example.com/,'=SUM(A1),,,active,true," + made +
                          ",,,false,0,0,,\"a,1\"\r");
    CHECK(lines[2].starts_with(second + R"(,go.example.com,two,https://example.com/,"a, ""b""",)"));
}

TEST_CASE("links are exported as JSON as lists have them, one a line", "[export]") {
    ApiWorld world;
    world.link_id("one");
    world.clock.advance_seconds(1);
    world.link_id("two");
    const auto answer = world.send(get("/links/export?format=jsonl"));
    CHECK(answer.header("Content-Type") == "application/jsonl");
    const auto list = world.send(get("/links?orderDir=asc"));
    const auto lines = lines_of(answer.body);
    REQUIRE(lines.size() == 2);
    CHECK(boost::json::parse(lines[0]) == list.json.at(0));
    CHECK(boost::json::parse(lines[1]) == list.json.at(1));
}

TEST_CASE("an export that names two workspaces is of neither", "[export]") {
    ApiWorld world;
    const auto call =
        get("/links/export?workspace=" + std::string(32, 'f')).with("Workspace", world.workspace_id());
    CHECK(world.send(call).summary() == "403 InvalidFormat workspace: InvalidFormat workspace");
}

TEST_CASE("an export has all links, however many parts it takes", "[export]") {
    ApiWorld world;
    for (const int count : {0, 1, 99, 100, 101, 200, 201}) {
        CAPTURE(count);
        while (static_cast<int>(lines_of(world.send(get("/links/export?format=jsonl")).body).size()) <
               count) {
            world.link_id(fmt::format("l{}", world.clock.now().ms));
            world.clock.advance_seconds(1);
        }
        const auto lines = lines_of(world.send(get("/links/export?format=jsonl")).body);
        CHECK(static_cast<int>(lines.size()) == count);
        CHECK(static_cast<int>(lines_of(world.send(get("/links/export")).body).size()) == count + 1);
        if (count > 1)
            CHECK(boost::json::parse(lines[0]).at("id").as_string() <
                  boost::json::parse(lines.back()).at("id").as_string());
    }
}

TEST_CASE("the filters of the list are those of the export", "[export]") {
    ApiWorld world;
    world.link_id("one", R"(,"favourite":true)");
    world.link_id("two");
    const auto gone = world.link_id("three");
    CHECK(world.send(del("/links/" + gone)).status == 200);
    const auto count = [&](const std::string& query) {
        return lines_of(world.send(get("/links/export?format=jsonl&" + query)).body).size();
    };
    CHECK(count("") == 2);
    CHECK(count("favourite=true") == 1);
    CHECK(count("slashtag=two") == 1);
    CHECK(count("dateTo=2001-01-01") == 0);
    CHECK(world.send(get("/links/export?format=xml")).summary().starts_with("403 InvalidFormat link"));
    CHECK(world.send(get("/links/export").anonymous()).status == 401);
}
