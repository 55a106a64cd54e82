#pragma once
// Rules and other parts of links of a World, by the operations that a caller would use.
#include "core/ops/deep_links.h"
#include "core/ops/link_rules.h"
#include "core/ops/open_graph.h"
#include "core/ops/rotator.h"
#include "tests/support/must.h"
#include "tests/support/world.h"

namespace slashpost::test {

// `operation(Context&, const Link&)`, as a route that changes parts would call it.
template <class Operation>
auto change_parts(World& world, LinkId link, const Operation& operation)
    -> std::invoke_result_t<const Operation&, Context&, const Link&> {
    return world.write(
        [&](Context& ctx) -> std::invoke_result_t<const Operation&, Context&, const Link&> {
            return operation(ctx, TRY(find_link(ctx, link)));
        },
        {.link = LinkState::live});
}

// One that is for visitors with phones, unless told otherwise.
inline RuleInput rule_input(std::optional<std::int64_t> rank = {}, std::string device = "mobile") {
    return {
        .destination = "https://example.com/rule",
        .rank = rank,
        .conditions = {.condition = {{.property = "req.device", .op = "in", .values = {std::move(device)}}},
                       .conditions = {}}};
}

inline LinkRule make_rule(World& world, LinkId link, std::optional<std::int64_t> rank = {}) {
    return must(change_parts(
        world, link, [&](Context& ctx, const Link& row) { return create_rule(ctx, row, rule_input(rank)); }));
}

inline RotatorRule make_rotator_rule(World& world, LinkId link) {
    return must(change_parts(world, link, [&](Context& ctx, const Link& row) {
        return create_rotator_rule(ctx, row,
                                   {.destination = "https://example.com/arm", .weight = {}, .id = {}});
    }));
}

// The stored row; nothing when the link has no parts.
inline std::optional<LinkParts> stored_parts(World& world, LinkId link) {
    return must(
        world.engine->read([&](data::View& view) { return schema().link_parts.find(view, link.view()); }));
}

} // namespace slashpost::test
