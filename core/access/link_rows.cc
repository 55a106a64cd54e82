#include "core/access/link_rows.h"

#include "core/schema/click_orders.h"
#include "core/schema/schema.h"

namespace slashpost {

namespace {

void note_address(const Desk& desk, const Link& link) {
    desk.changes.addresses.push_back({.domain = link.domain, .slashtag_key = link.slashtag_key});
}

void note_expiry(const Desk& desk, const Link& link) {
    desk.changes.expiries |= link.active() && link.expires_at.has_value();
}

} // namespace

Result<void> insert_link(const Desk& desk, const Link& link) {
    note_address(desk, link);
    note_expiry(desk, link);
    TRY(schema().links.insert_new(desk.txn, link));
    return enter_click_orders(desk.txn, link.workspace, link.id);
}

Result<void> change_link(const Desk& desk, const Link& was, const Link& now) {
    note_address(desk, was);
    if (now.domain != was.domain || now.slashtag_key != was.slashtag_key)
        note_address(desk, now);
    note_expiry(desk, now);
    return schema().links.update(desk.txn, was, now);
}

ReleasedSlashtag released_by(const Link& link, Timestamp now, const Settings& settings) {
    return {.domain = link.domain,
            .slashtag_key = link.slashtag_key,
            .workspace = link.workspace,
            .until = now.plus_seconds(settings.quarantine_seconds),
            .unknown = {}};
}

Result<void> release_slashtag(const Desk& desk, const Link& link) {
    const auto released = released_by(link, desk.now, desk.tools.settings);
    const auto& table = schema().released_slashtags;
    if (const auto before = TRY(table.find(desk.txn, ReleasedSlashtag::primary_of(released))))
        return table.update(desk.txn, *before, released);
    return table.insert(desk.txn, released);
}

Result<Link> retire_link(const Desk& desk, const Link& link) {
    auto deleted = link;
    deleted.status = LinkStatus::deleted;
    deleted.updated_at = desk.now;
    deleted.routing.clear();
    TRY(release_slashtag(desk, link));
    TRY(change_link(desk, link, deleted));
    if (const auto parts = TRY(schema().link_parts.find(desk.txn, link.id.view())))
        TRY(schema().link_parts.remove(desk.txn, *parts));
    return deleted;
}

} // namespace slashpost
