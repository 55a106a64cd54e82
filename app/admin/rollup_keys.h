#pragma once
// Keys of rollups and of the last clicks of their subjects (core/schema/rollups.h), taken apart again: for
// dumps and for verify, which read all of them.
#include "core/schema/rollups.h"

namespace slashpost::admin {

enum class SubjectKind : std::uint8_t { link = 1, tag, workspace, domain };

struct KnownSubject {
    SubjectKind kind = SubjectKind::link;
    RawId id;
    WorkspaceId workspace; // of a domain's part only
    [[nodiscard]] Subject subject() const;
    bool operator==(const KnownSubject&) const = default;
};

struct RollupKey {
    KnownSubject subject;
    Grain grain = Grain::all;
    std::uint32_t bucket = 0;
};

// Takes a subject off the front of a key; nothing when there is none.
std::optional<KnownSubject> take_subject(data::BytesView& key);
// Nothing when it is no such key.
std::optional<RollupKey> read_rollup_key(data::BytesView key);

// "link", "tag", "workspace" or "domain".
std::string_view name_of(SubjectKind kind);

} // namespace slashpost::admin
