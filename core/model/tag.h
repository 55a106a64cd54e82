#pragma once
// A label of a workspace that links can carry (interface 2.3, wire "Parts of a link").
#include "core/data/codec.h"

namespace slashpost {

struct Tag {
    TagId id;
    WorkspaceId workspace;
    std::string name;  // 1 to 255 characters, unique in the workspace ignoring case
    std::string color; // six hexadecimal digits, lower case, without "#"
    bool active = true;
    Timestamp created_at; // always id.made_at()
    Timestamp updated_at;
    data::Unknown unknown;

    static constexpr std::size_t primary_bytes = 16;
    static data::Bytes primary_of(const Tag& t) { return data::Bytes(t.id.view()); }
    static constexpr auto fields() {
        using data::stored;
        return std::tuple{stored(1, "id", &Tag::id),
                          stored(2, "workspace", &Tag::workspace),
                          stored(3, "name", &Tag::name),
                          stored(4, "color", &Tag::color),
                          stored(5, "active", &Tag::active),
                          stored(6, "created_at", &Tag::created_at),
                          stored(7, "updated_at", &Tag::updated_at)};
    }
};

} // namespace slashpost
