#pragma once
// Tables of domains and of their sharing with workspaces.
#include "core/data/table.h"
#include "core/model/domain.h"
#include "core/schema/people.h"

namespace slashpost {

struct DomainTable : Table<Domain> {
    DomainTable() : Table(space::domains, "domain") {}

    Unique<Domain> by_name{this, 1, "fullName", [](const Domain& d) { return always(d.full_name); }};
    Ordered<Domain> by_created{this, 2, "by_created", [](const Domain&) { return always(); },
                               [](const Domain& d) { return key(d.created_at); }};
    Tally<Domain> per_owner{this, 1, "per_owner",
                            [](const Domain& d) { return when(d.type == DomainType::user, d.owner); }};
};

struct DomainShareTable : Table<DomainShare> {
    DomainShareTable() : Table(space::domain_shares, "domain") {}

    Ordered<DomainShare> by_domain{this, 1, "by_domain",
                                   [](const DomainShare& s) { return always(s.domain); },
                                   [](const DomainShare& s) { return key(s.created_at); }};
    Tally<DomainShare> per_workspace{this, 1, "per_workspace",
                                     [](const DomainShare& s) { return always(s.workspace); }};
    // The primary key begins with the workspace, so a workspace's domains are read from the rows.
};

} // namespace slashpost
