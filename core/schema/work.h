#pragma once
// Tables of what follows a commit: jobs, mails, and the traces of erased rows.
#include "core/data/table.h"
#include "core/model/work.h"
#include "core/schema/people.h"

namespace slashpost {

struct JobTable : Table<Job> {
    JobTable() : Table(space::jobs, "job") {}
};

struct MailTable : Table<Mail> {
    MailTable() : Table(space::mails, "mail") {}

    Unique<Mail> by_subject{this, 1, "subject", [](const Mail& m) { return always(m.kind, m.subject); }};
    Ordered<Mail> by_due{this, 2, "by_due", [](const Mail&) { return always(); },
                         [](const Mail& m) { return key(m.due_at); }};
};

struct TombstoneTable : Table<Tombstone> {
    TombstoneTable() : Table(space::tombstones, "tombstone") {}

    Ordered<Tombstone> by_end{this, 1, "by_end", [](const Tombstone&) { return always(); },
                              [](const Tombstone& t) { return key(t.until); }};
};

} // namespace slashpost
