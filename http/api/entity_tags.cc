#include "http/api/entity_tags.h"

#include "core/base/secret.h"
#include "core/base/text.h"

#include <boost/json.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace slashpost::api {

namespace json = boost::json;

namespace {

constexpr std::size_t text_hash_bytes = 16, part_hash_bytes = 8;

// Members that change without anybody changing the resource.
constexpr std::array<std::string_view, 11> figures{"clicks",     "sessions",   "lastClickAt", "lastClickDate",
                                                   "lastUsedAt", "links",      "teammates",   "domains",
                                                   "used",       "statistics", "clicksLeft"};

std::string hash_of(std::string_view text, std::size_t bytes) {
    std::string out;
    for (const char c : sha256(text).substr(0, bytes))
        out += fmt::format("{:02x}", static_cast<unsigned char>(c));
    return out;
}

void leave_out_figures(json::value& value) {
    if (auto* list = value.if_array())
        std::ranges::for_each(*list, leave_out_figures);
    auto* object = value.if_object();
    if (object == nullptr)
        return;
    for (const auto name : figures)
        object->erase(name);
    for (auto& member : *object)
        leave_out_figures(member.value());
}

// "state" of a tag of a resource; all of any other.
std::string_view state_of(std::string_view tag) { return tag.substr(0, tag.find('.')); }

bool names(const http::Request& request, std::string_view lower_name,
           const std::function<bool(std::string_view)>& is_it) {
    bool found = false;
    each_listed(request, lower_name,
                [&](std::string_view item) { found = found || item == "*" || is_it(item); });
    return found;
}

} // namespace

void each_listed(const http::Request& request, std::string_view lower_name,
                 const std::function<void(std::string_view)>& use) {
    for (const auto& header : request.headers) {
        if (lower_ascii(header.name) != lower_name)
            continue;
        std::string_view rest = header.value;
        while (!rest.empty()) {
            const auto item = rest.substr(0, rest.find(','));
            rest.remove_prefix(std::min(rest.size(), item.size() + 1));
            if (const auto trimmed = trim(item); !trimmed.empty())
                use(trimmed);
        }
    }
}

// Begins with what differs when the text does.
std::string entity_tag(std::string_view text, std::string_view ending) {
    return fmt::format("\"{}{}\"", hash_of(text, text_hash_bytes), ending);
}

std::string resource_tag(const std::string& json) {
    auto state = json::parse(json);
    leave_out_figures(state);
    return fmt::format("\"{}.{}\"", hash_of(json::serialize(state), part_hash_bytes),
                       hash_of(json, part_hash_bytes));
}

bool has_already(const http::Request& request, std::string_view tag) {
    return names(request, "if-none-match", [&](std::string_view item) {
        if (item.starts_with("W/")) // compared weakly: a cache may have weakened it
            item.remove_prefix(2);
        return item == tag;
    });
}

bool has_precondition(const http::Request& request) {
    return std::ranges::any_of(
        request.headers, [](const http::Header& header) { return lower_ascii(header.name) == "if-match"; });
}

bool is_as_known(const http::Request& request, std::string_view tag) {
    return names(request, "if-match", [&](std::string_view item) {
        return item.ends_with('"') && state_of(item) == state_of(tag);
    });
}

} // namespace slashpost::api
