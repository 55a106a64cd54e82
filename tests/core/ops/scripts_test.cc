#include "tests/support/labels.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::test;

namespace {

using enum Direction;

Result<Script> create(World& world, const NewScript& in) {
    return world.write([&](Context& ctx) { return create_script(ctx, in); });
}

Result<Script> change(World& world, const Script& script, const ScriptChange& change) {
    return world.write([&](Context& ctx) { return update_script(ctx, script, change); });
}

std::string list(World& world, const PageRequest& page, const ScriptFilter& filter = {}) {
    return names(must(world.read([&](Context& ctx) { return list_scripts(ctx, filter, page); })));
}

FieldError only_problem(const auto& result) {
    REQUIRE_FALSE(result.has_value());
    REQUIRE(result.error().fields.size() == 1);
    return result.error().fields.front();
}

} // namespace

TEST_CASE("a script has a text, an address, or both", "[scripts]") {
    World world;
    CHECK(create(world, {.name = "a", .value = "<b>", .uri = {}})->value == "<b>");
    CHECK(create(world, {.name = "a", .value = {}, .uri = "https://Example.com/ x.js"})->uri ==
          "https://Example.com/%20x.js");
    CHECK(create(world, {.name = "a", .value = "1", .uri = "http://e.com/"}).has_value());
    CHECK(only_problem(create(world, {.name = "a", .value = {}, .uri = {}})) == required_field("value"));
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a script's address is http or https", "[scripts]") {
    World world;
    world.settings.destination_schemes = {"myapp"};
    for (const auto* uri : {"javascript:alert(1)", "data:text/javascript,1", "myapp://x", "//e.com/x.js"}) {
        INFO(uri);
        const auto problem = only_problem(create(world, {.name = "a", .value = "1", .uri = uri}));
        CHECK(problem.property == "uri");
        CHECK(problem.code == "InvalidFormat");
    }
}

TEST_CASE("a script cannot lose both its text and its address", "[scripts]") {
    World world;
    const auto script = make_script(world, "a", "1");
    const auto clear = Change<std::string>::clear();
    CHECK(only_problem(change(world, script, {.value = clear})) == required_field("value"));
    const auto moved =
        change(world, script, {.value = clear, .uri = Change<std::string>::set("https://e.com/x.js")});
    REQUIRE(moved.has_value());
    CHECK(moved->value.empty());
    CHECK(moved->uri == "https://e.com/x.js");
    CHECK(only_problem(change(world, *moved, {.uri = clear})) == required_field("value"));
    CHECK(change(world, *moved, {.name = Change<std::string>::set("b")})->name == "b");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("scripts are listed, filtered and counted as tags are", "[scripts]") {
    World world;
    std::vector<Script> scripts;
    for (const auto* name : {"beta", "Alpha", "gamma", "beta"}) {
        world.clock.advance_seconds(1);
        scripts.push_back(make_script(world, name));
    }
    CHECK(list(world, {}) == "gamma beta beta Alpha");
    CHECK(list(world, {.order_by = "createdAt", .direction = ascending}) == "beta Alpha gamma beta");
    CHECK(list(world, {}, {.term = "ET"}) == "beta beta");
    CHECK(world.read([](Context& ctx) { return count_scripts(ctx, {}); }) == 4);
    CHECK(world.read([](Context& ctx) { return count_scripts(ctx, {.term = "A"}); }) == 4);
    CHECK(world.read([](Context& ctx) { return count_scripts(ctx, {.term = "mm"}); }) == 1);

    erase(world, scripts[3]);
    CHECK(list(world, {.last = scripts[3].id.hex()}) == "beta Alpha");
    CHECK(list(world, {.direction = ascending, .last = scripts[3].id.hex()}) == "gamma");
    CHECK(only_problem(world.read([](Context& ctx) { return list_scripts(ctx, {}, {.last = "x"}); })) ==
          FieldError{"InvalidFormat", "last", "is not the id of a script of this workspace"});
}

TEST_CASE("the trace of an erased script holds nothing of its text", "[scripts]") {
    World world;
    erase(world, make_script(world, "a", "secret text"));
    must(world.engine->read([&](data::View& view) {
        return view.scan(space::tombstones, {}, data::Order::forward,
                         [](data::BytesView, data::BytesView value) {
                             CHECK(value.find("secret") == value.npos);
                             return true;
                         });
    }));
}

TEST_CASE("the scripts of a link are a list of their own", "[scripts]") {
    World world;
    std::vector<Script> scripts;
    for (const auto* name : {"b", "c", "a", "elsewhere"}) {
        world.clock.advance_seconds(1);
        scripts.push_back(make_script(world, name));
    }
    const auto link = make_link(world, "x", {.scripts = {scripts[1].id, scripts[0].id, scripts[2].id}});
    const auto listed = [&](const PageRequest& page) {
        return names(must(world.read([&](Context& ctx) -> Result<std::vector<Script>> {
            return list_link_scripts(ctx, TRY(find_link(ctx, link.id)), page);
        })));
    };
    CHECK(listed({}) == "c b a");
    CHECK(listed({.direction = ascending}) == "a b c");
    CHECK(listed({.order_by = "createdAt"}) == "a c b");
    CHECK(listed({.limit = 1}) == "c");
    CHECK(listed({.limit = 1, .offset = 1}) == "b");
    CHECK(listed({.offset = 9}).empty());
    CHECK(listed({.last = scripts[0].id.hex()}) == "a");
    CHECK(listed({.direction = ascending, .last = scripts[0].id.hex()}) == "c");
    CHECK(listed({.last = scripts[3].id.hex()}) == "c b a");
    erase(world, scripts[0]);
    CHECK(listed({.last = scripts[0].id.hex()}) == "a");
    CHECK_FALSE(
        world.read([&](Context& ctx) { return list_link_scripts(ctx, link, {.last = "x"}); }).has_value());
}

TEST_CASE("a script takes at most 64 KiB in a page, escaped", "[scripts]") {
    World world;
    const auto refusal =
        FieldError{.code = "OutOfRange",
                   .property = "value",
                   .message = "must take at most 65536 bytes in a page, where &, <, > and \" "
                              "take 4 to 6 each"};
    const std::string letters(65'536, 'a'), quotes(10'922, '"'); // of 6 bytes each
    CHECK(create(world, {.name = "a", .value = letters, .uri = {}}).has_value());
    const auto script = must(create(world, {.name = "a", .value = quotes, .uri = {}}));
    CHECK(only_problem(create(world, {.name = "a", .value = quotes + '"', .uri = {}})) == refusal);
    CHECK(only_problem(change(world, script, {.value = Change<std::string>::set(quotes + '"')})) == refusal);

    // One that was stored when more was allowed can get another name.
    auto longer = script;
    longer.value += "\"\"";
    must(world.operate(
        [&](SystemContext& system) { return schema().scripts.update(system.txn, script, longer); }));
    CHECK(change(world, longer, {.name = Change<std::string>::set("b")})->name == "b");
}

TEST_CASE("the scripts of a link take at most 128 KiB in a page, escaped", "[scripts]") {
    World world;
    std::vector<ScriptId> scripts;
    for (int i = 0; i < 3; ++i)
        scripts.push_back(
            must(create(world, {.name = "a", .value = std::string(10'922, '"'), .uri = {}})).id);
    const std::vector two(scripts.begin(), scripts.begin() + 2);
    const auto link = world.create({.destination = "https://example.com/", .slashtag = "x", .scripts = two});
    REQUIRE(link.has_value());
    const auto problem = FieldError{.code = "OutOfRange",
                                    .property = "scripts",
                                    .message = "must take at most 128 KiB in a page together"};
    CHECK(only_problem(world.create({.destination = "https://example.com/", .scripts = scripts})) == problem);
    CHECK(only_problem(world.update(link->link.id,
                                    {.scripts = Change<std::vector<ScriptId>>::set(scripts)})) == problem);
    const auto attached = world.write([&](Context& ctx) -> Result<void> {
        return attach_script(ctx, link->link, TRY(find_script(ctx, scripts[2].hex())));
    });
    REQUIRE_FALSE(attached.has_value());
    CHECK(attached.error().code == "LimitReached");
    CHECK(attached.error().message == "The scripts of a link may take 128 KiB in a page together.");
}
