// Routing rules of links.
#include "core/ops/link_parts.h"
#include "tests/support/labels.h"
#include "tests/support/parts.h"

using namespace slashpost;
using namespace slashpost::test;

namespace {

std::string ranks(World& world, LinkId link) {
    std::string out;
    const auto rules = must(world.read([&](Context& ctx) -> Result<std::vector<LinkRule>> {
        return rules_of_link(ctx, TRY(find_link(ctx, link)), 100);
    }));
    for (const auto& rule : rules)
        out += (out.empty() ? "" : " ") + std::to_string(rule.rank);
    return out;
}

Result<LinkRule> change(World& world, LinkId link, const LinkRule& rule, const RuleInput& in) {
    return change_parts(world, link,
                        [&](Context& ctx, const Link& row) { return update_rule(ctx, row, rule, in); });
}

} // namespace

TEST_CASE("rules are kept in the order of their ranks, equal ones in that of creation", "[link_rules]") {
    World world;
    const auto link = make_link(world, "x").id;
    const auto first = make_rule(world, link, 5);
    const auto second = make_rule(world, link, -2);
    const auto third = make_rule(world, link, 5);
    const auto last = make_rule(world, link); // behind all others
    CHECK(last.rank == 6);
    CHECK(ranks(world, link) == "-2 5 5 6");
    const auto rules = stored_parts(world, link)->rules;
    CHECK(rules[0].id == second.id);
    CHECK(rules[1].id == first.id);
    CHECK(rules[2].id == third.id);
    must(change(world, link, first, {.destination = {}, .rank = 7, .conditions = {}}));
    CHECK(stored_parts(world, link)->rules.back().id == first.id);
    CHECK(make_rule(world, make_link(world, "y").id).rank == 0);
    CHECK(make_rule(world, make_link(world, "z").id, 2'147'483'647).rank == 2'147'483'647);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a rank behind the largest is the largest", "[link_rules]") {
    World world;
    const auto link = make_link(world, "x").id;
    make_rule(world, link, 2'147'483'647);
    CHECK(make_rule(world, link).rank == 2'147'483'647);
}

TEST_CASE("a change of rules is a change of their link", "[link_rules]") {
    World world;
    const auto link = make_link(world, "x");
    world.clock.advance_seconds(10);
    const auto rule = make_rule(world, link.id);
    CHECK(read_link(world, link.id).link.updated_at == world.clock.time);
    world.clock.advance_seconds(10);
    const auto changed =
        must(change(world, link.id, rule,
                    {.destination = "https://example.com/b",
                     .rank = {},
                     .conditions = {.condition = {}, .conditions = {{.type = "location", .value = "de"}}}}));
    CHECK(changed.destination == "https://example.com/b");
    CHECK(changed.conditions.at(0).values == std::vector<std::string>{"de"});
    CHECK(read_link(world, link.id).link.updated_at == world.clock.time);
    CHECK(stored_parts(world, link.id)->rules == std::vector{changed});
    world.clock.advance_seconds(10);
    must(change_parts(world, link.id,
                      [&](Context& ctx, const Link& row) { return delete_rule(ctx, row, changed); }));
    CHECK(read_link(world, link.id).link.updated_at == world.clock.time);
    CHECK_FALSE(stored_parts(world, link.id));
}

TEST_CASE("deleting all rules of a link that has none changes nothing", "[link_rules]") {
    World world;
    const auto link = make_link(world, "x");
    world.clock.advance_seconds(10);
    must(change_parts(world, link.id, delete_all_rules));
    CHECK(read_link(world, link.id).link.updated_at == link.updated_at);
    make_rule(world, link.id);
    make_rule(world, link.id);
    must(change_parts(world, link.id, delete_all_rules));
    CHECK_FALSE(stored_parts(world, link.id));
}

TEST_CASE("a link has 50 rules and no 51st", "[link_rules]") {
    World world;
    const auto link = make_link(world, "x").id;
    for (int i = 0; i < 50; ++i)
        make_rule(world, link);
    const auto more = change_parts(
        world, link, [](Context& ctx, const Link& row) { return create_rule(ctx, row, rule_input()); });
    REQUIRE_FALSE(more.has_value());
    CHECK(more.error().code == "LimitReached");
    CHECK(stored_parts(world, link)->rules.size() == 50);
}

TEST_CASE("a rule's destination goes by the rules of a link's", "[link_rules]") {
    World world;
    const auto link = make_link(world, "x").id;
    const auto other = make_link(world, "other");
    for (const auto* bad : {"javascript:alert(1)", "data:text/html,x", "https://user:pw@example.com/",
                            "nonsense", "https://go.example.com/x", "http://GO.example.com/X?a#b"}) {
        INFO(bad);
        auto in = rule_input();
        in.destination = bad;
        const auto made = change_parts(
            world, link, [&](Context& ctx, const Link& row) { return create_rule(ctx, row, in); });
        REQUIRE_FALSE(made.has_value());
        CHECK(made.error().source == "rule");
        CHECK(made.error().fields.at(0).property == "destination");
    }
    auto in = rule_input();
    in.destination = "https://go.example.com/other";
    const auto rule = must(
        change_parts(world, link, [&](Context& ctx, const Link& row) { return create_rule(ctx, row, in); }));
    CHECK(rule.destination == "https://go.example.com/other");
    // "other" is given up, and then the link may not come there, where its own rule leads.
    must(world.remove(other.id));
    const auto moved = world.update(link, {.slashtag = Change<std::string>::set("other")});
    REQUIRE_FALSE(moved.has_value());
    CHECK(moved.error().fields.at(0).property == "slashtag");
    CHECK(world.update(link, {.slashtag = Change<std::string>::set("free")}).has_value());
}

TEST_CASE("all that is wrong with a rule is told at once", "[link_rules]") {
    World world;
    const auto link = make_link(world, "x").id;
    const auto made = change_parts(world, link, [](Context& ctx, const Link& row) {
        return create_rule(ctx, row, {.destination = "nonsense", .rank = {}, .conditions = {}});
    });
    REQUIRE_FALSE(made.has_value());
    REQUIRE(made.error().fields.size() == 2);
    CHECK(made.error().fields[0].property == "conditions");
    CHECK(made.error().fields[1].property == "destination");
}

TEST_CASE("a rule of another link is not found", "[link_rules]") {
    World world;
    const auto mine = make_link(world, "x").id, other = make_link(world, "y").id;
    const auto rule = make_rule(world, other);
    const auto found = change_parts(
        world, mine, [&](Context& ctx, const Link& row) { return find_rule(ctx, row, rule.id.hex()); });
    REQUIRE_FALSE(found.has_value());
    CHECK(found.error().source == "rule");
    CHECK(found.error().id == rule.id.hex());
}
