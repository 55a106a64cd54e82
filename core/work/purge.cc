#include "core/work/purge.h"

#include "core/access/link_rows.h"
#include "core/data/trail.h"
#include "core/schema/rollups.h"
#include "core/schema/schema.h"
#include "core/search/indexer.h"
#include "core/work/deliveries.h"
#include "core/work/mails.h"

namespace slashpost {

namespace {

constexpr std::size_t purged_at_once_max = 200;
constexpr std::size_t figures_max = 1000; // rows of statistics that a batch erases
constexpr std::size_t index_entries_max = 1000;

// Erases statistics while there is `room` for more; true when none of these subjects is left.
Result<bool> erase_statistics(data::Txn& txn, data::BytesView subjects, std::size_t& room) {
    room -= TRY(erase_figures(txn, subjects, room));
    return room > 0;
}

// Deletes those of the links that still have their slashtags.
Result<void> retire(SystemContext& system, const std::vector<data::Bytes>& links) {
    for (const auto& primary : links)
        if (const auto link = TRY(schema().links.find(system.txn, primary)); link && link->holds_slashtag())
            TRY(retire_link(system, *link));
    return {};
}

// Primary keys, as many as are worked off at once.
template <class T>
Result<std::vector<data::Bytes>> first_of(data::View& view, const data::Index<T>& index,
                                          const data::Walk& walk) {
    std::vector<data::Bytes> found;
    TRY(index.walk(view, walk, [&](data::BytesView primary) -> Result<bool> {
        found.emplace_back(primary);
        return found.size() < purged_at_once_max;
    }));
    return found;
}

Result<std::vector<data::Bytes>> first_links(data::View& view, WorkspaceId workspace, bool active,
                                             const data::Bytes& after) {
    data::Walk walk{.scope = data::key(workspace, active)};
    if (!after.empty())
        walk.after = after;
    return first_of(view, schema().links.by_created, walk);
}

// True when there are no more links. Those that are not active are expired ones and deleted ones, so they are
// walked through once; when the walk begins no link is active any more, so none can expire behind it.
Result<bool> purge_links(SystemContext& system, const Job& job) {
    const auto active = TRY(first_links(system.txn, job.workspace, true, {}));
    TRY(retire(system, active));
    if (!active.empty())
        return false;
    const auto after = job.subject.empty() ? data::Bytes() : data::Bytes(job.subject.view());
    const auto others = TRY(first_links(system.txn, job.workspace, false, after));
    if (others.empty())
        return true;
    TRY(retire(system, others));
    auto further = job;
    std::size_t room = figures_max;
    DomainId domain; // of the link before
    for (const auto& primary : others) {
        const auto link = TRY(schema().links.find(system.txn, primary));
        if (link && !TRY(erase_statistics(system.txn, Subject::of(link->id).prefix, room)))
            break;
        if (link && link->domain != domain &&
            !TRY(erase_statistics(system.txn, Subject::of(link->domain, job.workspace).prefix, room)))
            break;
        domain = link ? link->domain : domain;
        further.subject = *RawId::from_bytes(primary);
    }
    TRY(schema().jobs.update(system.txn, job, further));
    return false;
}

// Tags, with their statistics.
Result<bool> erase_tags(data::Txn& txn, WorkspaceId workspace) {
    const auto found = TRY(first_of(txn, schema().tags.by_created, {.scope = data::key(workspace)}));
    std::size_t room = figures_max;
    for (const auto& primary : found) {
        if (!TRY(erase_statistics(txn, Subject::of(TagId(*RawId::from_bytes(primary))).prefix, room)))
            return false;
        if (const auto tag = TRY(schema().tags.find(txn, primary)))
            TRY(schema().tags.remove(txn, *tag));
    }
    return found.empty();
}

// Erases rows; true when there were none.
template <class T>
Result<bool> erase(data::Txn& txn, const data::Table<T>& table, const std::vector<data::Bytes>& primaries) {
    for (const auto& primary : primaries)
        if (const auto row = TRY(table.find(txn, primary)))
            TRY(table.remove(txn, *row));
    return primaries.empty();
}

// Rows whose primary keys begin with the workspace.
template <class T>
Result<bool> erase_under(data::Txn& txn, const data::Table<T>& table, WorkspaceId workspace) {
    std::vector<data::Bytes> found;
    const auto visit = [&](const T& row) -> Result<bool> {
        if (row.workspace == workspace)
            found.push_back(T::primary_of(row));
        return row.workspace == workspace && found.size() < purged_at_once_max;
    };
    TRY(table.each(txn, visit, workspace.view()));
    return erase(txn, table, found);
}

// Rows that an index has under the workspace.
template <class T>
Result<bool> erase_under(data::Txn& txn, const data::Table<T>& table, const data::Index<T>& index,
                         WorkspaceId workspace) {
    return erase(txn, table, TRY(first_of(txn, index, {.scope = data::key(workspace)})));
}

// Invites, with the mails that wait for them.
Result<bool> erase_invites(data::Txn& txn, WorkspaceId workspace) {
    const auto& table = schema().invites;
    const auto found = TRY(first_of(txn, table.by_created, {.scope = data::key(workspace)}));
    for (const auto& primary : found)
        TRY(withdraw_mail(txn, MailKind::invite, *RawId::from_bytes(primary)));
    return erase(txn, table, found);
}

// With what they were told.
Result<bool> erase_webhooks(data::Txn& txn, WorkspaceId workspace) {
    const auto& table = schema().webhooks;
    const auto found = TRY(first_of(txn, table.by_created, {.scope = data::key(workspace)}));
    for (const auto& primary : found)
        if (TRY(erase_deliveries(txn, *WebhookId::from_bytes(primary))))
            return false;
    return erase(txn, table, found);
}

Result<bool> erase_own_statistics(data::Txn& txn, WorkspaceId workspace) {
    std::size_t room = figures_max;
    return erase_statistics(txn, Subject::of(workspace).prefix, room);
}

} // namespace

Result<bool> purge_workspace(SystemContext& system, const Job& job) {
    const auto& s = schema();
    const data::Unfollowed told_already(system.txn); // that the workspace is gone, and nobody sees into it
    return TRY(purge_links(system, job)) && TRY(erase_under(system.txn, s.domain_shares, job.workspace)) &&
           TRY(erase_tags(system.txn, job.workspace)) &&
           TRY(erase_under(system.txn, s.scripts, s.scripts.by_created, job.workspace)) &&
           TRY(erase_under(system.txn, s.conversions, job.workspace)) &&
           TRY(erase_invites(system.txn, job.workspace)) && TRY(erase_webhooks(system.txn, job.workspace)) &&
           TRY(erase_own_statistics(system.txn, job.workspace)) &&
           TRY(search::erase_index(system.txn, job.workspace, index_entries_max));
}

} // namespace slashpost
