// Histories and audits, putting links back, and what is kept for how long.
#include "core/ops/events.h"

#include "core/ops/link_restore.h"
#include "core/ops/link_rules.h"
#include "tests/support/labels.h"
#include "tests/support/parts.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <thread>

using namespace slashpost;
using namespace slashpost::test;

namespace {

std::vector<Event> history(World& world, LinkId link, const PageRequest& page = {}) {
    std::vector<Event> out;
    for (auto& details : must(world.read(
             [&](Context& ctx) -> Result<std::vector<EventDetails>> {
                 return history_of_link(ctx, TRY(find_link(ctx, link)), page);
             },
             {.link = LinkState::any})))
        out.push_back(std::move(details.event));
    return out;
}

Result<LinkDetails> restore(World& world, LinkId link, EventId event) {
    return world.write(
        [&](Context& ctx) -> Result<LinkDetails> {
            return restore_link(ctx, TRY(find_link(ctx, link)), event.hex());
        },
        {.link = LinkState::any});
}

// Of the newest of these events of the link that has the type.
EventId event_of(World& world, LinkId link, EventType type) {
    for (const auto& event : history(world, link, {.limit = 100}))
        if (event.type == type)
            return event.id;
    FAIL("there is no such event");
    return {};
}

std::vector<std::string> titles_before(const std::vector<Event>& events) {
    std::vector<std::string> out;
    for (const auto& event : events)
        for (const auto& change : event.changes)
            if (change.name == "title" && !change.before.empty())
                out.push_back(change.before.front());
    return out;
}

void rename(World& world, LinkId link, std::string title) {
    world.clock.advance_seconds(1);
    must(world.update(link, {.title = Change<std::string>::set(std::move(title))}));
}

} // namespace

TEST_CASE("a link's history is paged from its newest event to its first", "[events]") {
    World world;
    const auto link = make_link(world, "a");
    make_link(world, "b");
    for (const auto* title : {"One", "Two", "Three"})
        rename(world, link.id, title);
    using Titles = std::vector<std::string>;
    CHECK(titles_before(history(world, link.id)) == Titles{"Two", "One", "Link a"});
    CHECK(history(world, link.id).size() == 4);
    const auto page = history(world, link.id, {.limit = 2});
    CHECK(titles_before(page) == Titles{"Two", "One"});
    CHECK(titles_before(history(world, link.id, {.last = page.back().id.hex()})) == Titles{"Link a"});
    CHECK(titles_before(history(world, link.id, {.direction = Direction::ascending})) ==
          Titles{"Link a", "One", "Two"});
    CHECK(titles_before(history(world, link.id, {.limit = 1, .offset = 1})) == Titles{"One"});
}

TEST_CASE("an audit tells what happened in the workspace, of the types that are asked for", "[events]") {
    World world;
    const auto ann = world.stranger("ann");
    const auto link = make_link(world, "a");
    make_tag(world, "Spring");
    must(world.remove(link.id));
    const auto audit = [&](const EventFilter& filter) {
        std::vector<EventType> out;
        for (const auto& details :
             must(world.read([&](Context& ctx) { return audit_of_workspace(ctx, filter, {}); }))) {
            out.push_back(details.event.type);
            if (!details.event.account.empty())
                CHECK(details.account->username == world.installed.account.username);
        }
        return out;
    };
    using Types = std::vector<EventType>;
    const auto all = audit({});
    REQUIRE(all.size() >= 3);
    CHECK(Types(all.begin(), all.begin() + 3) ==
          Types{EventType::link_deleted, EventType::tag_created, EventType::link_created});
    CHECK(audit({.types = {EventType::link_created, EventType::link_deleted}}) ==
          Types{EventType::link_deleted, EventType::link_created});
    const auto elsewhere = must(
        world.service.run(ann.caller, {}, {}, [](Context& ctx) { return audit_of_workspace(ctx, {}, {}); }));
    for (const auto& details : elsewhere)
        CHECK(details.event.workspace == ann.account.default_workspace);
}

TEST_CASE("an audit of some types has exactly their events, page by page, whatever lies between",
          "[events]") {
    World world;
    for (const auto* slashtag : {"a", "b", "c"}) {
        const auto link = make_link(world, slashtag);
        rename(world, link.id, "One");
        make_tag(world, slashtag);
        rename(world, link.id, "Two");
    }
    const EventFilter filter{.types = {EventType::tag_created, EventType::link_created,
                                       EventType::tag_created}}; // named twice, told once
    const auto page_of = [&](const PageRequest& page) {
        return must(world.read([&](Context& ctx) { return audit_of_workspace(ctx, filter, page); }));
    };
    using Names = std::vector<std::string>;
    const auto names_of = [](const std::vector<EventDetails>& page) {
        Names out;
        for (const auto& details : page)
            out.push_back(details.event.name);
        return out;
    };
    const auto first = page_of({.limit = 4});
    CHECK(names_of(first) == Names{"c", "go.example.com/c", "b", "go.example.com/b"});
    CHECK(names_of(page_of({.last = first.back().event.id.hex()})) == Names{"a", "go.example.com/a"});
    CHECK(names_of(page_of({.limit = 2, .offset = 3})) == Names{"go.example.com/b", "a"});
    CHECK(names_of(page_of({.limit = 1, .direction = Direction::ascending})) == Names{"go.example.com/a"});
}

TEST_CASE("a link is put back as it was before an event, over those that came after it", "[events]") {
    World world;
    const auto tag = make_tag(world, "Spring");
    const auto link = make_link(world, "a");
    must(change_label(world, attach_tag, link.id, tag));
    rename(world, link.id, "One");
    const auto second = event_of(world, link.id, EventType::link_updated);
    must(world.update(link.id, {.destination = Change<std::string>::set("https://example.org/"),
                                .slashtag = Change<std::string>::set("b"),
                                .description = Change<std::string>::set("Noted"),
                                .expires_at = Change<Timestamp>::set(world.clock.now().plus_seconds(60)),
                                .tags = Change<std::vector<TagId>>::set({})}));
    const auto back = must(restore(world, link.id, second)).link;
    CHECK(back.title == "Link a");
    CHECK(back.destination == "https://example.com/");
    CHECK(back.slashtag == "a");
    CHECK(back.description.empty());
    CHECK_FALSE(back.expires_at);
    CHECK(back.tags == std::vector{tag.id});
    CHECK(history(world, link.id, {.limit = 1}).front().type == EventType::link_updated);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("that a link begins to pass paths on is told, and taken back", "[events]") {
    World world;
    const auto link = make_link(world, "a");
    world.clock.advance_seconds(1);
    must(world.update(link.id, {.pass_path = Change<bool>::set(true)}));
    const auto told = history(world, link.id).front();
    REQUIRE(told.changes.size() == 1);
    CHECK(told.changes[0].name == "passPath");
    CHECK(told.changes[0].before == std::vector<std::string>{"false"});
    CHECK(told.changes[0].after == std::vector<std::string>{"true"});
    CHECK_FALSE(must(restore(world, link.id, told.id)).link.pass_path);
}

TEST_CASE("a deleted link comes back with its address, its tags that are left and its rules", "[events]") {
    World world;
    const auto kept = make_tag(world, "Kept"), gone = make_tag(world, "Gone");
    const auto link = make_link(world, "a");
    must(change_label(world, attach_tag, link.id, kept));
    must(change_label(world, attach_tag, link.id, gone));
    const auto rule = make_rule(world, link.id);
    must(world.remove(link.id));
    erase(world, gone);
    const auto back = must(restore(world, link.id, event_of(world, link.id, EventType::link_deleted))).link;
    CHECK(back.status == LinkStatus::active);
    CHECK(back.slashtag == "a");
    CHECK(back.tags == std::vector{kept.id});
    CHECK_FALSE(back.routing.empty());
    const auto rules = must(world.read([&](Context& ctx) -> Result<LinkParts> {
        return parts_of(ctx.view(), TRY(find_link(ctx, link.id)));
    }));
    CHECK(rules.rules == std::vector{rule});
    CHECK(history(world, link.id, {.limit = 1}).front().type == EventType::link_restored);
    run_jobs(world);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a deleted link does not come back to an address that another one has", "[events]") {
    World world;
    const auto link = make_link(world, "a");
    must(world.remove(link.id));
    make_link(world, "a");
    const auto refused = restore(world, link.id, event_of(world, link.id, EventType::link_deleted));
    REQUIRE_FALSE(refused.has_value());
    REQUIRE(refused.error().fields.size() == 1);
    CHECK(refused.error().fields[0].code == "AlreadyExists");
    CHECK(refused.error().fields[0].property == "slashtag");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a deleted link comes back only as far as the plan includes one more", "[events]") {
    World world;
    const auto link = make_link(world, "a");
    must(world.remove(link.id));
    make_link(world, "b");
    must(world.operate([&](SystemContext& system) -> Result<void> {
        const auto plan = TRY(schema().plans.find(system.txn, Plan::primary_of({.name = "default"})));
        Plan limited = plan.value_or(Plan{.name = "default"});
        limited.limits.links = 1;
        return plan ? schema().plans.update(system.txn, *plan, limited)
                    : schema().plans.insert(system.txn, limited);
    }));
    const auto refused = restore(world, link.id, event_of(world, link.id, EventType::link_deleted));
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code == "LimitReached");
}

TEST_CASE("a link is restored by an event of its own only, and not before it was made", "[events]") {
    World world;
    const auto link = make_link(world, "a"), other = make_link(world, "b");
    rename(world, other.id, "Other");
    for (const auto& [event, words] : {std::pair{event_of(world, link.id, EventType::link_created),
                                                 "made the link, so there was none before it"},
                                       {event_of(world, other.id, EventType::link_updated),
                                        "is not the id of an event in the link's history"},
                                       {EventId(), "is not the id of an event in the link's history"}}) {
        const auto refused = restore(world, link.id, event);
        REQUIRE_FALSE(refused.has_value());
        REQUIRE(refused.error().fields.size() == 1);
        CHECK(refused.error().fields[0].property == "event");
        CHECK(refused.error().fields[0].message == words);
    }
}

TEST_CASE("events are kept for as long as the settings say", "[events]") {
    World world;
    world.settings.events_kept_seconds = 3600;
    const auto link = make_link(world, "a");
    world.clock.advance_seconds(3600);
    rename(world, link.id, "One");
    const auto prune = [&] {
        while (must(world.operate([](SystemContext& system) { return prune_events(system); }))) {
        }
    };
    prune();
    CHECK(history(world, link.id).size() == 1);
    prune();
    CHECK(history(world, link.id).size() == 1);
    world.clock.advance_seconds(3601);
    prune();
    CHECK(history(world, link.id).empty());
    CHECK(world.inconsistency().empty());
}

namespace {

EventFeed feed(World& world, std::string_view last = {}, const EventFilter& filter = {},
               std::uint32_t limit = 100) {
    return must(world.read([&](Context& ctx) { return read_feed(ctx, filter, last, limit); }));
}

std::vector<std::string> names(const EventFeed& feed) {
    std::vector<std::string> out;
    for (const auto& details : feed.events)
        out.push_back(details.event.name);
    return out;
}

} // namespace

TEST_CASE("a feed goes on where it was, oldest first", "[events]") {
    using Names = std::vector<std::string>;
    World world;
    auto last = feed(world).last.hex();
    CHECK(names(feed(world, last)) == Names{});
    for (const auto* slashtag : {"a", "b", "c"})
        make_link(world, slashtag);
    const auto first = feed(world, last, {}, 2);
    CHECK(names(first) == Names{"go.example.com/a", "go.example.com/b"});
    CHECK(first.more);
    const auto second = feed(world, first.last.hex(), {}, 2);
    CHECK(names(second) == Names{"go.example.com/c"});
    CHECK_FALSE(second.more);
    CHECK(names(feed(world, second.last.hex())) == Names{});
    make_tag(world, "Spring");
    make_link(world, "d");
    CHECK(names(feed(world, second.last.hex(), {.types = {EventType::link_created}})) ==
          Names{"go.example.com/d"});
    CHECK(names(feed(world, second.last.hex())) == Names{"Spring", "go.example.com/d"});
}

TEST_CASE("a feed refuses a place behind which events are gone, and what is none", "[events]") {
    World world;
    world.settings.events_kept_seconds = 3600;
    const auto last = feed(world).last.hex();
    make_link(world, "a");
    const auto kept = feed(world, last).last.hex();
    world.clock.advance_seconds(3602);
    must(world.operate([](SystemContext& system) { return prune_events(system); }));
    CHECK(names(feed(world, kept)).empty());
    for (const auto& [place, words] :
         {std::pair{last, "is older than the events that are kept; begin without it"},
          {std::string("x"), "is not what an earlier answer says"}}) {
        const auto refused = world.read([&](Context& ctx) { return read_feed(ctx, {}, place, 1); });
        REQUIRE_FALSE(refused.has_value());
        REQUIRE(refused.error().fields.size() == 1);
        CHECK(refused.error().fields[0].property == "last");
        CHECK(refused.error().fields[0].message == words);
    }
}

TEST_CASE("who follows a feed while many write is told of everything, once and in order", "[events]") {
    World world;
    auto last = feed(world).last.hex();
    constexpr int writers = 4, links_each = 50;
    std::atomic<int> writing = writers;
    std::vector<std::jthread> threads;
    for (int writer = 0; writer < writers; ++writer)
        threads.emplace_back([&, writer] {
            for (int i = 0; i < links_each; ++i) // any of them may lose against others, and tries again
                while (!world
                            .create({.destination = "https://example.com/",
                                     .slashtag = fmt::format("w{}-{}", writer, i)})
                            .has_value()) {
                }
            --writing;
        });
    std::vector<EventId> told;
    for (bool more = true; more;) {
        more = writing > 0;
        const auto page = feed(world, last, {}, 7);
        for (const auto& details : page.events)
            told.push_back(details.event.id);
        last = page.last.hex();
        more = more || page.more;
    }
    CHECK(told.size() == writers * links_each);
    CHECK(std::ranges::is_sorted(told));
    CHECK(std::ranges::adjacent_find(told) == told.end());
}
