#include "core/access/link_rows.h"

#include "core/schema/click_orders.h"
#include "core/schema/schema.h"

namespace slashpost {

namespace {

void note_addresses(const SystemContext& system, const Link& link) {
    for (auto& key : link.slashtag_keys())
        system.changes.addresses.push_back({.domain = link.domain, .slashtag_key = std::move(key)});
}

void note_expiry(const SystemContext& system, const Link& link) {
    system.changes.expiries |= link.active() && link.expires_at.has_value();
}

} // namespace

Result<void> insert_link(const SystemContext& system, const Link& link) {
    note_addresses(system, link);
    note_expiry(system, link);
    TRY(schema().links.insert_new(system.txn, link));
    return enter_click_orders(system.txn, link.workspace, link.id);
}

Result<void> change_link(const SystemContext& system, const Link& was, const Link& now) {
    note_addresses(system, was);
    if (now.domain != was.domain || now.slashtag_key != was.slashtag_key || now.aliases != was.aliases)
        note_addresses(system, now);
    note_expiry(system, now);
    return schema().links.update(system.txn, was, now);
}

ReleasedSlashtag released_by(const Link& link, std::string_view slashtag_key, Timestamp now,
                             const Settings& settings) {
    return {.domain = link.domain,
            .slashtag_key = std::string(slashtag_key),
            .workspace = link.workspace,
            .until = now.plus_seconds(settings.quarantine_seconds),
            .unknown = {}};
}

Result<void> release_slashtag(const SystemContext& system, const Link& link, std::string_view slashtag_key) {
    const auto released = released_by(link, slashtag_key, system.now, system.tools.settings);
    const auto& table = schema().released_slashtags;
    if (const auto before = TRY(table.find(system.txn, ReleasedSlashtag::primary_of(released))))
        return table.update(system.txn, *before, released);
    return table.insert(system.txn, released);
}

Result<Link> retire_link(const SystemContext& system, const Link& link) {
    auto deleted = link;
    deleted.status = LinkStatus::deleted;
    deleted.updated_at = system.now;
    deleted.routing.clear();
    for (const auto& key : link.slashtag_keys())
        TRY(release_slashtag(system, link, key));
    TRY(change_link(system, link, deleted));
    if (const auto parts = TRY(schema().link_parts.find(system.txn, link.id.view())))
        TRY(schema().link_parts.remove(system.txn, *parts));
    return deleted;
}

} // namespace slashpost
