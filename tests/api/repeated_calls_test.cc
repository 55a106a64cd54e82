// Calls with an Idempotency-Key, which may be sent again.
#include "tests/api/api_world.h"
#include "tests/support/must.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace slashpost;
using namespace slashpost::test;

namespace {

constexpr std::string_view a_key = "2f4a6a4c-9e0f-4c2e-8f0d-6a1b1a1f0c11";

Call with_key(Call call, std::string_view key = a_key) {
    return std::move(call).with("Idempotency-Key", key);
}

Call new_link(std::string_view json = R"({"destination":"https://example.com/"})") {
    return post("/links", json);
}

std::string links(ApiWorld& world) { return world.send(get("/links/count")).at("count"); }

// Whether the bytes stand anywhere in the store.
bool is_in_store(ApiWorld& world, std::string_view bytes) {
    bool found = false;
    must(world.engine->read([&](data::View& view) -> Result<void> {
        for (const auto& one : space::all)
            TRY(view.scan(one, {}, data::Order::forward, [&](data::BytesView key, data::BytesView value) {
                found = found || key.find(bytes) != key.npos || value.find(bytes) != value.npos;
                return true;
            }));
        return {};
    }));
    return found;
}

} // namespace

TEST_CASE("a call that comes again is done once, and answered as before", "[repeated]") {
    ApiWorld world;
    const auto first = world.send(with_key(new_link()));
    CHECK(first.status == 200);
    CHECK(first.header("Idempotent-Replayed").empty());
    world.clock.advance_seconds(60);
    const auto again = world.send(with_key(new_link()));
    CHECK(again.status == 200);
    CHECK(again.header("Idempotent-Replayed") == "true");
    CHECK(again.body == first.body);
    CHECK(links(world) == "1");
    CHECK(world.send(with_key(new_link(), "another")).at("id") != first.at("id"));
    CHECK(world.send(new_link()).at("id") != first.at("id"));
    CHECK(links(world) == "3");
}

TEST_CASE("every method that writes may be repeated", "[repeated]") {
    ApiWorld world;
    const auto id = world.link_id("one");
    const Call calls[] = {post("/links/" + id, R"({"title":"New"})"),
                          patch("/links/" + id, R"({"title":"Newer"})"),
                          get("/links/new?destination=https://example.com/"), del("/links/" + id)};
    int number = 0;
    for (const auto& call : calls) {
        const auto key = fmt::format("call {}", ++number);
        if (call.method == http::Method::patch && world.send(call).status == 405)
            continue;
        const auto dashed = fmt::format("call-{}", number);
        const auto first = world.send(with_key(call, dashed));
        INFO(call.target << " " << first.body);
        CHECK(first.status == 200);
        const auto again = world.send(with_key(call, dashed));
        CHECK(again.body == first.body);
        CHECK(again.header("Idempotent-Replayed") == "true");
    }
    CHECK(links(world) == "1"); // the one that GET made
}

TEST_CASE("a key may stand in quotation marks, as the standard has it, or bare", "[repeated]") {
    ApiWorld world;
    const auto first = world.send(with_key(new_link(), R"("abc")"));
    CHECK(world.send(with_key(new_link(), "abc")).body == first.body);
    CHECK(links(world) == "1");
}

TEST_CASE("another call with the key of one is refused, and changes nothing", "[repeated]") {
    ApiWorld world;
    world.send(with_key(new_link()));
    for (const auto& call : {new_link(R"({"destination":"https://example.com/other"})"),
                             new_link(R"({"destination": "https://example.com/"})"),
                             post("/links?x=1", R"({"destination":"https://example.com/"})"),
                             post("/tags", R"({"name":"t"})")}) {
        const auto refused = world.send(with_key(call));
        CHECK(refused.summary() == "422 IdempotencyKeyUsed request");
        CHECK(refused.at("message").find("a key of its own") != std::string::npos);
    }
    CHECK(links(world) == "1");
    CHECK(world.send(get("/tags")).body == "[]");
}

TEST_CASE("a call in another workspace is another call", "[repeated]") {
    ApiWorld world;
    world.send(with_key(new_link()));
    const auto other = world.send(post("/workspaces", R"({"name":"Other"})")).at("id");
    CHECK(world.send(with_key(new_link()).with("Workspace", other)).status == 422);
}

TEST_CASE("keys are each account's own", "[repeated][threat-18]") {
    ApiWorld world;
    const auto first = world.send(with_key(new_link()));
    const auto outsider = world.outsider();
    const auto theirs = world.send(with_key(new_link()).as(outsider.key));
    CHECK(theirs.status == 200);
    CHECK(theirs.at("id") != first.at("id"));
    CHECK(theirs.header("Idempotent-Replayed").empty());
}

TEST_CASE("an answer is not given to a caller who may not make the call any more", "[repeated][threat-18]") {
    ApiWorld world;
    const auto colleague = world.colleague(Role::guest);
    const auto call = [&] {
        return with_key(new_link()).as(colleague.key).with("Workspace", world.workspace_id());
    };
    CHECK(world.send(call()).status == 200);
    world.send(del("/workspaces/" + world.workspace_id() + "/teammates/" + colleague.account.id.hex()));
    CHECK(world.send(call()).summary() == "404 NotFound workspace");
}

TEST_CASE("a call that was refused changed nothing, and is made anew with the same key", "[repeated]") {
    ApiWorld world;
    const auto id = world.link_id("sale");
    const auto call = [] {
        return with_key(new_link(R"({"destination":"https://example.com/","slashtag":"sale"})"));
    };
    CHECK(world.send(call()).summary() == "403 InvalidFormat link: AlreadyExists slashtag");
    world.send(del("/links/" + id));
    CHECK(world.send(call()).status == 200);
    CHECK(world.send(call()).header("Idempotent-Replayed") == "true");
}

TEST_CASE("a key is good for a day", "[repeated]") {
    ApiWorld world;
    const auto first = world.send(with_key(new_link()));
    world.clock.advance_seconds(24 * 3600 - 1);
    CHECK(world.send(with_key(new_link())).body == first.body);
    world.clock.advance_seconds(1);
    CHECK(world.send(with_key(new_link())).at("id") != first.at("id"));
}

TEST_CASE("what is no key is told, and nothing is done", "[repeated]") {
    ApiWorld world;
    for (const auto& key : {std::string(), std::string("\"\""), std::string("two words"),
                            std::string("\xc3\xa4"), std::string(256, 'a')})
        CHECK(world.send(with_key(new_link(), key)).status == 400);
    CHECK(world.send(with_key(with_key(new_link()), "second")).status == 400);
    CHECK(links(world) == "0");
    CHECK(world.send(with_key(new_link(), std::string(255, 'a'))).status == 200);
}

TEST_CASE("a call that only reads takes no notice of a key", "[repeated]") {
    ApiWorld world;
    CHECK(world.send(with_key(get("/links/count"))).at("count") == "0");
    world.link_id("one");
    const auto again = world.send(with_key(get("/links/count")));
    CHECK(again.at("count") == "1");
    CHECK(again.header("Idempotent-Replayed").empty());
}

TEST_CASE("a new API key is told to a repetition, too, and is not in the store", "[repeated][threat-40]") {
    ApiWorld world;
    const auto call = [] { return with_key(post("/account/keys", R"({"name":"Till"})")); };
    const auto made = world.send(call());
    REQUIRE(made.status == 200);
    const auto key = made.at("key");
    CHECK(key.size() == 64);
    CHECK(world.send(call()).at("key") == key);
    CHECK_FALSE(is_in_store(world, key));
    CHECK_FALSE(is_in_store(world, a_key));
}
