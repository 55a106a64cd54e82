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

Result<std::optional<Timestamp>> next_expiry(data::View& view) {
    std::optional<Timestamp> next;
    TRY(schema().links.by_expiry.walk(view, {}, [&](data::BytesView primary) -> Result<bool> {
        const auto link = TRY(schema().links.find(view, primary));
        next = link ? link->expires_at : std::nullopt;
        return false;
    }));
    return next;
}

Result<void> expire_due_links(SystemContext& system, Timestamp now) {
    for (const auto id : TRY(due_links(system.txn, now, batch_max))) {
        const auto link = TRY(schema().links.find(system.txn, id.view()));
        if (!link || !link->active() || !link->expires_at || *link->expires_at > now)
            continue;
        auto expired = *link;
        expired.status = LinkStatus::expired;
        TRY(change_link(system, *link, expired));
    }
    return {};
}

bool NextExpiry::may_be_due(Timestamp now) const {
    const std::lock_guard lock(mutex_);
    return !known_ || (next_ && *next_ <= now);
}

NextExpiry::Version NextExpiry::version() const {
    const std::lock_guard lock(mutex_);
    return version_;
}

void NextExpiry::found(std::optional<Timestamp> next, Version seen) {
    const std::lock_guard lock(mutex_);
    if (seen != version_)
        return;
    known_ = true;
    next_ = next;
}

void NextExpiry::changed() {
    const std::lock_guard lock(mutex_);
    ++version_;
    known_ = false;
}

} // namespace slashpost
