#pragma once
// Tables of what follows a commit: jobs, and the traces of erased rows.
#include "core/data/table.h"
#include "core/model/work.h"
#include "core/schema/people.h"

namespace slashpost {

struct JobTable : Table<Job> {
    JobTable() : Table(space::jobs, "job") {}
};

struct TombstoneTable : Table<Tombstone> {
    TombstoneTable() : Table(space::tombstones, "tombstone") {}

    Ordered<Tombstone> by_end{this, 1, "by_end", [](const Tombstone&) { return always(); },
                              [](const Tombstone& t) { return key(t.until); }};
};

} // namespace slashpost
