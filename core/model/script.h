#pragma once
// A script of a workspace that links can carry, for example a tracking pixel (interface 2.3, wire "Parts of a
// link"). Its text is HTML or JavaScript as somebody gave it: it may only ever be sent to visitors of a short
// link that carries it, never to a browser that is shown our own pages.
#include "core/data/codec.h"

namespace slashpost {

struct Script {
    ScriptId id;
    WorkspaceId workspace;
    std::string name;     // 1 to 255 characters
    std::string value;    // at most script_value_length_max characters; empty when there is a uri
    std::string uri;      // stored form of core/base/url.h, http or https; empty when there is a value
    Timestamp created_at; // always id.made_at()
    Timestamp updated_at;
    data::Unknown unknown;

    static constexpr std::size_t primary_bytes = 16;
    static data::Bytes primary_of(const Script& s) { return data::Bytes(s.id.view()); }
    static constexpr auto fields() {
        using data::stored;
        return std::tuple{stored(1, "id", &Script::id),
                          stored(2, "workspace", &Script::workspace),
                          stored(3, "name", &Script::name),
                          stored(4, "value", &Script::value),
                          stored(5, "uri", &Script::uri),
                          stored(6, "created_at", &Script::created_at),
                          stored(7, "updated_at", &Script::updated_at)};
    }
};

// In characters: enough for every vendor's snippet, little enough for a page that holds several.
inline constexpr std::size_t script_value_length_max = 65'536;

} // namespace slashpost
