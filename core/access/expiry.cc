#include "core/access/expiry.h"

#include "core/access/link_rows.h"
#include "core/schema/schema.h"

namespace slashpost {

namespace {

constexpr std::size_t batch_max = 500;

Result<std::vector<LinkId>> due_links(data::View& view, Timestamp now, std::size_t count_max) {
    std::vector<LinkId> due;
    data::Walk walk;
    walk.until = data::key(Timestamp{now.ms + 1});
    TRY(schema().links.by_expiry.walk(view, walk, [&](data::BytesView primary) -> Result<bool> {
        due.push_back(*LinkId::from_bytes(primary));
        return due.size() < count_max;
    }));
    return due;
}

} // namespace

Result<bool> links_are_due(data::View& view, Timestamp now) { return !TRY(due_links(view, now, 1)).empty(); }

Result<void> expire_due_links(Desk& desk, Timestamp now) {
    for (const auto id : TRY(due_links(desk.txn, now, batch_max))) {
        const auto link = TRY(schema().links.find(desk.txn, id.view()));
        if (!link || !link->active() || !link->expires_at || *link->expires_at > now)
            continue;
        auto expired = *link;
        expired.status = LinkStatus::expired;
        TRY(change_link(desk, *link, expired));
    }
    return {};
}

} // namespace slashpost
