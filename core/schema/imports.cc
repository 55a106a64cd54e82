#include "core/schema/imports.h"

#include "core/schema/click_totals.h"
#include "core/schema/rollups.h"

namespace slashpost {

namespace {

data::Bytes state_key(data::BytesView import) { return data::Bytes("import/").append(import); }
data::Bytes run_key(data::BytesView import) { return data::Bytes("import run/").append(import); }

} // namespace

Result<std::optional<ImportState>> import_state(data::View& view, data::BytesView import) {
    const auto stored = TRY(view.get(space::meta, state_key(import)));
    return stored ? std::optional(TRY(data::decode<ImportState>(*stored))) : std::nullopt;
}

Result<void> begin_import_run(data::Txn& txn, data::BytesView import, data::BytesView run) {
    return txn.put(space::meta, run_key(import), run);
}

Result<void> check_import_run(data::Txn& txn, data::BytesView import, data::BytesView run) {
    if (TRY(txn.get(space::meta, run_key(import))) != run)
        return refused("Conflict", "import", "The same import was begun a second time meanwhile.");
    return {};
}

Result<void> put_import_state(data::Txn& txn, data::BytesView import, const ImportState& state) {
    return txn.put_blind(space::meta, state_key(import), data::encode(state));
}

Result<void> count_earlier_clicks(data::Txn& txn, const Link& link, std::int64_t clicks) {
    TRY(txn.add(link_clicks_tally(link.workspace, link.id), clicks));
    TRY(txn.add(workspace_clicks_tally(link.workspace), clicks));
    TRY(txn.add(domain_clicks_tally(link.domain, link.workspace), clicks));
    TRY(txn.put_blind(space::last_clicks, last_click_key(link.workspace, link.id),
                      last_click_value(link.created_at)));

    data::Counts counts;
    counts.add(data::BytesView(&group::clicks, 1), clicks);
    const auto count = [&](const Subject& subject) -> Result<void> {
        for (const auto grain : {Grain::all, Grain::day})
            TRY(txn.add_counts(space::rollups, rollup_key(subject, grain, 0), counts));
        return {};
    };
    TRY(count(Subject::of(link.id)));
    TRY(count(Subject::of(link.workspace)));
    TRY(count(Subject::of(link.domain, link.workspace)));
    for (const auto& tag : link.tags)
        TRY(count(Subject::of(tag)));
    return {};
}

} // namespace slashpost
