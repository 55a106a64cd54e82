#include "core/access/last_uses.h"

#include "core/schema/schema.h"

namespace slashpost {

namespace {

constexpr std::size_t booked_at_once_max = 500; // of each

template <class I>
void remember(std::map<I, Timestamp>& noted, const I& id, Timestamp now) {
    if (noted.size() < LastUses::remembered_max || noted.contains(id))
        noted[id] = now;
}

template <class I>
std::map<I, Timestamp> some_of(std::map<I, Timestamp>& noted) {
    std::map<I, Timestamp> out;
    while (!noted.empty() && out.size() < booked_at_once_max)
        out.insert(noted.extract(noted.begin()));
    return out;
}

// The time of the row's last use moves to `used_at`, unless that is before it.
template <class Table, class I, class Member>
Result<void> move_times(data::Txn& txn, const Table& table, const std::map<I, Timestamp>& noted,
                        Member member) {
    for (const auto& [id, used_at] : noted) {
        const auto row = TRY(table.find(txn, id.view()));
        if (!row || row.value().*member >= used_at)
            continue;
        auto moved = *row;
        moved.*member = used_at;
        TRY(table.update(txn, *row, moved));
    }
    return {};
}

} // namespace

void LastUses::note(const ApiKey& key, Timestamp now) {
    if (key.last_used_at && now < key.last_used_at->plus_seconds(key_every_seconds))
        return;
    const std::lock_guard lock(mutex_);
    remember(noted_.keys, key.id, now);
}

void LastUses::note(const Session& session, Timestamp now) {
    if (now < session.used_at.plus_seconds(session_every_seconds))
        return;
    const std::lock_guard lock(mutex_);
    remember(noted_.sessions, session.id, now);
}

void LastUses::note(const Grant& grant, Timestamp now) {
    if (now < grant.used_at.plus_seconds(grant_every_seconds))
        return;
    const std::lock_guard lock(mutex_);
    remember(noted_.grants, grant.id, now);
}

LastUses::Noted LastUses::take() {
    const std::lock_guard lock(mutex_);
    return {
        .keys = some_of(noted_.keys), .sessions = some_of(noted_.sessions), .grants = some_of(noted_.grants)};
}

Result<void> book_uses(SystemContext& system, const LastUses::Noted& noted) {
    TRY(move_times(system.txn, schema().api_keys, noted.keys, &ApiKey::last_used_at));
    TRY(move_times(system.txn, schema().sessions, noted.sessions, &Session::used_at));
    return move_times(system.txn, schema().grants, noted.grants, &Grant::used_at);
}

} // namespace slashpost
