// What all parts of a link have in common; previews and deep links.
#include "core/ops/link_parts.h"

#include "core/schema/compiled.h"
#include "core/schema/routing.h"
#include "tests/support/labels.h"
#include "tests/support/parts.h"
#include "tests/support/workspaces.h"

using namespace slashpost;
using namespace slashpost::test;

namespace {

void set_preview(World& world, LinkId link, std::string title) {
    must(change_parts(world, link, [&](Context& ctx, const Link& row) {
        return change_open_graph(ctx, row, {.title = Change<std::string>::set(title)});
    }));
}

Result<DeepLink> set_path(World& world, LinkId link, std::string_view app, std::string path) {
    return change_parts(world, link, [&](Context& ctx, const Link& row) -> Result<DeepLink> {
        return set_deep_link(ctx, row, TRY(find_app(app)), {.path = path});
    });
}

std::int64_t rows_of_parts(World& world) {
    std::int64_t count = 0;
    must(world.engine->read([&](data::View& view) {
        return schema().link_parts.each(view, [&](const LinkParts&) -> Result<bool> { return ++count > 0; });
    }));
    return count;
}

} // namespace

TEST_CASE("parts of one kind leave those of another alone", "[link_parts]") {
    World world;
    const auto link = make_link(world, "x").id;
    const auto rule = make_rule(world, link);
    set_preview(world, link, "t");
    must(set_path(world, link, "instagram", "a"));
    must(change_parts(world, link, delete_all_rules));
    const auto parts = stored_parts(world, link);
    REQUIRE(parts);
    CHECK(parts->workspace == world.installed.account.default_workspace);
    CHECK(parts->rules.empty());
    CHECK(parts->open_graph->title == "t");
    CHECK(parts->deep_links.size() == 1);
    must(change_parts(world, link, delete_open_graph));
    must(change_parts(world, link, delete_open_graph));
    CHECK(stored_parts(world, link));
    must(change_parts(world, link, delete_all_deep_links));
    CHECK_FALSE(stored_parts(world, link));
    CHECK(rows_of_parts(world) == 0);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("the parts of a link go with it, in the same transaction", "[link_parts]") {
    World world;
    const auto link = make_link(world, "x").id, other = make_link(world, "y").id;
    make_rule(world, link);
    make_rule(world, other);
    must(world.remove(link));
    CHECK_FALSE(stored_parts(world, link));
    CHECK(stored_parts(world, other));
}

TEST_CASE("the parts of links go when their workspace is deleted", "[link_parts]") {
    World world;
    const auto workspace = make_workspace(world, "second").id;
    must(world.operate(
        [&](SystemContext& system) { return share_domain(system, world.installed.domain.id, workspace); }));
    const auto link = must(link_in(world, workspace, "x")).link;
    must(write_in(world, workspace, [&](Context& ctx) -> Result<LinkRule> {
        return create_rule(ctx, TRY(find_link(ctx, link.id)), rule_input());
    }));
    const auto kept = make_link(world, "kept").id;
    make_rule(world, kept);
    CHECK(rows_of_parts(world) == 2);
    must(remove_in(world, workspace, Removal::deleted));
    run_jobs(world);
    CHECK(rows_of_parts(world) == 1);
    CHECK(stored_parts(world, kept));
    CHECK(world.inconsistency().empty());
}

TEST_CASE("an expired link keeps its parts", "[link_parts]") {
    World world;
    const auto link = make_link(world, "x", {.ttl_seconds = 60}).id;
    make_rule(world, link);
    world.clock.advance_seconds(100);
    CHECK(read_link(world, link).link.status == LinkStatus::expired);
    make_rule(world, link);
    CHECK(stored_parts(world, link)->rules.size() == 2);
}

TEST_CASE("a preview's image is an http or https address", "[link_parts]") {
    World world;
    world.settings.destination_schemes = {"myapp"};
    const auto link = make_link(world, "x").id;
    const auto set = [&](std::string image) {
        return change_parts(world, link, [&](Context& ctx, const Link& row) {
            return change_open_graph(ctx, row, {.image = Change<std::string>::set(image)});
        });
    };
    CHECK(must(set(" https://example.com/a b.png "))->image == "https://example.com/a%20b.png");
    for (const auto* bad :
         {"javascript:alert(1)", "data:image/png;base64,AA", "myapp://x/y", "//example.com/a.png", "a.png",
          "file:///etc/passwd", "https://u:p@example.com/"}) {
        INFO(bad);
        const auto done = set(bad);
        REQUIRE_FALSE(done.has_value());
        CHECK(done.error().source == "opengraph");
        CHECK(done.error().fields.at(0).property == "image");
    }
}

TEST_CASE("a change of a preview leaves what it does not name, and makes none out of nothing",
          "[link_parts]") {
    World world;
    const auto link = make_link(world, "x").id;
    const auto change = [&](OpenGraphChange wanted) {
        return must(change_parts(
            world, link, [&](Context& ctx, const Link& row) { return change_open_graph(ctx, row, wanted); }));
    };
    CHECK_FALSE(change({}));
    CHECK_FALSE(change({.title = Change<std::string>::clear()}));
    CHECK(rows_of_parts(world) == 0);
    set_preview(world, link, "T");
    const auto merged = change({.description = Change<std::string>::set("D")});
    CHECK(merged->title == "T");
    CHECK(merged->description == "D");
    const auto emptied =
        change({.title = Change<std::string>::clear(), .image = Change<std::string>::clear()});
    CHECK(emptied->title.empty());
    CHECK(emptied->description == "D");
}

TEST_CASE("a preview may consist of empty texts, which is not the same as none", "[link_parts]") {
    World world;
    const auto link = make_link(world, "x").id;
    set_preview(world, link, "");
    CHECK(stored_parts(world, link)->open_graph.has_value());
}

TEST_CASE("a deep link's path can name no other app and break no header", "[link_parts]") {
    World world;
    const auto link = make_link(world, "x").id;
    CHECK(must(set_path(world, link, "instagram", " user?name=ü b ")).path == "user?name=%C3%BC%20b");
    for (const auto* bad : {"a#Intent;package=evil;end", "a\r\nb", "#", "a\x01 b"}) {
        const auto done = set_path(world, link, "instagram", bad);
        REQUIRE_FALSE(done.has_value());
        CHECK(done.error().source == "app");
        CHECK(done.error().fields.at(0).property == "path");
    }
    CHECK(set_path(world, link, "instagram", "  ").error().fields.at(0).code == "RequiredField");
    CHECK(set_path(world, link, "Instagram", "a").error().kind == ErrorKind::not_found);
    CHECK(stored_parts(world, link)->deep_links.size() == 1);
}

TEST_CASE("a link has one deep link for each app, in the order of adding", "[link_parts]") {
    World world;
    const auto link = make_link(world, "x").id;
    must(set_path(world, link, "youtube", "a"));
    must(set_path(world, link, "spotify", "b"));
    must(set_path(world, link, "youtube", "c"));
    const auto deep = stored_parts(world, link)->deep_links;
    REQUIRE(deep.size() == 2);
    CHECK(deep[0].app == "youtube");
    CHECK(deep[0].path == "c");
    CHECK(deep[1].app == "spotify");
}

TEST_CASE("each known app has everything that opens it", "[link_parts]") {
    CHECK(known_apps().size() == 36);
    for (const auto& app : known_apps()) {
        INFO(app.id);
        CHECK(find_known_app(app.id) == &app);
        CHECK_FALSE(app.name.empty());
        CHECK(app.android_package.find('.') != std::string_view::npos);
        CHECK(app.ios_store_id.find_first_not_of("0123456789") == std::string_view::npos);
        CHECK(app.ios_store_id.size() >= 9);
    }
    CHECK(find_known_app("instagram")->android_url() ==
          "intent://{path}#Intent;scheme=instagram;package=com.instagram.android;end");
    CHECK(find_known_app("instagram")->ios_url() == "instagram://{path}");
    CHECK(find_known_app("zz") == nullptr);
    CHECK(find_known_app("") == nullptr);
}

TEST_CASE("what visitors need of the parts is compiled into the link, and forgotten where it was known",
          "[link_parts]") {
    World world;
    const auto link = make_link(world, "x").id;
    const auto stored = [&] {
        return *must(
            world.engine->read([&](data::View& view) { return schema().links.find(view, link.view()); }));
    };
    const auto forgets = [&](const auto& change) {
        world.listener.seen.clear();
        change();
        return !world.listener.seen.empty() && world.listener.seen.back().addresses.size() == 1 &&
               world.listener.seen.back().addresses.front().slashtag_key == "x";
    };
    CHECK(forgets([&] { make_rule(world, link); }));
    CHECK(stored().routing == redirect::compile_routing(*stored_parts(world, link)));
    CHECK_FALSE(stored().routing.empty());
    CHECK(forgets([&] { must(change_parts(world, link, delete_all_rules)); }));
    CHECK(stored().routing.empty());
    CHECK(forgets([&] { set_preview(world, link, "t"); }));
    CHECK(stored().routing == "\1");
    must(world.remove(link));
    CHECK(stored().routing.empty());
    CHECK(world.inconsistency().empty());
}

TEST_CASE("links that carry their parts as an older build left them are compiled anew", "[link_parts]") {
    World world;
    const auto link = make_link(world, "x").id, other = make_link(world, "y").id;
    make_rule(world, link);
    make_rule(world, other);
    must(world.operate([&](SystemContext& system) -> Result<void> {
        const auto row = *TRY(schema().links.find(system.txn, link.view()));
        auto stale = row;
        stale.routing.clear();
        return schema().links.update(system.txn, row, stale);
    }));
    CHECK(world.inconsistency() ==
          "link.routing: link " + link.hex() + " does not carry its rules as they are");
    CHECK(must(compile_anew(*world.engine)) == 1);
    CHECK(world.inconsistency().empty());
    CHECK(must(compile_anew(*world.engine)) == 0);
}

namespace {

RuleInput rule_for(std::string property, std::vector<std::string> values, const std::string& padding = {}) {
    return {.destination = "https://example.com/" + padding,
            .rank = {},
            .conditions = {
                .condition = {{.property = std::move(property), .op = "in", .values = std::move(values)}},
                .conditions = {}}};
}

Result<LinkRule> add_rule(World& world, LinkId link, const RuleInput& in) {
    return change_parts(world, link,
                        [&](Context& ctx, const Link& row) { return create_rule(ctx, row, in); });
}

std::vector<std::string> numbers(int count) {
    std::vector<std::string> out;
    for (int i = 0; i < count; ++i)
        out.push_back(std::to_string(i));
    return out;
}

// As they could be written when more was allowed.
void write_parts(World& world, LinkId link, const std::function<void(LinkParts&)>& change) {
    must(world.operate([&](SystemContext& system) -> Result<void> {
        const auto row = TRY(schema().links.find(system.txn, link.view()));
        const auto before = TRY(schema().link_parts.find(system.txn, link.view()));
        auto parts = before.value();
        change(parts);
        TRY(schema().link_parts.update(system.txn, *before, parts));
        auto changed = *row;
        changed.routing = redirect::compile_routing(parts);
        return schema().links.update(system.txn, *row, changed);
    }));
}

} // namespace

TEST_CASE("the conditions of a link's rules have at most 500 values together", "[link_parts]") {
    World world;
    const auto link = make_link(world, "x").id;
    for (int i = 0; i < 2; ++i)
        must(add_rule(world, link, rule_for("req.query.a", numbers(250))));
    const auto refusal = add_rule(world, link, rule_for("req.query.a", numbers(1)));
    REQUIRE_FALSE(refusal.has_value());
    CHECK(refusal.error().code == "LimitReached");
    CHECK(refusal.error().message == "The conditions of a link's rules may have 500 values together.");
    CHECK(stored_parts(world, link)->rules.size() == 2);
}

TEST_CASE("the rules of a link name at most 10 time zones", "[link_parts]") {
    World world;
    const auto link = make_link(world, "x").id;
    std::vector<std::string> windows{"mon-fri", "2026-01-01T00:00Z/2026-02-01T00:00Z"};
    for (int hour = 1; hour <= 6; ++hour)
        windows.push_back("09:00-17:00 Etc/GMT-" + std::to_string(hour));
    for (int hour = 1; hour <= 4; ++hour)
        windows.push_back("09:00-17:00 Etc/GMT+" + std::to_string(hour));
    must(add_rule(world, link, rule_for("req.time", windows)));
    must(add_rule(world, link, rule_for("req.time", windows))); // the same ones
    const auto refusal = add_rule(world, link, rule_for("req.time", {"sat Europe/Berlin"}));
    REQUIRE_FALSE(refusal.has_value());
    CHECK(refusal.error().code == "LimitReached");
    CHECK(refusal.error().message == "The rules of a link may name 10 time zones.");
}

TEST_CASE("the parts of a link take at most 128 KiB", "[link_parts]") {
    World world;
    const auto link = make_link(world, "x").id;
    for (int i = 0; i < 50; ++i) // as many as there may be, with destinations as long as they may be
        must(add_rule(world, link, rule_for("req.country", {"de"}, std::string(2'000, 'a'))));
    std::vector<std::string> long_values;
    for (int i = 0; i < 200; ++i)
        long_values.push_back(std::to_string(i) + std::string(200, 'v'));
    const auto first = stored_parts(world, link)->rules.front();
    const auto refusal = change_parts(world, link, [&](Context& ctx, const Link& row) {
        return update_rule(ctx, row, first, rule_for("req.query.a", long_values));
    });
    REQUIRE_FALSE(refusal.has_value());
    CHECK(refusal.error().code == "LimitReached");
    CHECK(refusal.error().message == "The rules and other parts of a link may take 128 KiB together.");
}

TEST_CASE("a link that has more than is allowed now can be changed as long as it does not grow",
          "[link_parts]") {
    World world;
    const auto link = make_link(world, "x").id;
    const auto rule = must(add_rule(world, link, rule_for("req.query.a", {"1"})));
    must(add_rule(world, link, rule_for("req.query.a", {"2"})));
    write_parts(world, link, [](LinkParts& parts) { parts.rules[0].conditions[0].values = numbers(3'000); });
    CHECK(add_rule(world, link, rule_for("req.query.a", {"1"})).error().code == "LimitReached");
    set_preview(world, link, "t");
    must(change_parts(world, link,
                      [&](Context& ctx, const Link& row) { return delete_rule(ctx, row, rule); }));
    must(add_rule(world, link, rule_for("req.query.a", {"1"})));
    CHECK(world.inconsistency().empty());
}
