#include "tests/api/document_check.h"

#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace slashpost::test {

namespace json = boost::json;

namespace {

std::vector<std::string_view> segments(std::string_view path) {
    std::vector<std::string_view> out;
    while (path.starts_with('/') && path.size() > 1) {
        path.remove_prefix(1);
        out.push_back(path.substr(0, path.find('/')));
        path.remove_prefix(out.back().size());
    }
    return out;
}

// Fixed segments first: the document lists "/links/count" and "/links/{link_id}", and both fit the former.
const json::object* operations_at(const json::value& document, std::string_view path) {
    const json::object* found = nullptr;
    const auto asked = segments(path);
    for (const auto& [name, operations] : document.at("paths").as_object()) {
        const auto known = segments(name);
        const bool fits =
            std::ranges::equal(known, asked, [](auto a, auto b) { return a.starts_with('{') || a == b; });
        if (fits && (found == nullptr || std::string_view(name).find('{') == std::string_view::npos))
            found = &operations.as_object();
    }
    return found;
}

const json::value& resolved(const json::value& document, const json::value& node) {
    if (const auto* reference = node.as_object().if_contains("$ref"))
        return document.at_pointer(std::string_view(reference->as_string()).substr(1));
    return node;
}

bool is_of_type(const json::value& value, const json::value& types) {
    if (const auto* several = types.if_array())
        return std::ranges::any_of(*several, [&](const auto& one) { return is_of_type(value, one); });
    const std::string_view type(types.as_string());
    return (type == "null" && value.is_null()) || (type == "object" && value.is_object()) ||
           (type == "array" && value.is_array()) || (type == "string" && value.is_string()) ||
           (type == "boolean" && value.is_bool()) || (type == "integer" && value.is_int64()) ||
           (type == "number" && value.is_number());
}

// As far as this document goes: types, required keys, enumerations, items.
std::string mismatch(const json::value& document, const json::value& node, const json::value& value,
                     const std::string& where) {
    const auto& schema = resolved(document, node).as_object();
    if (!is_of_type(value, schema.at("type")))
        return fmt::format("{} is no {}", where, json::serialize(schema.at("type")));
    if (value.is_null())
        return {};
    if (const auto* words = schema.if_contains("enum");
        words != nullptr && std::ranges::find(words->as_array(), value) == words->as_array().end())
        return where + " is none of its words";
    if (const auto* required = schema.if_contains("required"))
        for (const auto& name : required->as_array())
            if (!value.as_object().contains(name.as_string()))
                return fmt::format("{} lacks {}", where, std::string_view(name.as_string()));
    if (const auto* properties = schema.if_contains("properties"))
        for (const auto& [name, item] : value.as_object()) {
            const auto* known = properties->as_object().if_contains(name);
            const auto place = fmt::format("{}.{}", where, std::string_view(name));
            auto found = known == nullptr ? place + " is unknown" : mismatch(document, *known, item, place);
            if (!found.empty())
                return found;
        }
    if (const auto* items = schema.if_contains("items"))
        for (const auto& item : value.as_array())
            if (auto found = mismatch(document, *items, item, where + "[]"); !found.empty())
                return found;
    return {};
}

// The code of a 403 or 404 that the operation is not said to answer with.
std::string unlisted_code(const json::object& operation, unsigned status, const json::value& body) {
    const auto* all = operation.if_contains("x-error-codes");
    if ((status != 403 && status != 404) || all == nullptr)
        return {};
    auto code = std::string(body.at("code").as_string());
    if (status == 404)
        code += " " + std::string(body.at("source").as_string());
    if (code == "NotFound endpoint") // of an address that is no operation's
        return {};
    const auto* listed = all->as_object().if_contains(std::to_string(status));
    if (listed != nullptr &&
        std::ranges::find(listed->as_array(), json::value(code)) != listed->as_array().end())
        return {};
    return fmt::format("{} is not said to be refused with {} {}",
                       std::string_view(operation.at("operationId").as_string()), status, code);
}

} // namespace

std::string difference_from_document(const json::value& document, http::Method method,
                                     std::string_view target, unsigned status, const json::value& body) {
    const auto path = target.substr(0, target.find('?')).substr(std::string_view("/v1").size());
    if (!path.empty() && !path.starts_with('/')) // not below /v1
        return {};
    const auto* operations = operations_at(document, path);
    const auto* operation =
        operations == nullptr ? nullptr : operations->if_contains(lower_ascii(to_string(method)));
    if (operation == nullptr)
        return {};
    const auto* response = operation->at("responses").as_object().if_contains(std::to_string(status));
    if (response == nullptr)
        return fmt::format("{} {} is not said to answer {}", to_string(method), path, status);
    const auto& [media_type, content] = *resolved(document, *response).at("content").as_object().begin();
    auto found = mismatch(document, content.at("schema"), body, "the reply");
    return found.empty() ? unlisted_code(operation->as_object(), status, body) : found;
}

} // namespace slashpost::test
