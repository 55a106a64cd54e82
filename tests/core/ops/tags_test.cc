#include "tests/support/labels.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::test;

namespace {

using enum Direction;

std::string list(World& world, const PageRequest& page, const TagFilter& filter = {}) {
    return names(must(world.read([&](Context& ctx) { return list_tags(ctx, filter, page); })));
}

std::int64_t count(World& world, const TagFilter& filter = {}) {
    return must(world.read([&](Context& ctx) { return count_tags(ctx, filter); }));
}

Result<Tag> change(World& world, const Tag& tag, const TagChange& change) {
    return world.write([&](Context& ctx) { return update_tag(ctx, tag, change); });
}

FieldError only_problem(const auto& result) {
    REQUIRE_FALSE(result.has_value());
    REQUIRE(result.error().fields.size() == 1);
    return result.error().fields.front();
}

} // namespace

TEST_CASE("a tag's colour is kept without # in lower case", "[tags]") {
    World world;
    const auto tag = make_tag(world, "Sale", "#DDeeFF");
    CHECK(tag.color == "ddeeff");
    CHECK(tag.name == "Sale");
    CHECK(tag.active);
    CHECK(tag.created_at == world.clock.time);
    CHECK(change(world, tag, {.color = Change<std::string>::set("#00AA00")})->color == "00aa00");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a tag's name is unique in its workspace ignoring case", "[tags]") {
    World world;
    const auto tag = make_tag(world, "Straße");
    const auto other = make_tag(world, "other");
    const auto twin =
        world.write([](Context& ctx) { return create_tag(ctx, {.name = "STRASSE", .color = "000000"}); });
    CHECK(only_problem(twin) == already_exists("name"));
    CHECK(only_problem(change(world, other, {.name = Change<std::string>::set("strasse")})) ==
          already_exists("name"));
    CHECK(change(world, tag, {.name = Change<std::string>::set("STRASSE")})->name == "STRASSE");

    const auto stranger = world.stranger("other");
    CHECK(world.service
              .run(stranger.caller, {}, {.access = Access::write},
                   [](Context& ctx) { return create_tag(ctx, {.name = "strasse", .color = "000000"}); })
              .has_value());
    erase(world, tag);
    CHECK(make_tag(world, "strasse").id != tag.id);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a taken name is told together with the other problems", "[tags]") {
    World world;
    make_tag(world, "a");
    Problems problems;
    problems.add(required_field("color"));
    const auto made =
        world.write([&](Context& ctx) { return create_tag(ctx, {.name = "A", .color = {}}, problems); });
    REQUIRE_FALSE(made.has_value());
    CHECK(made.error().fields.size() == 2);
}

TEST_CASE("tags are listed by name or by creation, both ways", "[tags]") {
    World world;
    for (const auto* name : {"beta", "Alpha", "gamma"}) {
        world.clock.advance_seconds(1);
        make_tag(world, name);
    }
    CHECK(list(world, {}) == "gamma beta Alpha");
    CHECK(list(world, {.direction = ascending}) == "Alpha beta gamma");
    CHECK(list(world, {.order_by = "name", .direction = ascending}) == "Alpha beta gamma");
    CHECK(list(world, {.order_by = "createdAt"}) == "gamma Alpha beta");
    CHECK(list(world, {.order_by = "createdAt", .direction = ascending}) == "beta Alpha gamma");
    CHECK(list(world, {.limit = 1, .offset = 1}) == "beta");
    CHECK(list(world, {.offset = 3}).empty());
    CHECK(only_problem(world.read([](Context& ctx) { return list_tags(ctx, {}, {.order_by = "color"}); })) ==
          FieldError{"InvalidFormat", "orderBy", "must be one of name, createdAt"});
}

TEST_CASE("tags are filtered by a part of the name and by being active", "[tags]") {
    World world;
    for (const auto* name : {"Straße", "string", "other"})
        make_tag(world, name);
    CHECK(list(world, {.direction = ascending}, {.term = "STR"}) == "Straße string");
    CHECK(list(world, {}, {.term = "ass"}) == "Straße");
    CHECK(list(world, {.limit = 1, .direction = ascending}, {.term = "t"}) == "other");
    CHECK(list(world, {}, {.active = false}).empty());
    CHECK(list(world, {}, {.term = "o", .active = true}) == "other");
    CHECK(count(world) == 3);
    CHECK(count(world, {.term = "STR"}) == 2);
    CHECK(count(world, {.active = true}) == 3);
    CHECK(count(world, {.active = false}) == 0);
    CHECK(count(world, {.term = "str", .active = false}) == 0);
}

TEST_CASE("pages of tags join whatever happens to the tag between them", "[tags]") {
    World world;
    std::vector<Tag> tags;
    for (const auto* name : {"a", "b", "c", "d", "e"})
        tags.push_back(make_tag(world, name));
    const auto behind = [&](const Tag& tag) {
        return list(world, {.direction = ascending, .last = tag.id.hex()});
    };
    CHECK(behind(tags[1]) == "c d e");
    CHECK(behind(tags[4]).empty());
    REQUIRE(change(world, tags[1], {.name = Change<std::string>::set("d2")}).has_value());
    CHECK(behind(tags[1]) == "e");
    erase(world, tags[2]);
    CHECK(behind(tags[2]) == "d d2 e");
    CHECK(list(world, {.order_by = "createdAt", .last = tags[2].id.hex()}) == "d2 a");
}

TEST_CASE("a cursor that names no tag of the workspace is refused on its property", "[tags]") {
    World world;
    const auto stranger = world.stranger("other");
    const auto run = [&](auto work) {
        return world.service.run(stranger.caller, {}, {.access = Access::write}, work);
    };
    const auto theirs =
        must(run([](Context& ctx) { return create_tag(ctx, {.name = "a", .color = "000000"}); }));
    const auto erased =
        must(run([](Context& ctx) { return create_tag(ctx, {.name = "b", .color = "000000"}); }));
    must(run([&](Context& ctx) { return delete_tag(ctx, erased); }));
    for (const auto& last : {std::string("nonsense"), theirs.id.hex(), erased.id.hex(), TagId().hex()})
        CHECK(only_problem(world.read([&](Context& ctx) { return list_tags(ctx, {}, {.last = last}); })) ==
              FieldError{"InvalidFormat", "last", "is not the id of a tag of this workspace"});
}

TEST_CASE("a tag of another workspace is absent", "[tags]") {
    World world;
    const auto stranger = world.stranger("other");
    const auto tag = make_tag(world, "a");
    const auto found =
        world.service.run(stranger.caller, {}, {}, [&](Context& ctx) { return find_tag(ctx, tag.id.hex()); });
    REQUIRE_FALSE(found.has_value());
    CHECK(found.error().kind == ErrorKind::not_found);
    CHECK(found.error().source == "tag");
    CHECK(found.error().id == tag.id.hex());
    CHECK(world.read([&](Context& ctx) { return find_tag(ctx, tag.id.hex()); })->name == "a");
    CHECK_FALSE(world.read([&](Context& ctx) { return find_tag(ctx, "x"); }).has_value());
}

TEST_CASE("the place of an erased tag is kept for a day and then forgotten", "[tags][cursors]") {
    World world;
    const auto tag = make_tag(world, "b");
    make_tag(world, "a");
    erase(world, tag);
    run_jobs(world);
    const auto traces = [&] {
        int found = 0;
        must(world.engine->read([&](data::View& view) {
            return schema().tombstones.each(view,
                                            [&](const Tombstone&) -> Result<bool> { return ++found > 0; });
        }));
        return found;
    };
    const auto prune = [&] {
        return world.operate([](SystemContext& system) { return prune_places(system); });
    };

    world.clock.advance_seconds(24LL * 3600 - 1);
    CHECK(list(world, {.last = tag.id.hex()}) == "a");
    CHECK(prune() == false);
    CHECK(traces() == 1);
    world.clock.advance_seconds(1);
    CHECK_FALSE(
        world.read([&](Context& ctx) { return list_tags(ctx, {}, {.last = tag.id.hex()}); }).has_value());
    CHECK(prune() == false);
    CHECK(traces() == 0);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("places are forgotten in bounded batches", "[cursors]") {
    World world;
    must(world.operate([](SystemContext& system) -> Result<void> {
        for (int i = 0; i < 501; ++i) {
            Tag tag;
            tag.id = system.tools.ids.next<TagId>();
            TRY(keep_place(system.txn, schema().tags, tag, system.now));
            TRY(keep_place(system.txn, schema().tags, tag, system.now)); // once more is no harm
        }
        return {};
    }));
    world.clock.advance_seconds(24LL * 3600);
    const auto prune = [&] {
        return world.operate([](SystemContext& system) { return prune_places(system); });
    };
    CHECK(prune() == true);
    CHECK(prune() == false);
    CHECK(world.inconsistency().empty());
}
