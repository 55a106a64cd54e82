// The leaf types: text, boolean, integer, time, id, enumeration.
#include "core/base/id.h"
#include "core/base/text.h"
#include "core/base/time.h"
#include "http/wire/value_type.h"

#include <boost/json.hpp>
#include <fmt/compile.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace slashpost::wire {

namespace json = boost::json;

namespace {

json::object leaf_schema(std::string_view type, const Rules& rules) {
    json::object out{{"type", type}};
    if (!rules.example.empty())
        out["examples"] = {rules.example};
    return out;
}

json::array words_of(std::span<const std::string_view> words) {
    json::array out;
    for (const auto word : words)
        out.emplace_back(word);
    return out;
}

std::string must_be_one_of(std::span<const std::string_view> words) {
    return fmt::format("must be one of {}", fmt::join(words, ", "));
}

class TextType final : public ValueType {
  public:
    bool read(Reading& reading, const json::value& in, const Rules& rules, void* out) const override {
        const auto* string = in.if_string();
        if (string == nullptr)
            return reading.refuse(invalid_format(reading.property(), "must be a string"));
        const auto text = rules.trimmed ? trim(*string) : std::string_view(*string);
        if (text.find('\0') != text.npos || !is_utf8(text))
            return reading.refuse(
                invalid_format(reading.property(), "must be UTF-8 without the character U+0000"));
        const auto length = count_code_points(text);
        if (length < rules.length_min || length > rules.length_max)
            return reading.refuse(invalid_length(reading.property(), rules.length_min, rules.length_max));
        if (rules.format != nullptr && rules.format->check != nullptr && !rules.format->check(text))
            return reading.refuse(mismatch(reading.property(), *rules.format));
        if (!rules.one_of.empty() && std::ranges::find(rules.one_of, text) == rules.one_of.end())
            return reading.refuse(invalid_format(reading.property(), must_be_one_of(rules.one_of)));
        *static_cast<std::string*>(out) = text;
        return true;
    }

    void write(const void* in, std::string& out) const override {
        write_text(*static_cast<const std::string*>(in), out);
    }

    json::value schema(const Rules& rules, Use, json::object&) const override {
        auto out = leaf_schema("string", rules);
        if (rules.length_min > 0)
            out["minLength"] = rules.length_min;
        if (rules.length_max != Rules{}.length_max)
            out["maxLength"] = rules.length_max;
        if (rules.format != nullptr && !rules.format->name.empty())
            out["format"] = rules.format->name;
        if (rules.format != nullptr && !rules.format->pattern.empty())
            out["pattern"] = rules.format->pattern;
        if (!rules.one_of.empty())
            out["enum"] = words_of(rules.one_of);
        return out;
    }

  private:
    static FieldError mismatch(const std::string& property, const Format& format) {
        return format.pattern.empty() ? invalid_format(property, format.message)
                                      : pattern_mismatch(property, format.pattern);
    }
};

class BooleanType final : public ValueType {
  public:
    bool read(Reading& reading, const json::value& in, const Rules&, void* out) const override {
        const auto truth = in.is_bool() ? std::optional(in.get_bool()) : of_text(in);
        if (!truth)
            return reading.refuse(invalid_format(reading.property(), "must be true or false"));
        *static_cast<bool*>(out) = *truth;
        return true;
    }

    void write(const void* in, std::string& out) const override {
        out += *static_cast<const bool*>(in) ? "true" : "false";
    }

    json::value schema(const Rules& rules, Use, json::object&) const override {
        return leaf_schema("boolean", rules);
    }

  private:
    // Languages write it in their own ways: True, TRUE.
    static std::optional<bool> of_text(const json::value& in) {
        const auto* given = in.if_string();
        const auto text = given == nullptr ? std::string() : lower_ascii(*given);
        if (text == "true" || text == "1")
            return true;
        if (text == "false" || text == "0")
            return false;
        return std::nullopt;
    }
};

// What an input says about a whole number, however large it is.
struct WholeNumber {
    enum class Size { fits, too_small, too_large } size = Size::fits;
    std::int64_t value = 0;
};

// "60" and "60.0".
std::optional<WholeNumber> whole_number_of_text(std::string_view text) {
    if (const auto point = text.find('.'); point != 0 && point < text.size() - 1 && // also of npos
                                           text.find_first_not_of('0', point + 1) == text.npos)
        text = text.substr(0, point);
    WholeNumber out;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out.value);
    if (error == std::errc::result_out_of_range)
        out.size = text.starts_with('-') ? WholeNumber::Size::too_small : WholeNumber::Size::too_large;
    else if (error != std::errc{})
        return std::nullopt;
    return end == text.data() + text.size() ? std::optional(out) : std::nullopt;
}

// 5.0 and "5" are whole numbers in JSON; the two doubles are -2^63 and 2^63, both exact.
std::optional<WholeNumber> whole_number_of(const json::value& in) {
    if (const auto* text = in.if_string())
        return whole_number_of_text(*text);
    WholeNumber out;
    if (const auto* number = in.if_int64()) {
        out.value = *number;
    } else if (in.is_uint64()) {
        out.size = WholeNumber::Size::too_large; // the parser uses it above the signed range only
    } else if (const auto* real = in.if_double(); real != nullptr && std::trunc(*real) == *real) {
        if (*real < -9223372036854775808.0)
            out.size = WholeNumber::Size::too_small;
        else if (*real >= 9223372036854775808.0)
            out.size = WholeNumber::Size::too_large;
        else
            out.value = static_cast<std::int64_t>(*real);
    } else {
        return std::nullopt;
    }
    return out;
}

class IntegerType final : public ValueType {
  public:
    explicit IntegerType(IntegerAccess access) : access_(access) {}

    bool read(Reading& reading, const json::value& in, const Rules& rules, void* out) const override {
        const auto number = whole_number_of(in);
        if (!number)
            return reading.refuse(invalid_format(reading.property(), "must be a whole number"));
        const auto min = std::max(rules.range_min, access_.min);
        const auto max = std::min(rules.range_max, access_.max);
        const bool fits = number->size == WholeNumber::Size::fits;
        const bool above = fits ? number->value > max : number->size == WholeNumber::Size::too_large;
        const bool below = fits ? number->value < min : number->size == WholeNumber::Size::too_small;
        if (below || (above && !rules.clamp_above))
            return reading.refuse(out_of_range(reading.property(), limits(rules, min, max, above)));
        access_.set(out, above ? max : number->value);
        return true;
    }

    void write(const void* in, std::string& out) const override {
        fmt::format_to(std::back_inserter(out), FMT_COMPILE("{}"), access_.get(in));
    }

    json::value schema(const Rules& rules, Use, json::object&) const override {
        auto out = leaf_schema("integer", rules);
        if (rules.range_min != Rules{}.range_min)
            out["minimum"] = rules.range_min;
        if (rules.range_max != Rules{}.range_max && !rules.clamp_above)
            out["maximum"] = rules.range_max;
        return out;
    }

  private:
    // Both bounds, unless nothing that can be written is above the upper one, or that is not refused.
    static std::string limits(const Rules& rules, std::int64_t min, std::int64_t max, bool above) {
        const bool open_above = !above && max == Rules{}.range_max;
        return rules.clamp_above || open_above ? fmt::format("must be at least {}", min)
                                               : fmt::format("must be between {} and {}", min, max);
    }
    const IntegerAccess access_;
};

class TimeType final : public ValueType {
  public:
    bool read(Reading& reading, const json::value& in, const Rules& rules, void* out) const override {
        const auto* text = in.if_string();
        const bool day = rules.format != nullptr;
        const auto time = text == nullptr ? std::nullopt : day ? parse_day(*text) : parse_iso(*text);
        if (!time)
            return reading.refuse(
                invalid_format(reading.property(), day ? rules.format->message
                                                       : "must be a time such as 2026-01-31T09:00:00.000Z"));
        *static_cast<Timestamp*>(out) = *time;
        return true;
    }

    void write(const void* in, std::string& out) const override {
        write_text(to_iso(*static_cast<const Timestamp*>(in)), out);
    }

    json::value schema(const Rules& rules, Use, json::object&) const override {
        auto out = leaf_schema("string", rules);
        out["format"] = rules.format != nullptr ? rules.format->name : "date-time";
        return out;
    }
};

class IdType final : public ValueType {
  public:
    bool read(Reading& reading, const json::value& in, const Rules&, void* out) const override {
        const auto* text = in.if_string();
        const auto id = text == nullptr ? std::nullopt : RawId::parse(*text);
        if (!id)
            return reading.refuse(
                invalid_format(reading.property(), "must be an id of 32 lower-case hexadecimal characters"));
        *static_cast<RawId*>(out) = *id;
        return true;
    }

    void write(const void* in, std::string& out) const override {
        write_text(static_cast<const RawId*>(in)->hex(), out);
    }

    json::value schema(const Rules& rules, Use, json::object&) const override {
        auto out = leaf_schema("string", rules);
        out["pattern"] = "^[0-9a-f]{32}$";
        return out;
    }
};

class ReferenceType final : public ValueType {
  public:
    bool read(Reading& reading, const json::value& in, const Rules&, void* out) const override {
        const auto* object = in.if_object();
        const auto* id = object == nullptr ? &in : object->if_contains("id");
        const auto* text = id == nullptr ? nullptr : id->if_string();
        if (text == nullptr || text->empty())
            return reading.refuse(
                invalid_format(reading.property(), "must be an id or an object with an id"));
        static_cast<Reference*>(out)->id = *text;
        return true;
    }

    void write(const void* in, std::string& out) const override {
        write_text(static_cast<const Reference*>(in)->id, out);
    }

    json::value schema(const Rules& rules, Use, json::object&) const override {
        json::object named{
            {"type", "object"},
            {"properties",
             json::object{{"id", json::object{{"type", "string"}, {"description", "Id of what is meant."}}}}},
            {"required", json::array{"id"}}};
        return json::object{{"anyOf", json::array{leaf_schema("string", rules), std::move(named)}}};
    }
};

class EnumType final : public ValueType {
  public:
    explicit EnumType(EnumAccess access) : access_(std::move(access)) {}

    bool read(Reading& reading, const json::value& in, const Rules&, void* out) const override {
        const auto* text = in.if_string();
        const auto found =
            text == nullptr ? access_.names.end() : std::ranges::find(access_.names, std::string_view(*text));
        if (found == access_.names.end())
            return reading.refuse(invalid_format(reading.property(), must_be_one_of(access_.names)));
        access_.set(out, static_cast<std::size_t>(found - access_.names.begin()));
        return true;
    }

    void write(const void* in, std::string& out) const override {
        write_text(access_.names[access_.get(in)], out);
    }

    json::value schema(const Rules& rules, Use, json::object&) const override {
        auto out = leaf_schema("string", rules);
        out["enum"] = words_of(access_.names);
        return out;
    }

  private:
    const EnumAccess access_;
};

} // namespace

const ValueType& text_type() {
    static const TextType type;
    return type;
}

const ValueType& boolean_type() {
    static const BooleanType type;
    return type;
}

const ValueType& time_type() {
    static const TimeType type;
    return type;
}

const ValueType& id_type() {
    static const IdType type;
    return type;
}

const ValueType& reference_type() {
    static const ReferenceType type;
    return type;
}

std::unique_ptr<const ValueType> make_integer_type(IntegerAccess access) {
    return std::make_unique<IntegerType>(access);
}

std::unique_ptr<const ValueType> make_enum_type(EnumAccess access) {
    return std::make_unique<EnumType>(std::move(access));
}

} // namespace slashpost::wire
