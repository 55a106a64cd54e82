#pragma once
// The conditions of routing rules, in the two shapes in which they are sent (interface 2.3, wire "Parts of a
// link") and the one in which they are stored.
#include "core/base/errors.h"
#include "core/model/link_parts.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slashpost {

inline constexpr std::size_t conditions_per_rule_max = 10;
inline constexpr std::size_t values_per_condition_max = 250;
inline constexpr std::size_t condition_value_length_max = 255;

// One of `condition.and`.
struct ConditionInput {
    std::string property;
    std::string op;
    std::vector<std::string> values;
};

// One of `conditions`. A value may be several with commas.
struct PlainCondition {
    std::string type;
    std::string value;
    bool operator==(const PlainCondition&) const = default;
};

// Both are empty when nothing was given.
struct ConditionsInput {
    std::vector<ConditionInput> condition;
    std::vector<PlainCondition> conditions;
};

// What a PlainCondition may have as its type.
std::span<const std::string_view> plain_condition_types();

// What the input says; nothing when it says nothing, or not only what is right. Adds problems on `condition`
// and `conditions`, but none on what has one already.
//
// `stored` are the conditions that the rule has; without them some must be given. When both shapes are given
// they must agree, but of a rule that has conditions the shape that differs from these counts, so that a
// client may change either in an answer and send all of it back.
std::vector<RuleCondition> read_conditions(const ConditionsInput& in, std::span<const RuleCondition> stored,
                                           Problems& problems);

// "req.country", "req.query.utm_source"; and "in", "not-in", "before", "after".
std::string property_name(const RuleCondition& condition);
std::string_view operator_name(RuleOperator op);

// The same in the other shape; nothing when it cannot be said there.
std::vector<PlainCondition> plain_conditions(std::span<const RuleCondition> conditions);

} // namespace slashpost
