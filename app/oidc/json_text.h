#pragma once
// What is read out of the JSON that a provider sends: a member of the wrong kind is none.
#include <boost/json.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace slashpost::oidc {

namespace json = boost::json;

// Nothing for what is no object.
inline std::optional<json::object> parse_object(std::string_view text) {
    boost::system::error_code error;
    auto value = json::parse(text, error);
    if (error || !value.is_object())
        return std::nullopt;
    return std::move(value.get_object());
}

inline std::string text_of(const json::object& object, std::string_view name) {
    const auto* const value = object.if_contains(name);
    return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

inline bool is_true(const json::object& object, std::string_view name) {
    const auto* const value = object.if_contains(name);
    return value != nullptr && value->is_bool() && value->get_bool();
}

// Whether it is a list that has this text.
inline bool list_has(const json::object& object, std::string_view name, std::string_view text) {
    const auto* const value = object.if_contains(name);
    if (value == nullptr || !value->is_array())
        return false;
    for (const auto& item : value->get_array())
        if (item.is_string() && std::string_view(item.get_string()) == text)
            return true;
    return false;
}

} // namespace slashpost::oidc
