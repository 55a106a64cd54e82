#include "http/wire/unchanged.h"

#include <boost/json.hpp>

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

} // namespace

Tree without_unchanged(const Tree& input, const ValueType& type, std::string_view shown) {
    const auto stored = json::parse(shown);
    if (!input.value().is_object() || !stored.is_object())
        return input;
    auto given = input.value();
    drop_unchanged(given.get_object(), type.fields(), stored.get_object());
    return Tree(input.source(), std::move(given));
}

} // namespace slashpost::wire
