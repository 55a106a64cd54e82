#include "tests/support/world.h"

#include "core/schema/click_orders.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::test;

namespace {

using enum Direction;

std::string slashtags(const Result<std::vector<LinkDetails>>& page) {
    REQUIRE(page.has_value());
    std::string out;
    for (const auto& details : *page)
        out += (out.empty() ? "" : " ") + details.link.slashtag;
    return out;
}

Link make(World& world, std::string slashtag, NewLink in = {}) {
    in.destination = "https://example.com/";
    in.slashtag = std::move(slashtag);
    world.clock.advance_seconds(1);
    auto made = world.create(std::move(in));
    REQUIRE(made.has_value());
    return made->link;
}

// What folding the click journal does to the totals of one link.
void click(World& world, const Link& link, std::int64_t clicks) {
    REQUIRE(world.engine
                ->transact([&](data::Txn& txn) -> Result<void> {
                    return add_settled_clicks(txn, link.workspace, link.id,
                                              {.clicks = clicks, .last_click_at = world.clock.time});
                })
                .has_value());
}

} // namespace

TEST_CASE("links are listed newest first, 25 at a time", "[links]") {
    World world;
    for (int i = 0; i < 30; ++i)
        make(world, "s" + std::to_string(i));
    const auto page = world.list({}, {});
    REQUIRE(page->size() == 25);
    CHECK(page->front().link.slashtag == "s29");
    CHECK(page->back().link.slashtag == "s5");
    const auto next = world.list({}, {.last = page->back().link.id.hex()});
    CHECK(slashtags(next) == "s4 s3 s2 s1 s0");
    CHECK(world.list({}, {.last = next->back().link.id.hex()})->empty());
    CHECK(slashtags(world.list({}, {.limit = 2, .offset = 3})) == "s26 s25");
}

TEST_CASE("links are ordered by every order of the wire, both ways", "[links]") {
    World world;
    const auto b = make(world, "B", {.title = "x"});
    const auto a = make(world, "a", {.title = "Z"});
    const auto c = make(world, "c", {.title = "Y"});
    world.clock.advance_seconds(1);
    REQUIRE(world.update(a.id, {}).has_value());
    click(world, c, 5);
    world.clock.advance_seconds(1);
    click(world, b, 2);
    const auto list = [&](std::string order, Direction direction) {
        return slashtags(world.list({}, {.order_by = std::move(order), .direction = direction}));
    };
    CHECK(list("createdAt", ascending) == "B a c");
    CHECK(list("createdAt", descending) == "c a B");
    CHECK(list("updatedAt", ascending) == "B c a");
    CHECK(list("title", ascending) == "B c a");
    CHECK(list("title", descending) == "a c B");
    CHECK(list("slashtag", ascending) == "a B c");
    CHECK(list("clicks", descending) == "c B a");
    CHECK(list("clicks", ascending) == "a B c");
    CHECK(list("lastClickAt", descending) == "B c a");
    CHECK(list("lastClickAt", ascending) == "a c B");
    const auto unknown = world.list({}, {.order_by = "colour"});
    REQUIRE_FALSE(unknown.has_value());
    CHECK(unknown.error().fields.at(0).property == "orderBy");
}

TEST_CASE("a list shows clicks and the last click", "[links]") {
    World world;
    const auto link = make(world, "a");
    click(world, link, 3);
    const auto page = world.list({}, {});
    CHECK(page->front().clicks == 3);
    CHECK(page->front().last_click_at == world.clock.time);
    CHECK(page->front().domain.full_name == "go.example.com");
    CHECK(page->front().creator.username == "admin");
}

TEST_CASE("each filter keeps what it names", "[links]") {
    World world;
    const auto other = world.domain("other.example.com");
    const auto strict = world.domain("strict.example.com", {.case_sensitive = true});
    make(world, "one");
    const auto day = world.clock.time;
    make(world, "two", {.domain = {.id = other.id}, .favourite = true});
    make(world, "One", {.domain = {.id = strict.id}});
    const auto gone = make(world, "gone");
    REQUIRE(world.remove(gone.id).has_value());
    const auto list = [&](const LinkFilter& filter) {
        CHECK(world.count(filter) == static_cast<std::int64_t>(world.list(filter, {})->size()));
        return slashtags(world.list(filter, {.direction = ascending}));
    };
    const auto creator = world.installed.account.id;
    CHECK(list({}) == "one two One");
    CHECK(list({.domains = {other.id}}) == "two");
    CHECK(list({.domains = {other.id, strict.id, other.id}}) == "two One");
    CHECK(list({.domain_names = {"Other.example.com"}}) == "two");
    CHECK(list({.domains = {strict.id}, .domain_names = {"other.example.com"}}).empty());
    CHECK(list({.domain_names = {"nowhere.example.com"}}).empty());
    CHECK(list({.slashtag = "ONE"}) == "one");
    CHECK(list({.slashtag = "One"}) == "one One");
    CHECK(list({.creators = {creator}}) == "one two One");
    CHECK(list({.creators = {AccountId()}}).empty());
    CHECK(list({.favourite = true}) == "two");
    CHECK(list({.favourite = false}) == "one One");
    CHECK(list({.domains = {other.id}, .favourite = false}).empty());
    CHECK(list({.active = false}) == "gone");
    CHECK(list({.created_from = day}) == "one two One");
    CHECK(list({.created_from = Timestamp{day.ms + 1}}) == "two One");
    CHECK(list({.created_until = day}).empty());
    CHECK(list({.created_until = Timestamp{day.ms + 1}}) == "one");
    CHECK(list({.creators = {creator}, .favourite = true, .created_from = day}) == "two");
}

TEST_CASE("a cursor stays valid when its link was deleted or changed", "[links]") {
    World world;
    std::vector<Link> links;
    for (const char* slashtag : {"a", "b", "c", "d"})
        links.push_back(make(world, slashtag));
    REQUIRE(world.remove(links[2].id).has_value());
    CHECK(slashtags(world.list({}, {.last = links[2].id.hex()})) == "b a");
    REQUIRE(world.update(links[1].id, {.slashtag = Change<std::string>::set("zz")}).has_value());
    CHECK(slashtags(world.list({}, {.last = links[1].id.hex()})) == "a");
}

TEST_CASE("a cursor that names no link of the workspace is refused on its property", "[links]") {
    World world;
    const auto other = world.stranger("other");
    const auto foreign = world.service.run(other.caller, {}, {.access = Access::write}, [](Context& ctx) {
        return create_link(ctx, {.destination = "https://example.com/"});
    });
    REQUIRE(foreign.has_value());
    for (const auto& last : {std::string("nonsense"), foreign->link.id.hex(), LinkId().hex()}) {
        const auto page = world.list({}, {.last = last});
        REQUIRE_FALSE(page.has_value());
        CHECK(page.error().fields.at(0) ==
              FieldError{"InvalidFormat", "last", "is not the id of a link of this workspace"});
    }
}

TEST_CASE("lists and counts hold nothing of other workspaces", "[links]") {
    World world;
    const auto other = world.stranger("other");
    make(world, "mine");
    const auto count =
        world.service.run(other.caller, {}, {}, [](Context& ctx) { return count_links(ctx, {}); });
    CHECK(count == 0);
    const auto list =
        world.service.run(other.caller, {}, {}, [](Context& ctx) { return list_links(ctx, {}, {}); });
    CHECK(list->empty());
}

TEST_CASE("pages by clicks join without a gap where the clicked links end", "[links]") {
    World world;
    for (int i = 0; i < 6; ++i) {
        const auto link = make(world, "s" + std::to_string(i));
        if (i % 2 == 0)
            click(world, link, 1 + i / 4);
    }
    for (const auto direction : {ascending, descending}) {
        std::string all, last;
        for (;;) {
            const auto page =
                world.list({}, {.limit = 1, .order_by = "clicks", .direction = direction, .last = last});
            if (page->empty())
                break;
            all += page->front().link.slashtag + " ";
            last = page->front().link.id.hex();
        }
        CHECK(all == (direction == ascending ? "s1 s3 s5 s0 s2 s4 " : "s4 s2 s0 s5 s3 s1 "));
    }
}
