#pragma once
// Tags on the wire (interface 4.3, wire "Parts of a link").
#include "core/ops/tags.h"
#include "http/wire/fields.h"

namespace slashpost::api {

struct TagReply {
    TagId id;
    std::string name;
    std::string color;
    bool active = true;
    std::int64_t clicks = 0;
    std::int64_t sessions = 0;
    Timestamp created_at;
    Timestamp updated_at;
    std::optional<Timestamp> last_click_at;
    static constexpr std::string_view wire_name = "Tag";
    static wire::Fields fields() {
        using wire::field;
        return {field("id", &TagReply::id),
                field("name", &TagReply::name),
                field("color", &TagReply::color),
                field("active", &TagReply::active),
                field("clicks", &TagReply::clicks, wire::note("On links while they carried it.")),
                field("sessions", &TagReply::sessions),
                field("createdAt", &TagReply::created_at),
                field("updatedAt", &TagReply::updated_at),
                field("lastClickAt", &TagReply::last_click_at)};
    }
    static TagReply of(const TagDetails& details) {
        const auto& tag = details.tag;
        return {.id = tag.id,
                .name = tag.name,
                .color = tag.color,
                .active = tag.active,
                .clicks = details.clicks,
                .sessions = details.sessions,
                .created_at = tag.created_at,
                .updated_at = tag.updated_at,
                .last_click_at = details.last_click_at};
    }
    static std::vector<TagReply> of_all(const std::vector<TagDetails>& tags) {
        std::vector<TagReply> out;
        out.reserve(tags.size());
        for (const auto& tag : tags)
            out.push_back(of(tag));
        return out;
    }
};

} // namespace slashpost::api
