#pragma once
// Operations on the routing rules of a link (interface 2.3, 4.2, 4.6; wire "Parts of a link").
//
// As everywhere, an operation that takes `problems` adds its own to those that reading the input found, and
// fails as invalid with all of them at once.
#include "core/access/context.h"
#include "core/model/link.h"
#include "core/ops/rule_conditions.h"

namespace slashpost {

struct RuleInput {
    std::optional<std::string> destination; // goes by the same rules as a link's
    std::optional<std::int64_t> rank;       // nothing in a new rule: behind all others
    ConditionsInput conditions;
};

// In the order in which they are tried.
Result<std::vector<LinkRule>> rules_of_link(Context& ctx, const Link& link, std::size_t limit);
// Refused with LimitReached when the link has rules_per_link_max.
Result<LinkRule> create_rule(Context& ctx, const Link& link, const RuleInput& in, Problems problems = {});
// Changes what is given.
Result<LinkRule> update_rule(Context& ctx, const Link& link, const LinkRule& rule, const RuleInput& in,
                             Problems problems = {});
Result<void> delete_rule(Context& ctx, const Link& link, const LinkRule& rule);
Result<void> delete_all_rules(Context& ctx, const Link& link);

} // namespace slashpost
