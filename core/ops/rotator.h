#pragma once
// Operations on the rules of a rotator: the destinations among which a link of that type spreads its visitors
// (interface 4.2, wire "Parts of a link"). Guards of routes see to the type of the link.
#include "core/access/context.h"
#include "core/base/change.h"
#include "core/base/errors.h"
#include "core/model/link.h"
#include "core/model/link_parts.h"

namespace slashpost {

inline constexpr std::int64_t rotator_weight_max = 1'000'000;

struct RotatorRuleInput {
    std::optional<std::string> destination; // goes by the same rules as a link's
    Change<std::int64_t> weight;            // 0 to rotator_weight_max; of a new rule: nothing unless set
    std::optional<RotatorRuleId> id;        // to replace all: which of the old ones this is
};

// A rule with the clicks that it got since it is there.
struct RotatorRuleDetails {
    RotatorRule rule;
    std::int64_t clicks = 0;
};
// One look-up for all.
Result<std::vector<RotatorRuleDetails>> describe_rotator(Context& ctx, const Link& link,
                                                         std::vector<RotatorRule> rules);
Result<RotatorRuleDetails> describe_rotator_rule(Context& ctx, const Link& link, RotatorRule rule);

// In their order: that of creation, or in which they were given.
Result<std::vector<RotatorRule>> rotator_of_link(Context& ctx, const Link& link);
// Both are refused with LimitReached when the link would have more than rules_per_link_max.
Result<RotatorRule> create_rotator_rule(Context& ctx, const Link& link, const RotatorRuleInput& in,
                                        Problems problems = {});
// The rules are exactly these then. One with the id of an old rule goes on as that one, with its clicks.
Result<std::vector<RotatorRule>> replace_rotator(Context& ctx, const Link& link,
                                                 const std::vector<RotatorRuleInput>& in,
                                                 Problems problems = {});
// Changes what is given.
Result<RotatorRule> update_rotator_rule(Context& ctx, const Link& link, const RotatorRule& rule,
                                        const RotatorRuleInput& in, Problems problems = {});
Result<void> delete_rotator_rule(Context& ctx, const Link& link, const RotatorRule& rule);
Result<void> delete_rotator(Context& ctx, const Link& link);

} // namespace slashpost
