#include "core/schema/routing.h"

#include "core/base/time_window.h"
#include "core/data/key.h"
#include "core/data/packed.h"
#include "core/model/visitor.h"

#include <algorithm>

namespace slashpost::redirect {

namespace {

using data::append_sized;
using data::Bytes;

template <class Enum>
std::uint32_t bits_of(const std::vector<std::string>& words) {
    std::uint32_t bits = 0;
    for (const auto& word : words)
        if (const auto value = of_word<Enum>(word))
            bits |= 1U << static_cast<unsigned>(*value);
    return bits;
}

void append_span(Bytes& out, const TimeWindow& window) {
    out += window.from ? '\1' : '\0';
    if (window.from) {
        data::append_key(out, static_cast<std::uint64_t>(window.from->ms));
        return data::append_key(out, static_cast<std::uint64_t>(window.until->ms));
    }
    out += static_cast<char>(window.weekdays);
    data::append_key(out, static_cast<std::uint16_t>(window.begin_minute));
    data::append_key(out, static_cast<std::uint16_t>(window.end_minute));
    append_sized(out, window.zone);
}

void append_mark(Bytes& out, const TimeLimit& mark) {
    out += mark.instant ? '\1' : '\0';
    if (mark.instant)
        return data::append_key(out, static_cast<std::uint64_t>(mark.instant->ms));
    data::append_key(out, static_cast<std::uint16_t>(mark.minute));
    append_sized(out, mark.zone);
}

bool compares(RuleOperator op) { return op == RuleOperator::before || op == RuleOperator::after; }

void append_values(Bytes& out, const RuleCondition& condition) {
    switch (condition.property) {
    case RuleProperty::country:
        for (const auto& value : condition.values)
            out += value;
        break;
    case RuleProperty::device:
        return data::append_key(out, bits_of<Device>(condition.values));
    case RuleProperty::os:
        return data::append_key(out, bits_of<System>(condition.values));
    case RuleProperty::browser:
        return data::append_key(out, bits_of<Browser>(condition.values));
    case RuleProperty::language:
    case RuleProperty::query:
        for (const auto& value : condition.values)
            append_sized(out, value);
        break;
    case RuleProperty::time:
        for (const auto& value : condition.values)
            if (const auto mark = compares(condition.op) ? parse_time_limit(value) : std::nullopt)
                append_mark(out, *mark);
            else if (const auto window = compares(condition.op) ? std::nullopt : parse_time_window(value))
                append_span(out, *window);
    }
}

Bytes compiled(const RuleCondition& condition) {
    Bytes out;
    out += static_cast<char>(condition.property);
    out += static_cast<char>(condition.op);
    if (condition.property == RuleProperty::query)
        append_sized(out, condition.name);
    append_values(out, condition);
    return out;
}

Bytes compiled(const LinkRule& rule) {
    Bytes out(rule.id.view());
    append_sized(out, rule.destination);
    for (const auto& condition : rule.conditions)
        append_sized(out, compiled(condition));
    return out;
}

// Without any weight each has its turn, which is no different from weights of 1 that are dealt in turn; with
// one, a rule without counts as 1 (wire "Parts of a link").
Bytes compiled(const std::vector<RotatorRule>& rules) {
    const bool weighted =
        std::ranges::any_of(rules, [](const RotatorRule& rule) { return rule.weight.has_value(); });
    const auto weight_of = [&](const RotatorRule& rule) -> std::uint64_t {
        return weighted ? static_cast<std::uint64_t>(rule.weight.value_or(1)) : 0;
    };
    std::uint64_t total = 0;
    for (const auto& rule : rules)
        total += weight_of(rule);
    Bytes out;
    data::append_varint(out, total);
    if (weighted && total == 0)
        return out;
    for (const auto& rule : rules) {
        out += rule.id.view();
        data::append_varint(out, weight_of(rule));
        append_sized(out, rule.destination);
    }
    return out;
}

std::uint8_t take_byte(std::string_view& in) {
    const auto byte = static_cast<std::uint8_t>(in.front());
    in.remove_prefix(1);
    return byte;
}

template <class I>
bool take_id(std::string_view& in, I& id) {
    const auto read = I::from_bytes(in.substr(0, 16));
    if (!read)
        return false;
    id = *read;
    in.remove_prefix(16);
    return true;
}

} // namespace

Bytes compile_routing(const LinkParts& parts) {
    const bool deep_links = std::ranges::any_of(parts.deep_links, &DeepLink::active);
    const auto flags = static_cast<unsigned char>(
        (parts.open_graph ? routing_open_graph : 0) | (deep_links ? routing_deep_links : 0) |
        (parts.rules.empty() ? 0 : routing_rules) | (parts.rotator.empty() ? 0 : routing_rotator));
    if (flags == 0)
        return {};
    Bytes out(1, static_cast<char>(flags));
    if (!parts.rules.empty()) {
        Bytes rules;
        for (const auto& rule : parts.rules)
            append_sized(rules, compiled(rule));
        append_sized(out, rules);
    }
    if (!parts.rotator.empty())
        append_sized(out, compiled(parts.rotator));
    return out;
}

Routing::Routing(std::string_view compiled) {
    if (compiled.empty())
        return;
    const auto flags = take_byte(compiled);
    if ((flags & routing_rules) != 0 && !data::take_sized(compiled, rules_))
        return;
    if ((flags & routing_rotator) != 0 && data::take_sized(compiled, arms_) &&
        !data::take_varint(arms_, total_weight_))
        arms_ = {};
}

bool Routing::take_rule(std::string_view& left, RuleView& rule) {
    std::string_view bytes;
    if (!data::take_sized(left, bytes) || !take_id(bytes, rule.id) ||
        !data::take_sized(bytes, rule.destination))
        return false;
    rule.conditions = bytes;
    return true;
}

bool Routing::take_arm(std::string_view& left, ArmView& arm) {
    return take_id(left, arm.id) && data::take_varint(left, arm.weight) &&
           data::take_sized(left, arm.destination);
}

bool RuleView::take_condition(std::string_view& left, ConditionView& condition) {
    std::string_view bytes;
    if (!data::take_sized(left, bytes) || bytes.size() < 2)
        return false;
    condition.property = static_cast<RuleProperty>(take_byte(bytes));
    condition.op = static_cast<RuleOperator>(take_byte(bytes));
    condition.name = {};
    if (condition.property == RuleProperty::query && !data::take_sized(bytes, condition.name))
        return false;
    condition.values = bytes;
    return true;
}

} // namespace slashpost::redirect
