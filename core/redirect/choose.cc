#include "core/redirect/choose.h"

#include "core/base/percent.h"
#include "core/base/time_window.h"
#include "core/data/packed.h"
#include "core/redirect/languages.h"

#include <charconv>

namespace slashpost::redirect {

namespace {

std::uint64_t take_number(std::string_view& in, std::size_t width) {
    return data::big_endian(data::take(in, width));
}

bool has_country(std::string_view countries, CountryCode country) {
    for (; countries.size() >= 2; countries.remove_prefix(2))
        if (countries.substr(0, 2) == country.view())
            return true;
    return false;
}

template <class Enum>
bool has_word(std::string_view bits, Enum value) {
    const auto number = static_cast<unsigned>(value);
    return number != 0 && number < 32 && (take_number(bits, 4) >> number & 1U) != 0;
}

bool has_language(std::string_view ranges, std::string_view language) {
    for (std::string_view range; data::take_sized(ranges, range);)
        if (language_matches(language, range))
            return true;
    return false;
}

bool has_time(std::string_view spans, Timestamp now) {
    while (!spans.empty()) {
        TimeSpan span;
        if (take_number(spans, 1) != 0) {
            span.from = Timestamp{static_cast<std::int64_t>(take_number(spans, 8))};
            span.until = Timestamp{static_cast<std::int64_t>(take_number(spans, 8))};
        } else {
            span.weekdays = static_cast<std::uint8_t>(take_number(spans, 1));
            span.begin_minute = static_cast<std::uint32_t>(take_number(spans, 2));
            span.end_minute = static_cast<std::uint32_t>(take_number(spans, 2));
            if (!data::take_sized(spans, span.zone))
                return false;
        }
        if (contains(span, now))
            return true;
    }
    return false;
}

// Below zero: now is before the mark. Nothing when the zone is not known.
std::optional<std::int64_t> from_mark(std::string_view mark, Timestamp now) {
    if (take_number(mark, 1) != 0)
        return now.ms - static_cast<std::int64_t>(take_number(mark, 8));
    const auto minute = static_cast<std::int64_t>(take_number(mark, 2));
    std::string_view zone;
    const auto clock = data::take_sized(mark, zone) ? wall_clock(zone, now) : std::nullopt;
    if (!clock)
        return std::nullopt;
    return static_cast<std::int64_t>(clock->minute) - minute;
}

char take_query_byte(std::string_view& text) {
    const bool plus = text.front() == '+';
    const char byte = take_percent_decoded(text);
    return plus ? ' ' : byte;
}

// `sent` undone of escapes is `text`.
bool reads_as(std::string_view sent, std::string_view text) {
    for (; !sent.empty() && !text.empty(); text.remove_prefix(1))
        if (take_query_byte(sent) != text.front())
            return false;
    return sent.empty() && text.empty();
}

// The value of the first parameter of that name, still escaped.
std::optional<std::string_view> parameter(std::string_view query, std::string_view name) {
    while (!query.empty()) {
        const auto pair = query.substr(0, query.find('&'));
        query.remove_prefix(std::min(pair.size() + 1, query.size()));
        const auto equals = std::min(pair.find('='), pair.size());
        if (reads_as(pair.substr(0, equals), name))
            return pair.substr(std::min(equals + 1, pair.size()));
    }
    return std::nullopt;
}

bool has_value(std::string_view values, std::string_view sent) {
    for (std::string_view value; data::take_sized(values, value);)
        if (reads_as(sent, value))
            return true;
    return false;
}

// All of it, in plain decimal notation.
std::optional<double> read_decimal(std::string_view text) {
    double number = 0;
    const auto* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number, std::chars_format::fixed);
    if (read.ec != std::errc() || read.ptr != end || text.find_first_not_of("-.0123456789") != text.npos)
        return std::nullopt; // "inf" too
    return number;
}

bool holds_for_query(const ConditionView& condition, std::string_view query) {
    const auto sent = parameter(query, condition.name);
    if (condition.op == RuleOperator::in)
        return sent && has_value(condition.values, *sent);
    if (condition.op == RuleOperator::not_in)
        return !sent || !has_value(condition.values, *sent);
    auto values = condition.values;
    std::string_view value;
    if (!sent || !data::take_sized(values, value))
        return false;
    const auto theirs = read_decimal(*sent), ours = read_decimal(value);
    if (!theirs || !ours)
        return false;
    return condition.op == RuleOperator::before ? *theirs < *ours : *theirs > *ours;
}

bool holds_for_time(const ConditionView& condition, Timestamp now) {
    if (condition.op == RuleOperator::in || condition.op == RuleOperator::not_in)
        return has_time(condition.values, now) == (condition.op == RuleOperator::in);
    const auto distance = from_mark(condition.values, now);
    return distance && (condition.op == RuleOperator::before ? *distance < 0 : *distance >= 0);
}

} // namespace

bool holds(const ConditionView& condition, const VisitorFacts& visitor) {
    const bool expected = condition.op == RuleOperator::in;
    switch (condition.property) {
    case RuleProperty::country:
        return has_country(condition.values, visitor.country) == expected;
    case RuleProperty::language:
        return (!visitor.language.empty() && has_language(condition.values, visitor.language)) == expected;
    case RuleProperty::device:
        return has_word(condition.values, visitor.agent.device) == expected;
    case RuleProperty::os:
        return has_word(condition.values, visitor.agent.system) == expected;
    case RuleProperty::browser:
        return has_word(condition.values, visitor.agent.browser) == expected;
    case RuleProperty::time:
        return holds_for_time(condition, visitor.now);
    case RuleProperty::query:
        return holds_for_query(condition, visitor.query);
    }
    return false; // a property of a later build
}

bool matches(const RuleView& rule, const VisitorFacts& visitor) {
    auto left = rule.conditions;
    while (!left.empty())
        if (ConditionView condition; !RuleView::take_condition(left, condition) || !holds(condition, visitor))
            return false;
    return true;
}

std::optional<RuleView> first_match(const Routing& routing, const VisitorFacts& visitor) {
    auto left = routing.rules();
    for (RuleView rule; Routing::take_rule(left, rule);)
        if (matches(rule, visitor))
            return rule;
    return std::nullopt;
}

std::optional<ArmView> arm_of(const Routing& routing, std::uint64_t number) {
    auto total = routing.total_weight();
    const bool weighted = total != 0;
    ArmView arm;
    if (!weighted)
        for (auto left = routing.arms(); Routing::take_arm(left, arm);)
            ++total;
    if (total == 0)
        return std::nullopt;
    number %= total;
    for (auto left = routing.arms(); Routing::take_arm(left, arm);) {
        const auto share = weighted ? arm.weight : 1;
        if (number < share)
            return arm;
        number -= share;
    }
    return std::nullopt;
}

} // namespace slashpost::redirect
