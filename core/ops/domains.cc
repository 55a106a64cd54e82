#include "core/ops/domains.h"

#include "core/base/errors.h"
#include "core/base/host.h"
#include "core/base/url.h"
#include "core/schema/schema.h"
#include "core/schema/store.h"

#include <algorithm>
#include <array>

namespace slashpost {

namespace {

constexpr std::array<std::uint32_t, 4> redirect_types{301, 302, 307, 308};

void change_address(std::string_view property, const Change<std::string>& change, std::string& address,
                    Problems& problems) {
    if (change.is_clear())
        address.clear();
    if (!change.is_set())
        return;
    auto read = destination(property, change.value());
    if (read.has_value())
        address = std::move(read->stored);
    else
        problems.add(std::move(read).error());
}

Result<void> change_slashtag_rules(Desk& desk, const DomainChange& change, Domain& domain,
                                   Problems& problems) {
    auto& rules = domain.slashtag;
    change.slashtag_length_min.apply_to(rules.length_min);
    change.slashtag_length_max.apply_to(rules.length_max);
    if (rules.length_min < 1 || rules.length_min > rules.length_max)
        problems.add(out_of_range("slashtag.minLength", "must be 1 to slashtag.maxLength"));
    if (rules.length_max > slashtag_length_limit)
        problems.add(out_of_range("slashtag.maxLength", "must be at most 255"));
    if (!change.slashtag_case_sensitive.is_set() ||
        change.slashtag_case_sensitive.value() == rules.case_sensitive)
        return {};
    // Folding slashtags later could make two links collide, so the rule is settled before the first link. No
    // link can appear meanwhile, as none is made on an inactive domain.
    if (domain.active || TRY(schema().links.per_domain.count(desk.txn, domain.id)) > 0)
        problems.add(invalid_format("slashtag.caseSensitive",
                                    "can change only while the domain is inactive and has no links"));
    rules.case_sensitive = change.slashtag_case_sensitive.value();
    return {};
}

} // namespace

Result<Domain> add_domain(Desk& desk, const NewDomain& in) {
    Problems problems;
    const auto name = normal_host(in.full_name);
    if (in.full_name.empty())
        problems.add(required_field("fullName"));
    else if (!name)
        problems.add(invalid_format("fullName", "is not a host name"));
    TRY(problems.result("domain"));

    Domain domain{.id = desk.tools.ids.next<DomainId>(),
                  .full_name = *name,
                  .type = in.type,
                  .owner = in.owner,
                  .verified = in.verified,
                  .created_at = desk.now,
                  .updated_at = desk.now,
                  .slashtag = in.slashtag};
    TRY(schema().domains.insert(desk.txn, domain));
    desk.changes.domains.push_back(domain.id);
    return domain;
}

Result<Domain> find_any_domain(data::View& view, std::string_view name) {
    const auto& domains = schema().domains;
    std::optional<Domain> domain;
    if (const auto id = DomainId::parse(name))
        domain = TRY(domains.find(view, id->view()));
    if (const auto normal = normal_host(name); normal && !domain)
        domain = TRY(domains.find_by(domains.by_name, view, *normal));
    if (!domain)
        return not_found("domain", name);
    return std::move(*domain);
}

Result<std::vector<Domain>> list_domains(data::View& view) {
    std::vector<Domain> out;
    TRY(schema().domains.each(view, [&](const Domain& domain) -> Result<bool> {
        out.push_back(domain);
        return true;
    }));
    return out;
}

Result<std::vector<WorkspaceId>> workspaces_sharing(data::View& view, DomainId domain) {
    std::vector<WorkspaceId> out;
    const data::Walk walk{.scope = data::key(domain)};
    TRY(schema().domain_shares.by_domain.walk(view, walk, [&](data::BytesView primary) -> Result<bool> {
        out.push_back(*WorkspaceId::from_bytes(primary.substr(0, 16)));
        return true;
    }));
    return out;
}

Result<Domain> change_domain(Desk& desk, const Domain& domain, const DomainChange& change) {
    auto changed = domain;
    Problems problems;
    change.verified.apply_to(changed.verified);
    change.active.apply_to(changed.active);
    change.revoked.apply_to(changed.revoked);
    change.redirect_type.apply_to(changed.redirect_type);
    if (std::ranges::find(redirect_types, changed.redirect_type) == redirect_types.end())
        problems.add(out_of_range("redirectType", "must be 301, 302, 307 or 308"));
    change_address("customHomepage", change.custom_homepage, changed.custom_homepage, problems);
    change_address("notFoundUrl", change.not_found_url, changed.not_found_url, problems);
    TRY(change_slashtag_rules(desk, change, changed, problems));
    TRY(problems.result("domain"));

    changed.updated_at = desk.now;
    TRY(schema().domains.update(desk.txn, domain, changed));
    desk.changes.domains.push_back(domain.id);
    return changed;
}

Result<void> remove_domain(Desk& desk, const Domain& domain) {
    // On an inactive domain no link can appear between this count and the commit.
    if (domain.active)
        return refused("Conflict", "domain", "The domain is active; make it inactive first.");
    if (TRY(schema().links.per_domain.count(desk.txn, domain.id)) > 0)
        return refused("Conflict", "domain", "The domain still has links; delete or move them first.");
    for (const auto workspace : TRY(workspaces_sharing(desk.txn, domain.id)))
        TRY(unshare_domain(desk, domain.id, workspace));
    if (TRY(default_domain(desk.txn)) == domain.id)
        TRY(desk.txn.erase(space::meta, meta_key::default_domain));
    TRY(schema().domains.remove(desk.txn, domain));
    desk.changes.domains.push_back(domain.id);
    return {};
}

Result<void> share_domain(Desk& desk, DomainId domain, WorkspaceId workspace) {
    if (!TRY(schema().domains.find(desk.txn, domain.view())))
        return not_found("domain", domain.hex());
    if (!TRY(schema().workspaces.find(desk.txn, workspace.view())))
        return not_found("workspace", workspace.hex());
    const DomainShare share{.workspace = workspace, .domain = domain, .created_at = desk.now};
    if (TRY(schema().domain_shares.find(desk.txn, DomainShare::primary_of(share))))
        return {};
    return schema().domain_shares.insert(desk.txn, share);
}

Result<void> unshare_domain(Desk& desk, DomainId domain, WorkspaceId workspace) {
    const auto share = TRY(schema().domain_shares.find(
        desk.txn, DomainShare::primary_of({.workspace = workspace, .domain = domain})));
    if (!share)
        return {};
    return schema().domain_shares.remove(desk.txn, *share);
}

} // namespace slashpost
