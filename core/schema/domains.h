#pragma once
// Tables of domains and of their sharing with workspaces.
#include "core/data/table.h"
#include "core/model/domain.h"
#include "core/schema/people.h"

namespace slashpost {

struct DomainTable : Table<Domain> {
    DomainTable() : Table(space::domains, "domain") {}

    // A name belongs to whoever has proved that it is theirs. Before that anybody may register it, so that
    // nobody keeps it from its owner by being first. A further name is one like the first.
    Unique<Domain> by_name{this, 1, "fullName", names_of};
    Ordered<Domain> by_created{this, 2, "by_created", [](const Domain&) { return always(); },
                               [](const Domain& d) { return key(d.created_at); }};
    // An account registers a name once, and so does the installation, whose domains have no owner.
    Unique<Domain> own_name{this, 3, "fullName",
                            [](const Domain& d) { return always(d.owner, d.full_name); }};
    Ordered<Domain> by_owner{this, 4, "by_owner",
                             [](const Domain& d) { return when(d.type == DomainType::user, d.owner); },
                             [](const Domain&) { return data::Bytes(); }};
    Tally<Domain> per_owner{this, 1, "per_owner",
                            [](const Domain& d) { return when(d.type == DomainType::user, d.owner); }};

  private:
    static std::vector<data::Bytes> names_of(const Domain& domain) {
        std::vector<data::Bytes> out;
        if (!domain.verified)
            return out;
        out.push_back(key(domain.full_name));
        for (const auto& alias : domain.aliases)
            if (alias.verified)
                out.push_back(key(alias.full_name));
        return out;
    }
};

struct DomainShareTable : Table<DomainShare> {
    DomainShareTable() : Table(space::domain_shares, "domain") {}

    Ordered<DomainShare> by_domain{this, 1, "by_domain",
                                   [](const DomainShare& s) { return always(s.domain); },
                                   [](const DomainShare& s) { return key(s.created_at); }};
    Tally<DomainShare> per_workspace{this, 1, "per_workspace",
                                     [](const DomainShare& s) { return when(s.in_force(), s.workspace); }};
    // The primary key begins with the workspace, so a workspace's domains are read from the rows.
};

} // namespace slashpost
