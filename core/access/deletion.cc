#include "core/access/deletion.h"

#include "core/schema/schema.h"

namespace slashpost {

Result<void> release_slashtag(const Desk& desk, const Link& link) {
    const ReleasedSlashtag released{.domain = link.domain,
                                    .slashtag_key = link.slashtag_key,
                                    .workspace = link.workspace,
                                    .until = desk.now.plus_seconds(desk.tools.settings.quarantine_seconds),
                                    .unknown = {}};
    const auto& table = schema().released_slashtags;
    if (const auto before = TRY(table.find(desk.txn, ReleasedSlashtag::primary_of(released))))
        return table.update(desk.txn, *before, released);
    return table.insert(desk.txn, released);
}

Result<Link> retire_link(const Desk& desk, const Link& link) {
    auto deleted = link;
    deleted.status = LinkStatus::deleted;
    deleted.updated_at = desk.now;
    TRY(release_slashtag(desk, link));
    TRY(schema().links.update(desk.txn, link, deleted));
    if (const auto parts = TRY(schema().link_parts.find(desk.txn, link.id.view())))
        TRY(schema().link_parts.remove(desk.txn, *parts));
    desk.changes.addresses.push_back({.domain = link.domain, .slashtag_key = link.slashtag_key});
    return deleted;
}

} // namespace slashpost
