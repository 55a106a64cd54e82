#include "core/redirect/choose.h"

#include "core/base/ascii.h"
#include "core/base/percent.h"
#include "core/base/query.h"
#include "core/base/time_window.h"
#include "core/data/packed.h"
#include "core/visitors/languages.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <string>
#include <vector>

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

bool has_value(std::string_view values, std::string_view sent) {
    for (std::string_view value; data::take_sized(values, value);)
        if (value == sent)
            return true;
    return false;
}

// All of it, in plain decimal notation. No number of ours has more digits than a double.
std::optional<double> read_decimal(std::string_view text) {
    constexpr std::size_t size_max = 40;
    double number = 0;
    const auto* const end = text.data() + text.size();
    if (text.size() > size_max || text.find_first_not_of("-.0123456789") != text.npos) // "inf" too
        return std::nullopt;
    const auto read = std::from_chars(text.data(), end, number, std::chars_format::fixed);
    return read.ec == std::errc() && read.ptr == end ? std::optional(number) : std::nullopt;
}

bool begins_escape(char c) { return c == '%' || c == '+'; }

// Appends a part of a query undone of escapes, but no more than `size_max` bytes and one.
void append_unescaped(std::string& out, std::string_view sent, std::size_t size_max) {
    sent = sent.substr(0, 3 * (size_max + 1));
    const auto* const escape = std::ranges::find_if(sent, begins_escape);
    const auto plain = std::min(static_cast<std::size_t>(escape - sent.begin()), size_max + 1);
    out += sent.substr(0, plain);
    sent.remove_prefix(plain);
    for (auto size = plain; !sent.empty() && size <= size_max; ++size) {
        const bool plus = sent.front() == '+';
        const char byte = take_percent_decoded(sent);
        out += plus ? ' ' : byte;
    }
}

// Longer than any name or value of a condition, so none of them is one of these.
constexpr std::size_t name_bytes_max = 100, value_bytes_max = 255 * 4;
constexpr std::size_t parameters_max = 1'000;

std::uint64_t hash_of(std::string_view text) { return std::hash<std::string_view>()(text); }

} // namespace

// What a thread has found out of its visitor.
struct Examiner::Known {
    struct Parameter {
        std::uint64_t name =
            0; // its hash: who makes up a name of the same may as well send the one that is meant
        std::uint64_t visit = 0;           // that it is of
        std::string_view sent;             // its value
        std::uint32_t begin = 0, size = 0; // of the value within the texts, when it was asked for
        bool is_unescaped = false;
    };

    struct ClockOfZone {
        std::string_view zone;
        std::optional<WallClock> clock;
        std::uint64_t visit = 0; // that it is of
    };

    // Powers of two; more than twice the zones there are, and the parameters that are looked at, so that a
    // free place is always near.
    static constexpr std::size_t clocks_max = 2048, parameter_places = 2048;

    std::uint64_t visit = 0;
    std::vector<Parameter> parameters; // each at the place of its name's hash or behind it
    std::string texts;                 // unescaped
    std::string name;                  // the same, of the parameter that is read
    std::string language;              // in lower case
    std::vector<ClockOfZone> clocks;   // each at the place of its zone's hash or behind it
};

Examiner::Examiner(const VisitorFacts& visitor)
    : visitor_(visitor),
      known_([]() -> Known& {
          thread_local Known known;
          return known;
      }()) {
    ++known_.visit;
    known_.language.clear();
    for (const char c : visitor.language)
        known_.language += ascii::lower(c);
}

// The place of the parameter of this name in this visit, or a free one.
std::size_t Examiner::place_of(std::uint64_t name) const {
    const auto& parameters = known_.parameters;
    auto place = name % Known::parameter_places;
    while (parameters[place].visit == known_.visit && parameters[place].name != name)
        place = (place + 1) % Known::parameter_places;
    return place;
}

// Of equal names the first counts.
void Examiner::read_query() {
    query_is_read_ = true;
    known_.parameters.resize(Known::parameter_places); // the first time
    known_.texts.clear();
    each_parameter(visitor_.query, [this](std::string_view sent, std::string_view sent_name) {
        if (figures_.parameters == parameters_max)
            return;
        ++figures_.parameters;
        auto name = sent_name.substr(0, name_bytes_max + 1);
        if (std::ranges::any_of(sent_name, begins_escape)) {
            known_.name.clear();
            append_unescaped(known_.name, sent_name, name_bytes_max);
            name = known_.name;
        }
        const auto hash = hash_of(name);
        auto& parameter = known_.parameters[place_of(hash)];
        if (parameter.visit == known_.visit)
            return;
        sent.remove_prefix(std::min(sent_name.size() + 1, sent.size()));
        parameter = {.name = hash, .visit = known_.visit, .sent = sent};
    });
}

// What was sent under the name of a condition; nothing when it was not.
std::optional<std::string_view> Examiner::sent_as(std::string_view name) {
    if (!query_is_read_)
        read_query();
    auto& parameter = known_.parameters[place_of(hash_of(name))];
    if (parameter.visit != known_.visit)
        return std::nullopt;
    auto& texts = known_.texts;
    if (!parameter.is_unescaped) {
        parameter.begin = static_cast<std::uint32_t>(texts.size());
        append_unescaped(texts, parameter.sent, value_bytes_max);
        parameter.size = static_cast<std::uint32_t>(texts.size()) - parameter.begin;
        parameter.is_unescaped = true;
    }
    return std::string_view(texts).substr(parameter.begin, parameter.size);
}

std::optional<WallClock> Examiner::clock_in(std::string_view zone) {
    if (zone.empty())
        return wall_clock(zone, visitor_.now);
    auto& clocks = known_.clocks;
    clocks.resize(Known::clocks_max); // the first time
    auto place = hash_of(zone) % clocks.size();
    while (clocks[place].visit == known_.visit && clocks[place].zone != zone)
        place = (place + 1) % clocks.size();
    if (clocks[place].visit == known_.visit)
        return clocks[place].clock;
    const auto clock = wall_clock(zone, visitor_.now);
    if (++figures_.zones <= clocks.size() / 2)
        clocks[place] = {.zone = zone, .clock = clock, .visit = known_.visit};
    return clock;
}

bool Examiner::has_language(std::string_view ranges) {
    if (visitor_.language.empty())
        return false;
    for (std::string_view range; data::take_sized(ranges, range);)
        if (language_matches(known_.language, range))
            return true;
    return false;
}

bool Examiner::has_time(std::string_view spans) {
    while (!spans.empty()) {
        TimeSpan span;
        if (take_number(spans, 1) != 0) {
            span.from = Timestamp{static_cast<std::int64_t>(take_number(spans, 8))};
            span.until = Timestamp{static_cast<std::int64_t>(take_number(spans, 8))};
            if (*span.from <= visitor_.now && visitor_.now < *span.until)
                return true;
            continue;
        }
        span.weekdays = static_cast<std::uint8_t>(take_number(spans, 1));
        span.begin_minute = static_cast<std::uint32_t>(take_number(spans, 2));
        span.end_minute = static_cast<std::uint32_t>(take_number(spans, 2));
        if (!data::take_sized(spans, span.zone))
            return false;
        if (const auto clock = clock_in(span.zone); clock && contains(span, *clock))
            return true;
    }
    return false;
}

// Below zero: now is before the mark. Nothing when the zone is not known.
std::optional<std::int64_t> Examiner::from_limit(std::string_view mark) {
    if (take_number(mark, 1) != 0)
        return visitor_.now.ms - static_cast<std::int64_t>(take_number(mark, 8));
    const auto minute = static_cast<std::int64_t>(take_number(mark, 2));
    std::string_view zone;
    const auto clock = data::take_sized(mark, zone) ? clock_in(zone) : std::nullopt;
    if (!clock)
        return std::nullopt;
    return static_cast<std::int64_t>(clock->minute) - minute;
}

bool Examiner::holds_for_time(const ConditionView& condition) {
    if (condition.op == RuleOperator::in || condition.op == RuleOperator::not_in)
        return has_time(condition.values) == (condition.op == RuleOperator::in);
    const auto distance = from_limit(condition.values);
    return distance && (condition.op == RuleOperator::before ? *distance < 0 : *distance >= 0);
}

bool Examiner::holds_for_query(const ConditionView& condition) {
    const auto sent = sent_as(condition.name);
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

bool Examiner::holds(const ConditionView& condition) {
    const bool expected = condition.op == RuleOperator::in;
    switch (condition.property) {
    case RuleProperty::country:
        return has_country(condition.values, visitor_.country) == expected;
    case RuleProperty::language:
        return has_language(condition.values) == expected;
    case RuleProperty::device:
        return has_word(condition.values, visitor_.agent.device) == expected;
    case RuleProperty::os:
        return has_word(condition.values, visitor_.agent.system) == expected;
    case RuleProperty::browser:
        return has_word(condition.values, visitor_.agent.browser) == expected;
    case RuleProperty::time:
        return holds_for_time(condition);
    case RuleProperty::query:
        return holds_for_query(condition);
    }
    return false; // a property of a later build
}

bool Examiner::matches(const RuleView& rule) {
    auto left = rule.conditions;
    while (!left.empty())
        if (ConditionView condition; !RuleView::take_condition(left, condition) || !holds(condition))
            return false;
    return true;
}

std::optional<RuleView> first_match(const Routing& routing, const VisitorFacts& visitor) {
    Examiner examiner(visitor);
    auto left = routing.rules();
    for (RuleView rule; Routing::take_rule(left, rule);)
        if (examiner.matches(rule))
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
