#pragma once
// Tables of what links can carry: tags and scripts. Which links carry one is an index of the links
// (core/schema/links.h).
#include "core/base/text.h"
#include "core/data/table.h"
#include "core/model/script.h"
#include "core/model/tag.h"
#include "core/schema/people.h"

namespace slashpost {

// Ids are in the order of creation, so `by_created` needs no place of its own.
struct TagTable : Table<Tag> {
    TagTable() : Table(space::tags, "tag") {}

    Unique<Tag> unique_name{this, 1, "name",
                            [](const Tag& t) { return always(t.workspace, fold_case(t.name)); }};
    Ordered<Tag> by_name{this, 2, "by_name", [](const Tag& t) { return always(t.workspace); },
                         [](const Tag& t) { return key(fold_case(t.name)); }};
    Ordered<Tag> by_created{this, 3, "by_created", [](const Tag& t) { return always(t.workspace); },
                            [](const Tag&) { return data::Bytes(); }};
    Tally<Tag> per_workspace{this, 1, "per_workspace",
                             [](const Tag& t) { return always(t.workspace, t.active); }};
};

struct ScriptTable : Table<Script> {
    ScriptTable() : Table(space::scripts, "script") {}

    Ordered<Script> by_name{this, 1, "by_name", [](const Script& s) { return always(s.workspace); },
                            [](const Script& s) { return key(fold_case(s.name)); }};
    Ordered<Script> by_created{this, 2, "by_created", [](const Script& s) { return always(s.workspace); },
                               [](const Script&) { return data::Bytes(); }};
    Tally<Script> per_workspace{this, 1, "per_workspace",
                                [](const Script& s) { return always(s.workspace); }};
};

} // namespace slashpost
