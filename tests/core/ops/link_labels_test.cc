// Tags and scripts on links: attaching, filters, and what readers see while an erased one is being taken off.
#include "tests/support/counting_engine.h"
#include "tests/support/labels.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::test;

namespace {

using enum Direction;

std::string tags_of(World& world, LinkId link) { return names(read_link(world, link).tags); }

std::string slashtags(World& world, const LinkFilter& filter, const PageRequest& page = {}) {
    std::string out;
    for (const auto& details : must(world.list(filter, page)))
        out += (out.empty() ? "" : " ") + details.link.slashtag;
    return out;
}

std::string code_of(const auto& result) { return result.has_value() ? "" : result.error().code; }

} // namespace

TEST_CASE("a tag is attached once and taken off again", "[link_labels]") {
    World world;
    const auto tag = make_tag(world, "a");
    const auto link = make_link(world, "x");
    world.clock.advance_seconds(10);
    for (int i = 0; i < 2; ++i) {
        REQUIRE(change_label(world, attach_tag, link.id, tag).has_value());
        CHECK(tags_of(world, link.id) == "a");
    }
    CHECK(read_link(world, link.id).link.updated_at == world.clock.time);
    world.clock.advance_seconds(10);
    REQUIRE(change_label(world, attach_tag, link.id, tag).has_value());
    CHECK(read_link(world, link.id).link.updated_at < world.clock.time); // nothing changed
    for (int i = 0; i < 2; ++i) {
        REQUIRE(change_label(world, detach_tag, link.id, tag).has_value());
        CHECK(tags_of(world, link.id).empty());
    }
    CHECK(read_link(world, link.id).link.updated_at == world.clock.time);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a script is attached once and taken off again", "[link_labels]") {
    World world;
    const auto script = make_script(world, "a");
    const auto link = make_link(world, "x");
    for (int i = 0; i < 2; ++i) {
        REQUIRE(change_label(world, attach_script, link.id, script).has_value());
        CHECK(names(read_link(world, link.id).scripts) == "a");
    }
    for (int i = 0; i < 2; ++i) {
        REQUIRE(change_label(world, detach_script, link.id, script).has_value());
        CHECK(read_link(world, link.id).scripts.empty());
    }
    CHECK(world.inconsistency().empty());
}

TEST_CASE("tags keep the order of attaching, and a page of them may be short", "[link_labels]") {
    World world;
    const auto link = make_link(world, "x");
    for (const auto* name : {"b", "c", "a"})
        REQUIRE(change_label(world, attach_tag, link.id, make_tag(world, name)).has_value());
    CHECK(tags_of(world, link.id) == "b c a");
    const auto first = world.read([&](Context& ctx) -> Result<std::vector<Tag>> {
        return tags_of_link(ctx, TRY(find_link(ctx, link.id)), 2);
    });
    CHECK(names(must(first)) == "b c");
}

TEST_CASE("a link has at most 50 tags, not counting those erased meanwhile", "[link_labels]") {
    World world;
    std::vector<TagId> ids;
    std::vector<Tag> tags;
    for (int i = 0; i < 51; ++i)
        tags.push_back(make_tag(world, "t" + std::to_string(i)));
    for (int i = 0; i < 50; ++i)
        ids.push_back(tags[static_cast<std::size_t>(i)].id);
    const auto link = make_link(world, "x", {.tags = ids});
    CHECK(read_link(world, link.id).tags.size() == 50);
    CHECK(code_of(change_label(world, attach_tag, link.id, tags[50])) == "LimitReached");
    CHECK(change_label(world, attach_tag, link.id, tags[49]).has_value()); // it has that one
    erase(world, tags[0]);
    CHECK(change_label(world, attach_tag, link.id, tags[50]).has_value());
    CHECK(read_link(world, link.id).tags.size() == 50);
    CHECK(read_link(world, link.id).tags.back().name == "t50");
    run_jobs(world);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a link is made with tags and scripts, and each twice named is there once", "[link_labels]") {
    World world;
    const auto a = make_tag(world, "a"), b = make_tag(world, "b");
    const auto script = make_script(world, "s");
    const auto link = make_link(world, "x", {.tags = {b.id, a.id, b.id}, .scripts = {script.id, script.id}});
    CHECK(tags_of(world, link.id) == "b a");
    CHECK(names(read_link(world, link.id).scripts) == "s");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("an update of tags and scripts leaves exactly the wanted ones", "[link_labels]") {
    World world;
    const auto a = make_tag(world, "a"), b = make_tag(world, "b");
    const auto script = make_script(world, "s");
    const auto link = make_link(world, "x", {.tags = {a.id}});
    REQUIRE(world
                .update(link.id, {.tags = Change<std::vector<TagId>>::set({b.id}),
                                  .scripts = Change<std::vector<ScriptId>>::set({script.id})})
                .has_value());
    CHECK(tags_of(world, link.id) == "b");
    CHECK(names(read_link(world, link.id).scripts) == "s");
    REQUIRE(world.update(link.id, {}).has_value());
    CHECK(tags_of(world, link.id) == "b");
    REQUIRE(world.update(link.id, {.tags = Change<std::vector<TagId>>::set({})}).has_value());
    CHECK(tags_of(world, link.id).empty());
    CHECK(world.inconsistency().empty());
}

TEST_CASE("unknown, foreign and erased tags and scripts are all told by their place", "[link_labels]") {
    World world;
    const auto stranger = world.stranger("other");
    const auto foreign =
        must(world.service.run(stranger.caller, {}, {.access = Access::write}, [](Context& ctx) {
            return create_tag(ctx, {.name = "a", .color = "000000"});
        }));
    const auto erased = make_tag(world, "erased"), mine = make_tag(world, "mine");
    erase(world, erased);
    const auto made = world.create({.destination = "https://example.com/",
                                    .tags = {foreign.id, mine.id, erased.id, TagId()},
                                    .scripts = {ScriptId()}});
    REQUIRE_FALSE(made.has_value());
    CHECK(made.error().fields == std::vector{unknown_reference("tags[0]"), unknown_reference("tags[2]"),
                                             unknown_reference("tags[3]"), unknown_reference("scripts[0]")});
}

TEST_CASE("new tags need a workspace in force of the right type, tags that are there do not",
          "[link_labels]") {
    World world;
    const auto a = make_tag(world, "a"), b = make_tag(world, "b");
    const auto link = make_link(world, "x", {.tags = {a.id}});
    const auto set_workspace = [&](WorkspaceType type, bool revoked) {
        must(world.operate([&](SystemContext& system) -> Result<void> {
            const auto& table = schema().workspaces;
            const auto was = TRY(table.find(system.txn, world.installed.account.default_workspace.view()));
            auto now = was.value();
            now.type = type;
            now.revoked = revoked;
            return table.update(system.txn, *was, now);
        }));
    };
    const auto update = [&](std::vector<TagId> tags) {
        return code_of(world.update(link.id, {.tags = Change<std::vector<TagId>>::set(std::move(tags))}));
    };
    const auto create = [&] {
        return code_of(world.create({.destination = "https://example.com/", .tags = {a.id}}));
    };
    set_workspace(WorkspaceType::extended, false);
    CHECK(update({a.id, b.id}) == "WrongWorkspaceType");
    CHECK(update({a.id}).empty());
    CHECK(create() == "WrongWorkspaceType");
    set_workspace(WorkspaceType::classic, true);
    CHECK(update({a.id, b.id}) == "RevokedWorkspace");
    CHECK(update({a.id}) == "RevokedWorkspace"); // as every other change is
    CHECK(create() == "RevokedWorkspace");
    set_workspace(WorkspaceType::gallery, false);
    CHECK(update({a.id, b.id}).empty());
    CHECK(create().empty());
}

TEST_CASE("a link on a revoked domain gets no new tag", "[link_labels]") {
    World world;
    const auto a = make_tag(world, "a"), b = make_tag(world, "b");
    const auto domain = world.domain("other.example.com");
    const auto link = make_link(world, "x", {.domain = {.id = domain.id}, .tags = {a.id}});
    must(world.operate([&](SystemContext& system) {
        return change_domain(system, domain, {.revoked = Change<bool>::set(true)});
    }));
    const auto update = [&](std::vector<TagId> tags) {
        return code_of(world.update(link.id, {.tags = Change<std::vector<TagId>>::set(std::move(tags))}));
    };
    CHECK(update({a.id, b.id}) == "RevokedDomain");
    CHECK(update({}).empty());
}

TEST_CASE("a guest attaches and detaches on its own links only", "[link_labels]") {
    World world;
    const auto guest = world.stranger("guest");
    const auto workspace = world.installed.account.default_workspace;
    must(world.operate([&](SystemContext& system) {
        return schema().members.insert(system.txn, {.workspace = workspace,
                                                    .account = guest.account.id,
                                                    .role = Role::guest,
                                                    .created_at = system.now,
                                                    .unknown = {}});
    }));
    const auto tag = make_tag(world, "a");
    const auto as_guest = [&](auto work) {
        return world.service.run(guest.caller, workspace.hex(), {.access = Access::write}, work);
    };
    const auto own = must(as_guest([&](Context& ctx) {
        return create_link(ctx, {.destination = "https://example.com/", .tags = {tag.id}});
    }));
    CHECK(names(own.tags) == "a");
    const auto change = [&](auto operation, LinkId link) {
        return code_of(as_guest(
            [&](Context& ctx) -> Result<void> { return operation(ctx, TRY(find_link(ctx, link)), tag); }));
    };
    CHECK(change(detach_tag, own.link.id).empty());
    CHECK(change(attach_tag, own.link.id).empty());
    const auto other = make_link(world, "x", {.tags = {tag.id}});
    CHECK(change(attach_tag, other.id) == "Forbidden");
    CHECK(change(detach_tag, other.id) == "Forbidden");
}

TEST_CASE("links are filtered by tags, alone and with every other filter", "[link_labels]") {
    World world;
    const auto a = make_tag(world, "a"), b = make_tag(world, "b"), none = make_tag(world, "none");
    const auto other = world.domain("other.example.com");
    make_link(world, "x", {.tags = {a.id, b.id}});
    make_link(world, "y", {.favourite = true, .tags = {a.id}});
    make_link(world, "z", {.domain = {.id = other.id}, .tags = {b.id}});
    make_link(world, "plain");
    const auto gone = make_link(world, "gone", {.tags = {a.id}});
    REQUIRE(world.remove(gone.id).has_value());
    const auto list = [&](const LinkFilter& filter) {
        CHECK(world.count(filter) == static_cast<std::int64_t>(must(world.list(filter, {})).size()));
        return slashtags(world, filter, {.direction = ascending});
    };
    CHECK(list({.tags = {a.id}}) == "x y");
    CHECK(list({.tags = {b.id}}) == "x z");
    CHECK(list({.tags = {a.id, b.id}}) == "x y z");
    CHECK(list({.tags = {a.id, a.id}}) == "x y");
    CHECK(list({.tags = {none.id}}).empty());
    CHECK(list({.tags = {none.id, TagId(), b.id}}) == "x z");
    CHECK(list({.tags = {TagId()}}).empty());
    CHECK(list({.tags = {a.id}, .favourite = true}) == "y");
    CHECK(list({.tags = {a.id}, .favourite = false}) == "x");
    CHECK(list({.domains = {other.id}, .tags = {a.id, b.id}}) == "z");
    CHECK(list({.tags = {a.id}, .active = false}) == "gone");
    CHECK(list({.slashtag = "y", .tags = {a.id}}) == "y");
    CHECK(list({.creators = {world.installed.account.id}, .tags = {b.id}}) == "x z");
    CHECK(list({.tags = {a.id, b.id}, .created_from = Timestamp{gone.created_at.ms - 2000}}) == "z");
    CHECK(slashtags(world, {.tags = {a.id, b.id}}, {.limit = 1, .offset = 1}) == "y");
}

TEST_CASE("an erased tag is gone for every reader at once, and from the links' rows in the end",
          "[link_labels]") {
    World world;
    const auto tag = make_tag(world, "a"), kept = make_tag(world, "kept");
    const auto link = make_link(world, "x", {.tags = {tag.id, kept.id}});
    const auto deleted = make_link(world, "y", {.tags = {tag.id}});
    REQUIRE(world.remove(deleted.id).has_value());
    const auto before = read_link(world, link.id).link;
    world.clock.advance_seconds(60);
    erase(world, tag);

    const auto check_readers = [&] {
        CHECK(tags_of(world, link.id) == "kept");
        CHECK(names(must(world.list({}, {})).at(0).tags) == "kept");
        CHECK(must(world.list({.tags = {tag.id}}, {})).empty());
        CHECK(world.count({.tags = {tag.id}}) == 0);
        CHECK(world.count({.tags = {tag.id}, .favourite = false}) == 0);
        CHECK(world.count({.tags = {tag.id, kept.id}}) == 1);
        CHECK(slashtags(world, {.tags = {tag.id, kept.id}}) == "x");
        CHECK(must(world.list({.tags = {tag.id}, .active = false}, {})).empty());
        CHECK_FALSE(world.read([&](Context& ctx) { return find_tag(ctx, tag.id.hex()); }).has_value());
    };
    check_readers();
    CHECK(read_link(world, link.id).link.tags.size() == 2);
    CHECK(run_jobs(world) == 1);
    check_readers();
    CHECK(read_link(world, link.id).link.tags == std::vector{kept.id});
    CHECK(read_link(world, link.id).link.updated_at == before.updated_at);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("an erased script is gone for every reader at once, and from the links' rows in the end",
          "[link_labels]") {
    World world;
    const auto script = make_script(world, "a");
    const auto link = make_link(world, "x", {.scripts = {script.id}});
    erase(world, script);
    CHECK(read_link(world, link.id).scripts.empty());
    CHECK(world.read([&](Context& ctx) { return scripts_of_link(ctx, link); })->empty());
    CHECK(run_jobs(world) == 1);
    CHECK(read_link(world, link.id).link.scripts.empty());
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a page of links asks the store a constant number of times per link, however many tags they have",
          "[link_labels]") {
    auto counting = std::make_unique<CountingEngine>(storage::make_memory_engine(space::all));
    auto& engine = *counting;
    World world(std::move(counting));
    std::vector<TagId> tags;
    std::vector<ScriptId> scripts;
    for (int i = 0; i < 20; ++i)
        tags.push_back(make_tag(world, "t" + std::to_string(i)).id);
    for (int i = 0; i < 5; ++i)
        scripts.push_back(make_script(world, "s" + std::to_string(i)).id);
    for (int i = 0; i < 100; ++i)
        make_link(world, "l" + std::to_string(i), {.tags = tags, .scripts = scripts});

    const auto look_ups = [&](std::uint32_t limit) {
        static_cast<void>(engine.take());
        const auto page = must(world.list({}, {.limit = limit}));
        REQUIRE(page.size() == limit);
        CHECK(page.back().tags.size() == 20);
        CHECK(page.back().scripts.size() == 5);
        return engine.take();
    };
    const auto page = look_ups(100);
    CHECK(page.gets.at("links") == 100);
    CHECK(page.gets.at("last_clicks") == 100);
    CHECK(page.gets.at("tags") == 20);
    CHECK(page.gets.at("rollups") == 100 + 20);
    CHECK(page.gets.at("scripts") == 5);
    CHECK(page.gets.at("domains") == 1);
    // Each further link costs its row, the time of its last click, and the sum of its clicks, and its
    // sessions: four look-ups.
    const auto shorter = look_ups(99);
    auto expected = shorter;
    ++expected.gets.at("links");
    ++expected.gets.at("last_clicks");
    ++expected.gets.at("rollups");
    ++expected.sums;
    CHECK(page == expected);
}
