#include "core/ops/rotator.h"

#include "core/access/doors.h"
#include "core/ops/destinations.h"
#include "core/ops/link_parts.h"
#include "core/schema/rollups.h"

#include <algorithm>
#include <fmt/format.h>

namespace slashpost {

namespace {

Result<void> admit(std::size_t count) {
    if (count > rules_per_link_max)
        return refused("LimitReached", "link",
                       fmt::format("A rotator has at most {} rules.", rules_per_link_max));
    return {};
}

// A destination that is as it was is not looked at again.
Result<void> apply(DestinationCheck& destinations, const RotatorRuleInput& in, RotatorRule& rule,
                   Problems& problems, const std::string& property) {
    if (in.destination && !in.destination->empty() && *in.destination != rule.destination)
        rule.destination = TRY(destinations.read(*in.destination, problems, property));
    in.weight.apply_to(rule.weight);
    return {};
}

// A rule that leads where it led before, under its old id, if it has one that none before it took; else one
// without anything yet.
RotatorRule begin_rule(Context& ctx, const RotatorRuleInput& in, const std::vector<RotatorRule>& old,
                       const std::vector<RotatorRule>& taken) {
    const auto find = [&](const std::vector<RotatorRule>& rules) {
        return std::ranges::find_if(rules, [&](const RotatorRule& rule) { return rule.id == in.id; });
    };
    const auto before = find(old);
    const bool goes_on = in.id && before != old.end() && find(taken) == taken.end();
    return {.id = goes_on ? before->id : ctx.ids.next<RotatorRuleId>(),
            .destination = goes_on ? before->destination : std::string(),
            .weight = {},
            .unknown = {}};
}

} // namespace

Result<std::vector<RotatorRuleDetails>> describe_rotator(Context& ctx, const Link& link,
                                                         std::vector<RotatorRule> rules) {
    const auto counts = TRY(RollupReader(ctx.view()).lifetime(Subject::of(link.id, link.workspace)));
    std::vector<RotatorRuleDetails> out;
    out.reserve(rules.size());
    for (auto& rule : rules) {
        const auto clicks = counts.of(group_of(Dimension::arm) + data::key(rule.id));
        out.push_back({.rule = std::move(rule), .clicks = clicks});
    }
    return out;
}

Result<RotatorRuleDetails> describe_rotator_rule(Context& ctx, const Link& link, RotatorRule rule) {
    return TRY(describe_rotator(ctx, link, {std::move(rule)})).front();
}

Result<std::vector<RotatorRule>> rotator_of_link(Context& ctx, const Link& link) {
    return TRY(parts_of(ctx.view(), link)).rotator;
}

Result<RotatorRule> create_rotator_rule(Context& ctx, const Link& link, const RotatorRuleInput& in,
                                        Problems problems) {
    auto rule = begin_rule(ctx, {}, {}, {});
    DestinationCheck destinations(ctx, link);
    TRY(apply(destinations, in, rule, problems, "destination"));
    TRY(problems.result("rotator"));
    auto parts = TRY(parts_of(ctx.view(), link));
    TRY(admit(parts.rotator.size() + 1));
    parts.rotator.push_back(rule);
    TRY(store_parts(ctx, link, parts));
    return rule;
}

Result<std::vector<RotatorRule>> replace_rotator(Context& ctx, const Link& link,
                                                 const std::vector<RotatorRuleInput>& in, Problems problems) {
    TRY(admit(in.size()));
    auto parts = TRY(parts_of(ctx.view(), link));
    std::vector<RotatorRule> rules;
    rules.reserve(in.size());
    DestinationCheck destinations(ctx, link);
    for (std::size_t i = 0; i < in.size(); ++i) {
        auto rule = begin_rule(ctx, in[i], parts.rotator, rules);
        TRY(apply(destinations, in[i], rule, problems, fmt::format("[{}].destination", i)));
        rules.push_back(std::move(rule));
    }
    TRY(problems.result("rotator"));
    parts.rotator = rules;
    TRY(store_parts(ctx, link, parts));
    return rules;
}

Result<RotatorRule> update_rotator_rule(Context& ctx, const Link& link, const RotatorRule& rule,
                                        const RotatorRuleInput& in, Problems problems) {
    auto changed = rule;
    DestinationCheck destinations(ctx, link);
    TRY(apply(destinations, in, changed, problems, "destination"));
    TRY(problems.result("rotator"));
    auto parts = TRY(parts_of(ctx.view(), link));
    std::ranges::replace_if(
        parts.rotator, [&](const RotatorRule& one) { return one.id == rule.id; }, changed);
    TRY(store_parts(ctx, link, parts));
    return changed;
}

Result<void> delete_rotator_rule(Context& ctx, const Link& link, const RotatorRule& rule) {
    auto parts = TRY(parts_of(ctx.view(), link));
    std::erase_if(parts.rotator, [&](const RotatorRule& one) { return one.id == rule.id; });
    return store_parts(ctx, link, parts);
}

Result<void> delete_rotator(Context& ctx, const Link& link) {
    auto parts = TRY(parts_of(ctx.view(), link));
    if (parts.rotator.empty())
        return {};
    parts.rotator.clear();
    return store_parts(ctx, link, parts);
}

} // namespace slashpost
