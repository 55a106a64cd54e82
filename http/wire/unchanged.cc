#include "http/wire/unchanged.h"

#include "core/base/text.h"

#include <boost/json.hpp>

#include <algorithm>

namespace slashpost::wire {

namespace json = boost::json;

namespace {

// In a form everything is text: "true" and "60" are what JSON has without quotes.
bool is_same(const json::value& given, const json::value& shown) {
    return given == shown ||
           (given.is_string() && !shown.is_string() && given.get_string() == json::serialize(shown));
}

void drop_unchanged(json::object& given, std::span<const Field> fields, const json::object& shown) {
    for (const auto& field : fields) {
        const auto member = given.find(field.name);
        const auto* as_shown = shown.if_contains(field.name);
        if (member == given.end() || as_shown == nullptr || field.rules.required)
            continue;
        if (is_same(member->value(), *as_shown))
            given.stable_erase(member);
        else if (member->value().is_object() && as_shown->is_object())
            drop_unchanged(member->value().get_object(), field.type->fields(), as_shown->get_object());
    }
}

// Null and the empty text say nothing, or take away what is not there.
bool says_nothing(const json::value& given, const Field& field, const json::value* as_shown) {
    const auto* text = given.if_string();
    const bool takes_away = given.is_null() ? field.slot->clearable : field.rules.empty_clears;
    return (given.is_null() || (text != nullptr && text->empty())) && (as_shown == nullptr || !takes_away);
}

bool is_as_shown(const json::value& given, std::span<const Field> fields, const json::value& shown) {
    if (is_same(given, shown))
        return true;
    if (!given.is_object() || !shown.is_object())
        return false;
    const auto agrees = [&](const auto& member) {
        const auto name = lower_ascii(member.key());
        const auto field = std::ranges::find_if(
            fields, [&](const Field& one) { return !name.empty() && lower_ascii(one.name) == name; });
        if (field == fields.end()) // ignored, whatever it is
            return true;
        const auto* as_shown = shown.get_object().if_contains(field->name);
        return says_nothing(member.value(), *field, as_shown) ||
               (as_shown != nullptr && is_as_shown(member.value(), field->type->fields(), *as_shown));
    };
    return std::ranges::all_of(given.get_object(), agrees);
}

} // namespace

bool is_unchanged(const Tree& input, const ValueType& type, std::string_view shown) {
    return input.value().is_object() && is_as_shown(input.value(), type.fields(), json::parse(shown));
}

Tree without_unchanged(const Tree& input, const ValueType& type, std::string_view shown) {
    const auto stored = json::parse(shown);
    if (!input.value().is_object() || !stored.is_object())
        return input;
    auto given = input.value();
    drop_unchanged(given.get_object(), type.fields(), stored.get_object());
    return Tree(input.source(), std::move(given));
}

} // namespace slashpost::wire
