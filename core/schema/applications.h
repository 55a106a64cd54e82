#pragma once
// Tables of programs of others, and of what accounts allowed them.
#include "core/data/table.h"
#include "core/model/application.h"
#include "core/schema/people.h"

namespace slashpost {

struct ApplicationTable : Table<Application> {
    ApplicationTable() : Table(space::applications, "application") {}

    Ordered<Application> by_account{this, 1, "by_account",
                                    [](const Application& a) { return always(a.account); },
                                    [](const Application& a) { return key(a.created_at); }};
};

struct GrantTable : Table<Grant> {
    GrantTable() : Table(space::grants, "grant") {}

    // Of each application the one that was not used for the longest time first.
    Ordered<Grant> by_account{this, 1, "by_account", [](const Grant& g) { return always(g.account); },
                              [](const Grant& g) { return key(g.application, g.used_at); }};
    Ordered<Grant> by_end{this, 2, "by_end", [](const Grant&) { return always(); },
                          [](const Grant& g) { return key(g.ends_at()); }};
    Tally<Grant> per_application{this, 1, "per_application",
                                 [](const Grant& g) { return when(g.exchanged, g.application); }};
};

} // namespace slashpost
