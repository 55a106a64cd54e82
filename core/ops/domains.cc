#include "core/ops/domains.h"

#include "core/access/domain_doors.h"
#include "core/access/link_rows.h"
#include "core/base/host.h"
#include "core/base/text.h"
#include "core/base/url.h"
#include "core/ops/cursors.h"
#include "core/ops/dashboard_host.h"
#include "core/ops/destinations.h"
#include "core/ops/domain_aliases.h"
#include "core/ops/field_rules.h"
#include "core/schema/schema.h"
#include "core/schema/store.h"
#include "core/work/jobs.h"
#include "core/work/retire.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace slashpost {

namespace {

// So many expired links may go with their domain, in one transaction.
constexpr std::int64_t expired_links_max = 500;

// space::domains   ff | domain -> nothing
//
// Written without reading by whatever brings a link to the domain, read by whatever needs it to be empty. A
// count is not tracked; this key is, so of an arrival and a removal at the same time one runs again.
data::Bytes arrival_key(DomainId domain) { return data::key(std::uint8_t{0xff}, domain); }

// How many links the domain has that are not deleted. True until the commit.
Result<std::int64_t> count_links_for_sure(SystemContext& system, DomainId domain) {
    TRY(system.txn.get(space::domains, arrival_key(domain)));
    return schema().links.per_domain.count(system.txn, domain);
}

// Where the domain leads from `place`, which nothing on the way may lead back to.
Result<void> change_address(SystemContext& system, std::string_view property,
                            const Change<std::string>& change, const Domain& domain, DomainPage place,
                            std::string& address, Problems& problems) {
    if (change.is_clear())
        address.clear();
    if (!change.is_set() || change.value() == address)
        return {};
    auto read = destination(property, change.value());
    if (!read.has_value())
        problems.add(std::move(read).error());
    else if (read->host == domain.full_name || find_alias(domain, read->host))
        problems.add(invalid_format(property, "leads back to this domain"));
    else if (TRY(DestinationCheck(system.txn, domain.id, place).admit(read->stored, problems, property)))
        address = std::move(read->stored);
    return {};
}

void change_document(std::string_view property, const Change<std::string>& change, std::string& document,
                     Problems& problems) {
    change.apply_to(document);
    document = std::string(without_byte_order_mark(document)); // those who ask may stumble on it
    if (document.size() > domain_document_bytes_max)
        problems.add(invalid_length(property, 0, domain_document_bytes_max));
}

// As it is given when it is no address.
std::string stored_logo(const std::string& given) {
    constexpr std::string_view https = "https:";
    auto read = destination("branding.logoUrl", given);
    if (!read.has_value())
        return given;
    if (lower_ascii(read->stored.substr(0, https.size())) == https)
        read->stored.replace(0, https.size(), https);
    return std::move(read->stored);
}

void change_branding(const BrandingChange& change, Branding& branding, Problems& problems) {
    change.name.apply_to(branding.name);
    change.color.apply_to(branding.color);
    branding.color = stored_color(branding.color);
    change.logo_url.apply_to(branding.logo_url);
    if (change.logo_url.is_set())
        branding.logo_url = stored_logo(change.logo_url.value());
    change.home_text.apply_to(branding.home_text);
    std::erase(branding.home_text, '\r'); // of lines that end as forms send them
    check_branding(branding, problems);
}

Result<void> change_slashtag_rules(SystemContext& system, const DomainChange& change, Domain& domain,
                                   Problems& problems) {
    auto& rules = domain.slashtag;
    change.slashtag_length_min.apply_to(rules.length_min);
    change.slashtag_length_max.apply_to(rules.length_max);
    check_slashtag_lengths(rules, problems);
    const auto before = rules;
    change.slashtag_case_sensitive.apply_to(rules.case_sensitive);
    change.slashtag_charset.apply_to(rules.charset);
    const bool other_case = rules.case_sensitive != before.case_sensitive;
    const bool narrows = before.charset == SlashtagCharset::unicode && rules.charset != before.charset;
    if ((!other_case && !narrows) || TRY(count_links_for_sure(system, domain.id)) == 0)
        return {};
    // Folding slashtags later could make two links collide, so the rule is settled before the first link.
    if (other_case)
        problems.add(
            invalid_format("slashtag.caseSensitive", "can change only while the domain has no links"));
    // Nobody would find the links that have other slashtags.
    if (narrows)
        problems.add(
            invalid_format("slashtag.charset", "can become ascii only while the domain has no links"));
    return {};
}

// Deletes the expired links of the domain; refused when there are others, which people may want back.
Result<void> clear_links(SystemContext& system, const Domain& domain) {
    const auto left = TRY(count_links_for_sure(system, domain.id));
    if (left > expired_links_max)
        return refused("Conflict", "domain",
                       fmt::format("The domain still has {} links; delete or move them first.", left));
    std::vector<Link> links;
    Result<void> outcome;
    const auto visit = [&](data::BytesView, data::BytesView entry) {
        const auto take = [&]() -> Result<void> {
            auto link = TRY(schema().links.find(system.txn, entry.substr(0, Link::primary_bytes)));
            if (!link)
                return fault("a short address belongs to no link");
            links.push_back(std::move(*link));
            return {};
        };
        outcome = take();
        return outcome.has_value();
    };
    TRY(system.txn.scan(space::redirects, data::Range::of_prefix(data::key(domain.id)), data::Order::forward,
                        visit));
    TRY(outcome);
    if (std::ranges::any_of(links, [](const Link& link) { return link.status != LinkStatus::expired; }))
        return refused("Conflict", "domain",
                       "The domain still has active or paused links; delete or move them first.");
    for (const auto& link : links)
        TRY(retire_link(system, link));
    return {};
}

// With those that have ended.
Result<void> erase_shares(SystemContext& system, DomainId domain) {
    const auto& table = schema().domain_shares;
    std::vector<data::Bytes> found;
    TRY(table.by_domain.walk(system.txn, {.scope = data::key(domain)},
                             [&](data::BytesView primary) -> Result<bool> {
                                 found.emplace_back(primary);
                                 return true;
                             }));
    for (const auto& primary : found)
        if (const auto share = TRY(table.find(system.txn, primary))) {
            TRY(keep_place(system.txn, table, *share, system.now));
            TRY(table.remove(system.txn, *share));
        }
    return {};
}

} // namespace

Result<Domain> add_domain(SystemContext& system, const NewDomain& in) {
    Problems problems;
    const auto name = normal_host(in.full_name);
    if (in.full_name.empty())
        problems.add(required_field("fullName"));
    else if (!name)
        problems.add(invalid_format("fullName", "is not a host name"));
    else if (is_dashboard_host(system.tools.settings, *name))
        problems.add(dashboard_host_refused("fullName"));
    else if (TRY(schema().domains.by_name.find(system.txn, *name)))
        problems.add(already_exists("fullName"));
    TRY(problems.result("domain"));

    Domain domain{.id = system.tools.ids.next<DomainId>(),
                  .full_name = *name,
                  .type = in.type,
                  .owner = in.owner,
                  .verified = in.verified,
                  .created_at = system.now,
                  .updated_at = system.now,
                  .slashtag = in.slashtag,
                  .registered_in = in.registered_in};
    TRY(schema().domains.insert(system.txn, domain));
    system.changes.domains.push_back(domain.id);
    return domain;
}

Result<Domain> find_any_domain(data::View& view, std::string_view name) {
    const auto& domains = schema().domains;
    std::optional<Domain> domain;
    if (const auto id = DomainId::parse(name))
        domain = TRY(domains.find(view, id->view()));
    const auto normal = normal_host(name);
    if (normal && !domain)
        domain = TRY(domains.find_by(domains.by_name, view, *normal));
    if (domain)
        return std::move(*domain);

    std::vector<std::string> ids;
    TRY(domains.each(view, [&](const Domain& one) -> Result<bool> {
        if (one.full_name == normal) {
            ids.push_back(one.id.hex());
            domain = one;
        }
        return true;
    }));
    if (ids.size() > 1)
        return refused(
            "Conflict", "domain",
            fmt::format("This name was registered more than once and none is verified; give the id "
                        "instead, one of {}.",
                        fmt::join(ids, ", ")));
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
        const auto workspace = *WorkspaceId::from_bytes(primary.substr(0, 16));
        if (TRY(is_shared(view, domain, workspace)))
            out.push_back(workspace);
        return true;
    }));
    return out;
}

std::string shown_place(std::string stored) {
    for (const auto& [escaped, shown] :
         {std::pair<std::string_view, std::string_view>{"%7Bpath%7D", "{path}"},
          {"%7Bdomain%7D", "{domain}"}})
        for (std::size_t at = 0; (at = stored.find(escaped, at)) != stored.npos; at += shown.size())
            stored.replace(at, escaped.size(), shown);
    return stored;
}

Result<Domain> change_domain(SystemContext& system, const Domain& domain, const DomainChange& change,
                             Problems problems) {
    auto changed = domain;
    change.verified.apply_to(changed.verified);
    if (changed.verified && !domain.verified && is_dashboard_host(system.tools.settings, domain.full_name))
        problems.add(dashboard_host_refused("fullName"));
    change.active.apply_to(changed.active);
    change.revoked.apply_to(changed.revoked);
    change.redirect_type.apply_to(changed.redirect_type);
    check_redirect_type(changed.redirect_type, problems);
    TRY(change_address(system, "customHomepage", change.custom_homepage, domain, DomainPage::home,
                       changed.custom_homepage, problems));
    TRY(change_address(system, "notFoundUrl", change.not_found_url, domain, DomainPage::nowhere,
                       changed.not_found_url, problems));
    if (changed.not_found_url != domain.not_found_url)
        check_places("notFoundUrl", changed.not_found_url, problems);
    TRY(change_address(system, "expiredUrl", change.expired_url, domain, DomainPage::nowhere,
                       changed.expired_url, problems));
    if (changed.expired_url != domain.expired_url)
        check_places("expiredUrl", changed.expired_url, problems);
    change.forward_parameters.apply_to(changed.forwarding.parameters);
    change.on_conflict.apply_to(changed.forwarding.on_conflict);
    change_document("appleAppSiteAssociation", change.apple_app_site_association,
                    changed.apple_app_site_association, problems);
    change_document("assetLinks", change.asset_links, changed.asset_links, problems);
    change_branding(change.branding, changed.branding, problems);
    TRY(change_aliases(system, change, changed, problems));
    TRY(change_slashtag_rules(system, change, changed, problems));
    TRY(problems.result("domain"));

    changed.updated_at = system.now;
    TRY(schema().domains.update(system.txn, domain, changed));
    system.changes.domains.push_back(domain.id);
    return changed;
}

Result<void> remove_domain(SystemContext& system, const Domain& domain) {
    TRY(clear_links(system, domain));
    TRY(erase_shares(system, domain.id));
    if (TRY(default_domain(system.txn)) == domain.id)
        TRY(system.txn.erase(space::meta, meta_key::default_domain));
    TRY(keep_place(system.txn, schema().domains, domain, system.now));
    TRY(schema().domains.remove(system.txn, domain));
    TRY(system.txn.erase(space::domains, arrival_key(domain.id)));
    TRY(enqueue_job(system.txn, {.id = system.tools.ids.next<JobId>(),
                                 .kind = JobKind::purge_domain,
                                 .subject = domain.id,
                                 .created_at = system.now,
                                 .unknown = {}}));
    system.changes.domains.push_back(domain.id);
    return {};
}

Result<void> note_arrival(data::Txn& txn, DomainId domain) {
    return txn.put_blind(space::domains, arrival_key(domain), {});
}

Result<void> share_domain(SystemContext& system, DomainId domain, WorkspaceId workspace) {
    const auto shared = TRY(schema().domains.find(system.txn, domain.view()));
    if (!shared)
        return not_found("domain", domain.hex());
    const auto with = TRY(schema().workspaces.find(system.txn, workspace.view()));
    if (!with)
        return not_found("workspace", workspace.hex());
    if (shared->type == DomainType::service && with->type == WorkspaceType::extended)
        return refused("WrongWorkspaceType", "workspace",
                       "A domain of the installation cannot be added to an extended workspace.");
    if (with->is_retiring(domain))
        return refused("Conflict", "domain",
                       "The workspace's links on the domain are being deleted; try again in a moment.");
    const auto& table = schema().domain_shares;
    const DomainShare share{
        .workspace = workspace, .domain = domain, .created_at = system.now, .ended_at = {}, .unknown = {}};
    const auto before = TRY(table.find(system.txn, DomainShare::primary_of(share)));
    if (!before)
        return table.insert(system.txn, share);
    return before->in_force() ? Result<void>() : table.update(system.txn, *before, share);
}

Result<void> unshare_domain(SystemContext& system, DomainId domain, WorkspaceId workspace, LinksLeft links,
                            UnsharedBy by) {
    const auto& table = schema().domain_shares;
    const auto share = TRY(table.find(
        system.txn, DomainShare::primary_of({.workspace = workspace, .domain = domain, .ended_at = {}})));
    if (!share)
        return {};
    auto ended = *share;
    if (share->in_force())
        ended.ended_at = system.now;
    ended.given_back = by == UnsharedBy::workspace;
    TRY(table.update(system.txn, *share, ended));
    return links == LinksLeft::retire ? begin_to_retire(system, domain, workspace) : Result<void>();
}

} // namespace slashpost
