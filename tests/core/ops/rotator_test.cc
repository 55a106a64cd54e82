// Rules of rotators.
#include "core/ops/link_parts.h"
#include "tests/support/labels.h"
#include "tests/support/parts.h"

using namespace slashpost;
using namespace slashpost::test;

namespace {

RotatorRuleInput arm(std::string destination, std::optional<std::int64_t> weight = {},
                     std::optional<RotatorRuleId> id = {}) {
    return {.destination = std::move(destination), .weight = Change<std::int64_t>::of(weight), .id = id};
}

Result<std::vector<RotatorRule>> replace(World& world, LinkId link, const std::vector<RotatorRuleInput>& in) {
    return change_parts(world, link,
                        [&](Context& ctx, const Link& row) { return replace_rotator(ctx, row, in); });
}

} // namespace

TEST_CASE("a rotator's rules are replaced as a whole, and known ones go on as they were", "[rotator]") {
    World world;
    const auto link = make_link(world, "x", {.type = LinkType::rotator}).id;
    const auto old = make_rotator_rule(world, link);
    const auto rules = must(replace(world, link,
                                    {arm("https://example.com/a", 0), arm("https://example.com/b", 3, old.id),
                                     arm("https://example.com/c", {}, old.id),
                                     arm("https://example.com/d", {}, RotatorRuleId(RawId::first_at({7})))}));
    REQUIRE(rules.size() == 4);
    CHECK(rules[0].weight == 0);
    CHECK(rules[1].id == old.id);
    CHECK(rules[1].weight == 3);
    CHECK(rules[2].id != old.id); // taken by the one before
    CHECK_FALSE(rules[2].weight);
    CHECK(rules[3].id != RotatorRuleId(RawId::first_at({7}))); // ids are ours to give
    CHECK(stored_parts(world, link)->rotator == rules);
    CHECK(must(replace(world, link, {})).empty());
    CHECK_FALSE(stored_parts(world, link));
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a rotator has 50 rules and no 51st", "[rotator]") {
    World world;
    const auto link = make_link(world, "x", {.type = LinkType::rotator}).id;
    const std::vector<RotatorRuleInput> fifty(50, arm("https://example.com/"));
    auto more = fifty;
    more.push_back(arm("https://example.com/"));
    REQUIRE(replace(world, link, more).error().code == "LimitReached");
    CHECK(must(replace(world, link, fifty)).size() == 50);
    const auto made = change_parts(world, link, [](Context& ctx, const Link& row) {
        return create_rotator_rule(ctx, row, arm("https://example.com/"));
    });
    REQUIRE_FALSE(made.has_value());
    CHECK(made.error().code == "LimitReached");
}

TEST_CASE("each broken destination of a rotator is named, and nothing is changed then", "[rotator]") {
    World world;
    const auto link = make_link(world, "x", {.type = LinkType::rotator}).id;
    const auto old = make_rotator_rule(world, link);
    const auto done =
        replace(world, link,
                {arm("javascript:alert(1)"), arm("https://example.com/"), arm("https://go.example.com/x")});
    REQUIRE_FALSE(done.has_value());
    REQUIRE(done.error().fields.size() == 2);
    CHECK(done.error().fields[0].property == "[0].destination");
    CHECK(done.error().fields[1].property == "[2].destination");
    CHECK(stored_parts(world, link)->rotator == std::vector{old});
}

TEST_CASE("a rule of a rotator is changed in what is given", "[rotator]") {
    World world;
    const auto link = make_link(world, "x", {.type = LinkType::rotator}).id;
    const auto rule = make_rotator_rule(world, link);
    const auto update = [&](const RotatorRuleInput& in) {
        return must(change_parts(world, link, [&](Context& ctx, const Link& row) -> Result<RotatorRule> {
            return update_rotator_rule(ctx, row, TRY(find_rotator_rule(ctx, row, rule.id.hex())), in);
        }));
    };
    CHECK(update({.destination = {}, .weight = Change<std::int64_t>::set(9), .id = {}}).weight == 9);
    const auto moved = update({.destination = "https://example.com/b", .weight = {}, .id = {}});
    CHECK(moved.weight == 9);
    CHECK(moved.destination == "https://example.com/b");
    CHECK_FALSE(update({.destination = {}, .weight = Change<std::int64_t>::clear(), .id = {}}).weight);
    CHECK(stored_parts(world, link)->rotator.size() == 1);
}

TEST_CASE("a link does not move to where its rotator leads", "[rotator]") {
    World world;
    const auto link = make_link(world, "x", {.type = LinkType::rotator}).id;
    must(replace(world, link, {arm("https://go.example.com/y")}));
    const auto moved = world.update(link, {.slashtag = Change<std::string>::set("y")});
    REQUIRE_FALSE(moved.has_value());
    CHECK(moved.error().fields.at(0).property == "slashtag");
}
