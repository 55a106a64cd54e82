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
        return {
            field("id", &TagReply::id, wire::note("Id of the tag.")),
            field("name", &TagReply::name,
                  wire::note("What the tag is called; unique in the workspace, ignoring case.")),
            field("color", &TagReply::color, wire::note("Six hexadecimal digits, lower case, without #.")),
            field("active", &TagReply::active, wire::note("Whether the tag is in use; always true so far.")),
            field("clicks", &TagReply::clicks, wire::note("Clicks on links while they carried the tag.")),
            field("sessions", &TagReply::sessions,
                  wire::note("Sessions on links while they carried the tag.")),
            field("createdAt", &TagReply::created_at, wire::note("When the tag was made.")),
            field("updatedAt", &TagReply::updated_at, wire::note("When the tag was last changed.")),
            field("lastClickAt", &TagReply::last_click_at,
                  wire::note("Time of the last of these clicks; absent before the first."))};
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
