#pragma once
// Domains as the operator manages them: made, verified, set, shared, revoked, removed.
#include "core/access/context.h"
#include "core/base/change.h"
#include "core/model/domain.h"

namespace slashpost {

struct NewDomain {
    std::string full_name; // any spelling of a host name; stored in normal form
    DomainType type = DomainType::service;
    AccountId owner;
    bool verified = false;
    SlashtagRules slashtag;
};

// Fails as invalid when the name is none, or is registered already.
Result<Domain> add_domain(Desk& desk, const NewDomain& in);
// Fails as not found. `name` is a full name or a domain's id.
Result<Domain> find_any_domain(data::View& view, std::string_view name);
// In the order of creation.
Result<std::vector<Domain>> list_domains(data::View& view);
Result<std::vector<WorkspaceId>> workspaces_sharing(data::View& view, DomainId domain);

struct DomainChange {
    Change<bool> verified;
    Change<bool> active;
    Change<bool> revoked;
    Change<std::uint32_t> redirect_type;       // 301, 302, 307 or 308
    Change<std::string> custom_homepage;       // an http or https address
    Change<std::string> not_found_url;         // an http or https address
    Change<std::uint32_t> slashtag_length_min; // 1 up
    Change<std::uint32_t> slashtag_length_max; // up to slashtag_length_limit
    Change<bool> slashtag_case_sensitive;      // only on an inactive domain without links
};
inline constexpr std::uint32_t slashtag_length_limit = 255;

// Fails as invalid with all problems at once.
Result<Domain> change_domain(Desk& desk, const Domain& domain, const DomainChange& change);
// Refused with Conflict while it is active or links hold slashtags on it. Its sharing ends with it.
Result<void> remove_domain(Desk& desk, const Domain& domain);

// Both succeed when it is so already. Fail as not found.
Result<void> share_domain(Desk& desk, DomainId domain, WorkspaceId workspace);
Result<void> unshare_domain(Desk& desk, DomainId domain, WorkspaceId workspace);

} // namespace slashpost
