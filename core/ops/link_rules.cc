#include "core/ops/link_rules.h"

#include "core/access/doors.h"
#include "core/ops/destinations.h"
#include "core/ops/link_parts.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <tuple>

namespace slashpost {

namespace {

constexpr std::int64_t rank_max = std::numeric_limits<std::int32_t>::max();

std::int64_t rank_behind(const std::vector<LinkRule>& rules) {
    return rules.empty() ? 0 : std::min(rules.back().rank + 1, rank_max);
}

void put_in_order(std::vector<LinkRule>& rules) {
    std::ranges::sort(rules, {}, [](const LinkRule& rule) { return std::tuple(rule.rank, rule.id); });
}

} // namespace

Result<std::vector<LinkRule>> rules_of_link(Context& ctx, const Link& link, std::size_t limit) {
    auto rules = TRY(parts_of(ctx.view(), link)).rules;
    if (rules.size() > limit)
        rules.resize(limit);
    return rules;
}

Result<LinkRule> create_rule(Context& ctx, const Link& link, const RuleInput& in, Problems problems) {
    LinkRule rule{.id = ctx.ids.next<RuleId>(),
                  .destination = {},
                  .conditions = read_conditions(in.conditions, {}, problems),
                  .unknown = {}};
    if (in.destination && !in.destination->empty())
        rule.destination = TRY(check_destination(ctx, link, *in.destination, problems));
    TRY(problems.result("rule"));
    auto parts = TRY(parts_of(ctx.view(), link));
    if (parts.rules.size() >= rules_per_link_max)
        return refused("LimitReached", "link",
                       fmt::format("A link has at most {} rules.", rules_per_link_max));
    rule.rank = in.rank.value_or(rank_behind(parts.rules));
    parts.rules.push_back(rule);
    put_in_order(parts.rules);
    TRY(store_parts(ctx, link, parts));
    return rule;
}

Result<LinkRule> update_rule(Context& ctx, const Link& link, const LinkRule& rule, const RuleInput& in,
                             Problems problems) {
    auto changed = rule;
    if (auto conditions = read_conditions(in.conditions, rule.conditions, problems); !conditions.empty())
        changed.conditions = std::move(conditions);
    if (in.destination)
        changed.destination = TRY(check_destination(ctx, link, *in.destination, problems));
    TRY(problems.result("rule"));
    changed.rank = in.rank.value_or(rule.rank);
    auto parts = TRY(parts_of(ctx.view(), link));
    std::ranges::replace_if(parts.rules, [&](const LinkRule& one) { return one.id == rule.id; }, changed);
    put_in_order(parts.rules);
    TRY(store_parts(ctx, link, parts));
    return changed;
}

Result<void> delete_rule(Context& ctx, const Link& link, const LinkRule& rule) {
    auto parts = TRY(parts_of(ctx.view(), link));
    std::erase_if(parts.rules, [&](const LinkRule& one) { return one.id == rule.id; });
    return store_parts(ctx, link, parts);
}

Result<void> delete_all_rules(Context& ctx, const Link& link) {
    auto parts = TRY(parts_of(ctx.view(), link));
    if (parts.rules.empty())
        return {};
    parts.rules.clear();
    return store_parts(ctx, link, parts);
}

} // namespace slashpost
