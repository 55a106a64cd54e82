#include "http/wire/decode.h"

#include "core/base/percent.h"
#include "core/base/text.h"
#include "http/wire/error_body.h"

#include <boost/json.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace slashpost::wire {

namespace json = boost::json;

namespace {

// "a[b][c]", "a.b.c" and "a[b].c" all name c inside b inside a; "a[]" adds to the list a. A name that is
// written in no such way, or is too deep, is taken as it stands.
std::vector<std::string_view> split_name(std::string_view name) {
    std::vector<std::string_view> parts;
    auto rest = name;
    while (true) {
        const auto end = rest.find_first_of(".[");
        parts.push_back(rest.substr(0, end));
        if (end == rest.npos)
            break;
        rest.remove_prefix(end);
        while (rest.starts_with('[')) {
            const auto close = rest.find(']');
            if (close == rest.npos)
                return {name};
            parts.push_back(rest.substr(1, close - 1));
            rest.remove_prefix(close + 1);
        }
        if (rest.empty())
            break;
        if (!rest.starts_with('.'))
            return {name};
        rest.remove_prefix(1);
    }
    return parts.size() <= form_depth_max ? parts : std::vector{name};
}

// The object at a place, made if need be; what stood there before goes to its key "".
json::object& object_at(json::value& place) {
    if (!place.is_object()) {
        auto before = std::exchange(place, json::object{});
        if (!before.is_null())
            place.get_object()[""] = std::move(before);
    }
    return place.get_object();
}

void put(json::object& root, std::span<const std::string_view> path, std::string_view value) {
    auto* object = &root;
    for (const auto part : path.first(path.size() - 1))
        object = &object_at((*object)[part]);
    // The items of a list without numbers get the numbers of their order.
    const bool is_item = path.back().empty() && path.size() > 1;
    auto* place = &(*object)[is_item ? std::to_string(object->size()) : std::string(path.back())];
    if (place->is_object())
        place = &place->get_object()[""];
    if (place->is_null()) {
        *place = value;
        return;
    }
    if (!place->is_array())
        *place = json::array{std::exchange(*place, nullptr)};
    place->get_array().emplace_back(value);
}

constexpr std::size_t json_keys_max = 256; // of one object

// Whether an object of the text has more than json_keys_max keys. No shape has as many, and the library would
// compare each with all before it when they are chosen so. What is no JSON is found out later.
bool has_crowded_object(std::string_view text) {
    std::vector<std::size_t> keys; // of the objects that are open
    for (std::size_t at = 0; (at = text.find_first_of("\"{}:", at)) != text.npos; ++at) {
        if (text[at] == '"') {
            while ((at = text.find_first_of("\"\\", at + 1)) != text.npos && text[at] != '"')
                ++at;
            if (at == text.npos)
                break;
        } else if (text[at] == '{') {
            if (keys.size() == json_depth_max)
                break; // so it ends for the library, too
            keys.push_back(0);
        } else if (text[at] == '}') {
            if (!keys.empty())
                keys.pop_back();
        } else if (!keys.empty() && ++keys.back() > json_keys_max) {
            return true;
        }
    }
    return false;
}

// "Application/JSON; charset=utf-8" -> "application/json"
std::string media_type_of(std::string_view content_type) {
    auto type = content_type.substr(0, content_type.find(';'));
    while (type.ends_with(' ') || type.ends_with('\t'))
        type.remove_suffix(1);
    return lower_ascii(type);
}

// An object or a list of JSON, after JSON's white space. No form that means something to us begins so: the
// name of a parameter is a word.
bool begins_as_json(std::string_view body) {
    body = without_byte_order_mark(body); // a parser may skip it (RFC 8259, 8.1)
    const auto first = body.find_first_not_of(" \t\r\n");
    return first != body.npos && (body[first] == '{' || body[first] == '[');
}

// Forms and queries write a space as '+' (and a plus as %2B).
std::string form_decoded(std::string_view text) {
    std::string spaced(text);
    std::ranges::replace(spaced, '+', ' ');
    return percent_decoded(spaced);
}

} // namespace

Tree::Tree(Source source, json::value value)
    : source_(source),
      value_(std::make_shared<const json::value>(std::move(value))) {}

Result<Tree> parse_json(std::string_view text) {
    if (has_crowded_object(text))
        return malformed(fmt::format("An object of the body has more than {} keys.", json_keys_max));
    json::parse_options options;
    options.max_depth = json_depth_max;
    json::error_code error;
    auto value = json::parse(without_byte_order_mark(text), error, {}, options);
    if (error)
        return malformed("The body is not valid JSON: " + error.message() + ".");
    return Tree(Source::json, std::move(value));
}

Result<Tree> parse_form(std::string_view text) {
    json::object root;
    std::size_t count = 0;
    while (!text.empty()) {
        const auto pair = text.substr(0, text.find('&'));
        text.remove_prefix(std::min(text.size(), pair.size() + 1));
        if (pair.empty())
            continue;
        if (++count > form_fields_max)
            return malformed("Too many parameters.");
        const auto equals = pair.find('=');
        const auto name = form_decoded(pair.substr(0, equals));
        const auto value = equals == pair.npos ? "" : form_decoded(pair.substr(equals + 1));
        put(root, split_name(name), value);
    }
    return Tree(Source::text, std::move(root));
}

Result<Tree> parse_body(std::optional<std::string_view> content_type, std::string_view body) {
    if (body.empty())
        return Tree(Source::json, json::object{});
    const auto media_type = media_type_of(content_type.value_or(""));
    if (media_type.empty() || media_type == "application/json" || begins_as_json(body))
        return parse_json(body);
    if (media_type == "application/x-www-form-urlencoded")
        return parse_form(body);
    return media_type_refused();
}

std::vector<std::string_view> texts_at(const Tree& tree, std::initializer_list<std::string_view> path) {
    const auto* value = &tree.value();
    const auto step = [&](std::string_view name) {
        const auto* object = value == nullptr ? nullptr : value->if_object();
        value = object == nullptr ? nullptr : object->if_contains(name);
    };
    for (const auto name : path)
        step(name);
    if (value != nullptr && value->is_object())
        step("");
    std::vector<std::string_view> out;
    const auto add = [&](const json::value& one) {
        if (const auto* text = one.if_string(); text != nullptr && !text->empty())
            out.emplace_back(*text);
    };
    if (value != nullptr && value->is_array() && tree.source() == Source::text)
        std::ranges::for_each(value->get_array(), add);
    else if (value != nullptr)
        add(*value);
    return out;
}

Result<void> read_tree(const Tree& tree, const ValueType& type, void* out, Problems& problems) {
    const bool wants_object = !type.fields().empty();
    if (wants_object ? !tree.value().is_object() : !tree.value().is_array())
        return malformed(wants_object ? "The body must be a JSON object." : "The body must be a JSON array.");
    Reading reading(tree.source(), problems);
    type.read(reading, tree.value(), {}, out);
    return {};
}

} // namespace slashpost::wire
