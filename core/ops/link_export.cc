#include "core/ops/link_export.h"

#include "core/base/csv_text.h"
#include "core/ops/domains.h"

#include <algorithm>
#include <string_view>

namespace slashpost {

namespace {

std::string text_of(const std::optional<Timestamp>& time) { return time ? to_iso(*time) : std::string(); }

// "a|b"; as JSON where a name has something in it that means something there.
std::string joined(const std::vector<TagName>& tags) {
    const bool is_plain = std::ranges::none_of(
        tags, [](const TagName& tag) { return tag.name.find_first_of("|,[{") != std::string::npos; });
    std::string out = is_plain ? "" : "[";
    for (const auto& tag : tags) {
        if (&tag != &tags.front())
            out += is_plain ? '|' : ',';
        if (!is_plain)
            out += '"';
        for (const char c : tag.name) {
            if (!is_plain && (c == '"' || c == '\\'))
                out += '\\';
            out += c;
        }
        if (!is_plain)
            out += '"';
    }
    return is_plain ? out : out + ']';
}

} // namespace

void append_export_header(std::string& out) {
    append_csv_row(out, {"id", "domain", "slashtag", "destination", "title", "description", "tags", "status",
                         "favourite", "createdAt", "expiresAt", "expiredUrl", "passPath", "clicks",
                         "sessions", "lastClickAt", "externalId"});
}

void append_export_row(std::string& out, const LinkDetails& details) {
    const auto& link = details.link;
    append_csv_row(out, {link.id.hex(), details.domain.full_name, link.slashtag, link.destination, link.title,
                         link.description, joined(details.tags), to_string(link.status),
                         link.favourite ? "true" : "false", to_iso(link.created_at), text_of(link.expires_at),
                         link.expired_url.empty() ? std::string() : shown_place(link.expired_url),
                         link.pass_path ? "true" : "false", std::to_string(details.clicks),
                         std::to_string(details.sessions), text_of(details.last_click_at), link.external_id});
}

} // namespace slashpost
