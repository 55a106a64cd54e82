#include "http/api/docs_fields.h"

#include "core/base/html.h"

#include <fmt/format.h>

#include <algorithm>

namespace slashpost::api {

namespace json = boost::json;

namespace {

std::string_view text_of(const json::value& value) { return value.as_string(); }

std::string_view shape_name(std::string_view reference) { return reference.substr(reference.rfind('/') + 1); }

// "string or null"
std::string types_of(const json::object& schema) {
    const auto* types = schema.if_contains("type");
    if (types == nullptr || !types->is_array())
        return std::string(docs_text(schema, "type"));
    std::string out;
    for (const auto& one : types->as_array())
        out += (out.empty() ? "" : " or ") + std::string(text_of(one));
    return out;
}

// Its bounds, and the only words that it may be.
std::string bounds_of(const json::object& schema) {
    std::string out;
    const auto add = [&](std::string_view key, std::string_view before, std::string_view behind) {
        if (const auto* bound = schema.if_contains(key))
            out += fmt::format("{}{} {}{}", out.empty() ? "" : ", ", before, json::serialize(*bound), behind);
    };
    add("minLength", "at least", " characters");
    add("maxLength", "at most", " characters");
    add("minimum", "at least", "");
    add("maximum", "at most", "");
    add("maxItems", "at most", " items");
    if (const auto* words = schema.if_contains("enum"))
        for (const auto& word : words->as_array())
            out += fmt::format("{}{}", out.empty() ? "one of " : ", ", text_of(word));
    if (const auto pattern = docs_text(schema, "pattern"); !pattern.empty())
        out += fmt::format("{}{}", out.empty() ? "" : ", ", pattern);
    return out;
}

std::string example_of(const DocsField& field) {
    if (!field.example.empty())
        return std::string(field.example);
    const auto* examples = field.schema.if_contains("examples");
    if (examples == nullptr)
        return {};
    const auto& first = examples->as_array().front();
    return first.is_string() ? std::string(text_of(first)) : json::serialize(first);
}

bool is_required(const json::object& schema, std::string_view name) {
    const auto* required = schema.if_contains("required");
    return required != nullptr && std::ranges::any_of(required->as_array(), [&](const json::value& one) {
               return text_of(one) == name;
           });
}

std::string listed(const std::string& fields) { return fields.empty() ? "" : "<dl>\n" + fields + "</dl>\n"; }

// Looks through references, into the first of several forms, and into lists, whose items add "[]" to the
// name.
struct Nested {
    const json::object* shape = nullptr; // null: nothing that has members
    std::string name;
};
Nested nested_of(const json::object& schema, const json::object& schemas, std::string name) {
    if (const auto* items = docs_object(schema, "items"))
        return nested_of(*items, schemas, name + "[]");
    if (const auto* either = schema.if_contains("anyOf"))
        return nested_of(either->as_array().front().as_object(), schemas, std::move(name));
    const auto reference = docs_text(schema, "$ref");
    if (reference.empty())
        return {};
    return {.shape = &schemas.at(shape_name(reference)).as_object(), .name = std::move(name)};
}

void add_members(const json::object& shape, const json::object& schemas, const std::string& prefix,
                 unsigned depth, std::string& out) {
    constexpr unsigned depth_max = 6;
    const auto* members = docs_object(shape, "properties");
    if (members == nullptr || depth == depth_max)
        return;
    for (const auto& [key, value] : *members) {
        const auto& schema = value.as_object();
        const auto name = prefix + std::string(key);
        out += docs_field({.name = name,
                           .required = is_required(shape, key),
                           .schema = schema,
                           .meaning = docs_text(schema, "description")});
        if (const auto nested = nested_of(schema, schemas, name); nested.shape != nullptr)
            add_members(*nested.shape, schemas, nested.name + ".", depth + 1, out);
    }
}

} // namespace

std::string_view docs_text(const json::object& object, std::string_view key) {
    const auto* found = object.if_contains(key);
    return found != nullptr && found->is_string() ? text_of(*found) : std::string_view{};
}

const json::object* docs_object(const json::object& object, std::string_view key) {
    const auto* found = object.if_contains(key);
    return found == nullptr ? nullptr : found->if_object();
}

std::string docs_kind(const json::object& schema) {
    if (const auto reference = docs_text(schema, "$ref"); !reference.empty())
        return fmt::format("<a href=\"#shape-{0}\">{0}</a>", html_text(shape_name(reference)));
    if (const auto* either = schema.if_contains("anyOf")) {
        std::string out;
        for (const auto& one : either->as_array())
            out += (out.empty() ? "" : " or ") + docs_kind(one.as_object());
        return out;
    }
    if (const auto* items = docs_object(schema, "items"))
        return "array of " + docs_kind(*items);
    auto out = types_of(schema);
    if (const auto format = docs_text(schema, "format"); !format.empty())
        out += fmt::format(", {}", format);
    return html_text(out);
}

std::string docs_field(const DocsField& field) {
    auto out = fmt::format("<div><dt><code>{}</code> <span>{}</span>{}</dt><dd><p>{}</p>",
                           html_text(field.name), docs_kind(field.schema),
                           field.required ? " <b>required</b>" : "", html_text(field.meaning));
    auto facts = html_text(bounds_of(field.schema));
    if (const auto example = example_of(field); !example.empty())
        facts += fmt::format("{}for example <code>{}</code>", facts.empty() ? "" : "; ", html_text(example));
    if (!facts.empty())
        out += fmt::format("<p class=\"soft\">{}</p>", facts);
    return out + "</dd></div>\n";
}

std::string docs_members(const json::object& schema) {
    std::string out;
    if (const auto* members = docs_object(schema, "properties"))
        for (const auto& [name, value] : *members)
            out += docs_field({.name = name,
                               .required = is_required(schema, name),
                               .schema = value.as_object(),
                               .meaning = docs_text(value.as_object(), "description")});
    return listed(out);
}

std::string docs_body(const json::object& schema, const json::object& schemas) {
    std::string out;
    if (const auto nested = nested_of(schema, schemas, ""); nested.shape != nullptr)
        add_members(*nested.shape, schemas, nested.name.empty() ? "" : nested.name + ".", 0, out);
    return listed(out);
}

} // namespace slashpost::api
