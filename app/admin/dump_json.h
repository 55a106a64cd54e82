#pragma once
// Rows as JSON objects and back, from their numbered, named fields (core/data/codec.h). Used by the dump
// only.
//
//   bool, numbers, enums   as they are           Timestamp  "2026-01-31T09:00:00.000Z"; its milliseconds only
//   Id                     32 hex characters                when it has no such form
//   text                   a string, or {"hex": "..."} when it is not UTF-8
//   optional               left out when empty   vector     an array
//   struct with fields()   an object             fields that this build does not know: "unknown", as hex
#include "app/admin/dump_fields.h"
#include "core/data/codec.h"

#include <boost/json.hpp>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <string_view>

namespace slashpost::admin {

namespace json = boost::json;

std::string to_hex(std::string_view bytes);
std::optional<std::string> from_hex(std::string_view text);

template <class V>
concept Optional = requires(const V& value) { value.has_value(); };
template <class V>
concept Vector = requires(V& value) { value.emplace_back(); };

json::value text_to_json(std::string_view text, const json::storage_ptr& memory);
json::value time_to_json(Timestamp time, const json::storage_ptr& memory);
bool text_from_json(const json::value& in, std::string& text);
bool time_from_json(const json::value& in, Timestamp& time);

template <class T>
json::object row_to_json(const T& row, const json::storage_ptr& memory);
template <class T>
bool row_from_json(const json::object& in, T& row, std::string& problem);

template <class V>
json::value value_to_json(const V& value, const json::storage_ptr& memory) {
    if constexpr (std::is_same_v<V, bool>) {
        return value;
    } else if constexpr (std::is_same_v<V, std::string>) {
        return text_to_json(value, memory);
    } else if constexpr (std::is_same_v<V, Timestamp>) {
        return time_to_json(value, memory);
    } else if constexpr (std::is_base_of_v<RawId, V>) {
        return json::value(json::string_view(value.hex()), memory);
    } else if constexpr (data::Composite<V>) {
        return row_to_json(value, memory);
    } else if constexpr (Vector<V>) {
        json::array items(memory);
        for (const auto& item : value)
            items.push_back(value_to_json(item, memory));
        return items;
    } else {
        return static_cast<std::int64_t>(value);
    }
}

template <class V>
bool value_from_json(const json::value& in, V& value) {
    if constexpr (std::is_same_v<V, bool>) {
        value = in.is_bool() && in.get_bool();
        return in.is_bool();
    } else if constexpr (std::is_same_v<V, std::string>) {
        return text_from_json(in, value);
    } else if constexpr (std::is_same_v<V, Timestamp>) {
        return time_from_json(in, value);
    } else if constexpr (std::is_base_of_v<RawId, V>) {
        const auto id = V::parse(in.is_string() ? std::string_view(in.get_string()) : std::string_view());
        if (id)
            value = *id;
        return id.has_value();
    } else if constexpr (data::Composite<V>) {
        std::string problem;
        return in.is_object() && row_from_json(in.get_object(), value, problem);
    } else if constexpr (Vector<V>) {
        if (!in.is_array())
            return false;
        for (const auto& item : in.get_array())
            if (!value_from_json(item, value.emplace_back()))
                return false;
        return true;
    } else {
        if (!in.is_int64())
            return false;
        value = static_cast<V>(in.get_int64());
        return static_cast<std::int64_t>(value) == in.get_int64();
    }
}

template <class T>
json::object row_to_json(const T& row, const json::storage_ptr& memory) {
    json::object out(memory);
    data::for_each_field<T>([&](const auto& field) {
        const auto& value = row.*field.member;
        const json::string_view name(field.name.data(), field.name.size());
        if constexpr (Optional<std::remove_cvref_t<decltype(value)>>) {
            if (value)
                out.emplace(name, value_to_json(*value, memory));
        } else {
            out.emplace(name, value_to_json(value, memory));
        }
    });
    if constexpr (requires { row.unknown; })
        if (!row.unknown.fields.empty())
            out.emplace("unknown", to_hex(row.unknown.fields));
    return out;
}

// Strict: every field must be there that is not optional or may have come later (dump_fields.h), each with
// its right type, and nothing else. `problem` says what is not as it should be: "'slashtag' is missing".
template <class T>
bool row_from_json(const json::object& in, T& row, std::string& problem) {
    std::size_t used = 0;
    data::for_each_field<T>([&](const auto& field) {
        auto& value = row.*field.member;
        const auto* found = in.if_contains(json::string_view(field.name.data(), field.name.size()));
        used += found ? 1 : 0;
        bool good = true;
        using Value = std::remove_cvref_t<decltype(value)>;
        if constexpr (Optional<Value>) {
            good = !found || value_from_json(*found, value.emplace());
        } else {
            good = !found || value_from_json(*found, value);
            if (!found && field.number <= fields_from_the_beginning<T>)
                problem = fmt::format("'{}' is missing", field.name);
        }
        if (!good)
            problem = fmt::format("'{}' has not the form of one", field.name);
    });
    if constexpr (requires { row.unknown; }) {
        if (const auto* unknown = in.if_contains("unknown")) {
            const auto bytes = from_hex(unknown->is_string() ? std::string_view(unknown->get_string()) : "-");
            row.unknown.fields = bytes.value_or("");
            used += bytes ? 1 : 0;
        }
    }
    if (problem.empty() && used != in.size())
        problem = "there is a field that is not known";
    return problem.empty();
}

} // namespace slashpost::admin
