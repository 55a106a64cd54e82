#include "core/ops/rule_conditions.h"

#include "core/base/ascii.h"
#include "core/base/codes.h"
#include "core/base/text.h"
#include "core/base/time_window.h"
#include "core/model/visitor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>

namespace slashpost {

namespace {

constexpr std::string_view query_prefix = "req.query.";
constexpr std::size_t query_name_length_max = 100;

struct PropertyName {
    std::string_view name;
    RuleProperty property;
};
constexpr std::array properties{
    PropertyName{"req.country", RuleProperty::country}, PropertyName{"req.language", RuleProperty::language},
    PropertyName{"req.device", RuleProperty::device},   PropertyName{"req.os", RuleProperty::os},
    PropertyName{"req.browser", RuleProperty::browser}, PropertyName{"req.time", RuleProperty::time}};

constexpr std::array<std::string_view, 4> types{"device", "location", "time", "platform"};
constexpr std::array type_properties{RuleProperty::device, RuleProperty::country, RuleProperty::time,
                                     RuleProperty::os};

struct OperatorName {
    std::string_view name;
    RuleOperator op;
};
constexpr std::array operators{
    OperatorName{"in", RuleOperator::in}, OperatorName{"not-in", RuleOperator::not_in},
    OperatorName{"before", RuleOperator::before}, OperatorName{"after", RuleOperator::after}};

bool compares(RuleOperator op) { return op == RuleOperator::before || op == RuleOperator::after; }

bool may_be_compared(RuleProperty property) {
    return property == RuleProperty::time || property == RuleProperty::query;
}

bool is_query_name(std::string_view name) {
    constexpr std::string_view marks = "-._~[]";
    return !name.empty() && name.size() <= query_name_length_max && std::ranges::all_of(name, [&](char c) {
        return ascii::is_letter_or_digit(c) || marks.find(c) != marks.npos;
    });
}

// "12", "-0.5"
bool is_number(std::string_view text) {
    constexpr std::size_t digits_max = 15; // a double has them all
    if (text.starts_with('-'))
        text.remove_prefix(1);
    const auto point = text.find('.');
    const auto whole = text.substr(0, point);
    const auto fraction = point == text.npos ? "0" : text.substr(point + 1);
    const auto are_digits = [](std::string_view part) {
        return !part.empty() && part.find_first_not_of("0123456789") == part.npos;
    };
    return are_digits(whole) && are_digits(fraction) && whole.size() + fraction.size() <= digits_max;
}

std::optional<std::string> one_of(std::span<const std::string_view> words, std::string word) {
    return std::ranges::find(words, word) == words.end() ? std::nullopt : std::optional(std::move(word));
}

// The normal form of a value; nothing when it is none.
std::optional<std::string> normal_value(RuleProperty property, RuleOperator op, std::string_view value) {
    if (count_code_points(value) > condition_value_length_max || has_control(value))
        return std::nullopt;
    auto word = lower_ascii(trim(value));
    switch (property) {
    case RuleProperty::country:
        return is_country_code(word) ? std::optional(std::move(word)) : std::nullopt;
    case RuleProperty::language:
        std::ranges::replace(word, '_', '-');
        return is_language_tag(word) ? std::optional(std::move(word)) : std::nullopt;
    case RuleProperty::device:
        return one_of(device_names, std::move(word));
    case RuleProperty::os:
        return one_of(system_names, std::move(word));
    case RuleProperty::browser:
        return one_of(browser_names, std::move(word));
    case RuleProperty::time:
        if (compares(op)) {
            auto mark = parse_time_limit(value);
            return mark ? std::optional(std::move(mark->text)) : std::nullopt;
        } else {
            auto window = parse_time_window(value);
            return window ? std::optional(std::move(window->text)) : std::nullopt;
        }
    case RuleProperty::query:
        if (compares(op) && !is_number(value))
            return std::nullopt;
        return std::string(value);
    }
    return std::nullopt;
}

std::string value_message(RuleProperty property, RuleOperator op) {
    switch (property) {
    case RuleProperty::country:
        return "must be a country of ISO 3166 such as de";
    case RuleProperty::language:
        return "must be a language such as de or de-at";
    case RuleProperty::device:
        return fmt::format("must be one of {}", fmt::join(device_names, ", "));
    case RuleProperty::os:
        return fmt::format("must be one of {}", fmt::join(system_names, ", "));
    case RuleProperty::browser:
        return fmt::format("must be one of {}", fmt::join(browser_names, ", "));
    case RuleProperty::time:
        return compares(op)
                   ? "must be a time such as 2026-01-01T00:00Z or 09:00 Europe/Berlin"
                   : "must be 2026-01-01T00:00Z/2026-02-01T00:00Z, 09:00-17:00 Europe/Berlin, mon-fri "
                     "or the like";
    case RuleProperty::query:
        return compares(op) ? "must be a number"
                            : fmt::format("must have at most {} characters and no control characters",
                                          condition_value_length_max);
    }
    return {};
}

// Adds problems, and knows those that were there before.
class Notes {
  public:
    explicit Notes(Problems& problems) : problems_(problems), from_shape_(std::ssize(problems.fields())) {}

    // On the property or on something inside it.
    [[nodiscard]] bool has(std::string_view property) const {
        const auto& fields = problems_.fields();
        return std::ranges::any_of(fields.begin(), fields.begin() + from_shape_,
                                   [&](const FieldError& problem) {
                                       const std::string_view name = problem.property;
                                       return name.starts_with(property) &&
                                              (name.size() == property.size() ||
                                               name[property.size()] == '.' || name[property.size()] == '[');
                                   });
    }
    [[nodiscard]] bool has_itself(std::string_view property) const {
        return std::ranges::find(problems_.fields(), property, &FieldError::property) !=
               problems_.fields().end();
    }
    void add(FieldError problem) {
        ++added_;
        problems_.add(std::move(problem));
    }
    [[nodiscard]] bool added() const { return added_ != 0; }

  private:
    Problems& problems_;
    std::ptrdiff_t from_shape_; // those that reading the input found
    int added_ = 0;
};

bool read_property(const std::string& name, RuleCondition& out) {
    const auto* const found = std::ranges::find(properties, name, &PropertyName::name);
    if (found != properties.end()) {
        out.property = found->property;
        return true;
    }
    if (!name.starts_with(query_prefix) || !is_query_name(std::string_view(name).substr(query_prefix.size())))
        return false;
    out.property = RuleProperty::query;
    out.name = name.substr(query_prefix.size());
    return true;
}

bool read_operator(const std::string& name, RuleProperty property, RuleOperator& out) {
    const auto* const found = std::ranges::find(operators, name, &OperatorName::name);
    if (found == operators.end() || (compares(found->op) && !may_be_compared(property)))
        return false;
    out = found->op;
    return true;
}

void add_value(RuleCondition& condition, std::string value) {
    if (std::ranges::find(condition.values, value) == condition.values.end())
        condition.values.push_back(std::move(value));
}

void read_values(const ConditionInput& in, const std::string& place, RuleCondition& out, Notes& notes) {
    const auto whole = place + ".values";
    if (in.values.empty() && !notes.has(whole))
        notes.add(required_field(whole));
    if (compares(out.op) && in.values.size() > 1)
        notes.add(invalid_format(whole, "must be one value"));
    for (std::size_t i = 0; i < in.values.size(); ++i) {
        const auto at = fmt::format("{}[{}]", whole, i);
        if (notes.has(at))
            continue;
        if (auto value = normal_value(out.property, out.op, in.values[i]))
            add_value(out, std::move(*value));
        else
            notes.add(invalid_format(at, value_message(out.property, out.op)));
    }
}

RuleCondition read_condition(const ConditionInput& in, const std::string& place, Notes& notes) {
    RuleCondition out;
    const auto property = place + ".property", op = place + ".operator";
    if (!read_property(in.property, out)) {
        if (!notes.has(property))
            notes.add(invalid_format(property, "must be req.country, req.language, req.device, req.os, "
                                               "req.browser, req.time or req.query.<name>"));
        return out; // what else may be said depends on it
    }
    if (!read_operator(in.op, out.property, out.op)) {
        if (!notes.has(op))
            notes.add(invalid_format(op, may_be_compared(out.property)
                                             ? "must be one of in, not-in, before, after"
                                             : "must be one of in, not-in"));
        return out;
    }
    read_values(in, place, out, notes);
    return out;
}

RuleCondition read_plain(const PlainCondition& in, const std::string& place, Notes& notes) {
    RuleCondition out;
    const auto type_place = place + ".type", value_place = place + ".value";
    const auto* const type = std::ranges::find(types, std::string_view(in.type));
    if (type == types.end()) {
        if (!notes.has(type_place))
            notes.add(invalid_format(type_place, fmt::format("must be one of {}", fmt::join(types, ", "))));
        return out;
    }
    if (notes.has(value_place))
        return out;
    if (in.value.empty()) {
        notes.add(required_field(value_place));
        return out;
    }
    out.property = type_properties.at(static_cast<std::size_t>(type - types.begin()));
    for (std::size_t begin = 0; begin <= in.value.size() && out.values.size() <= values_per_condition_max;) {
        const auto end = std::min(in.value.find(',', begin), in.value.size());
        auto value =
            normal_value(out.property, out.op, std::string_view(in.value).substr(begin, end - begin));
        if (!value) {
            notes.add(invalid_format(value_place, value_message(out.property, out.op)));
            break;
        }
        add_value(out, std::move(*value));
        begin = end + 1;
    }
    if (out.values.size() > values_per_condition_max)
        notes.add(
            out_of_range(value_place, fmt::format("must have at most {} values", values_per_condition_max)));
    return out;
}

template <class In, class Read>
std::vector<RuleCondition> read_all(const std::vector<In>& in, std::string_view name, const Read& read,
                                    Notes& notes) {
    std::vector<RuleCondition> out;
    for (std::size_t i = 0; i < in.size(); ++i)
        if (const auto place = fmt::format("{}[{}]", name, i); !notes.has_itself(place))
            out.push_back(read(in[i], place, notes));
    return out;
}

} // namespace

std::span<const std::string_view> plain_condition_types() { return types; }

std::vector<RuleCondition> read_conditions(const ConditionsInput& in, std::span<const RuleCondition> stored,
                                           Problems& problems) {
    Notes notes(problems);
    auto full = read_all(in.condition, "condition.and", read_condition, notes);
    auto plain = read_all(in.conditions, "conditions", read_plain, notes);
    if (notes.added() || notes.has("condition") || notes.has("conditions"))
        return {};
    if (full.empty() && plain.empty() && stored.empty())
        notes.add(required_field("conditions"));
    if (full.empty() || plain.empty() || full == plain)
        return full.empty() ? plain : full;
    const auto is_stored = [&](const auto& conditions) { return std::ranges::equal(conditions, stored); };
    if (is_stored(full) == is_stored(plain)) {
        notes.add(invalid_format("condition", "says something else than conditions"));
        notes.add(invalid_format("conditions", "says something else than condition"));
        return {};
    }
    return is_stored(full) ? plain : full;
}

std::string property_name(const RuleCondition& condition) {
    if (condition.property == RuleProperty::query)
        return std::string(query_prefix) + condition.name;
    return std::string(std::ranges::find(properties, condition.property, &PropertyName::property)->name);
}

std::string_view operator_name(RuleOperator op) {
    return std::ranges::find(operators, op, &OperatorName::op)->name;
}

std::vector<PlainCondition> plain_conditions(std::span<const RuleCondition> conditions) {
    std::vector<PlainCondition> out;
    for (const auto& condition : conditions) {
        const auto* const found = std::ranges::find(type_properties, condition.property);
        if (found == type_properties.end() || condition.op != RuleOperator::in)
            return {};
        const auto type = types.at(static_cast<std::size_t>(found - type_properties.begin()));
        out.push_back(
            {.type = std::string(type), .value = fmt::format("{}", fmt::join(condition.values, ","))});
    }
    return out;
}

} // namespace slashpost
