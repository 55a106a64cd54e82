#include "core/schema/imports.h"

#include "core/data/codec_code.h"
#include "core/schema/click_orders.h"
#include "core/schema/rollups.h"

namespace slashpost {

SLASHPOST_CODEC_CODE(ImportState);

namespace {

data::Bytes state_key(data::BytesView import) { return data::Bytes("import/").append(import); }
data::Bytes run_key(data::BytesView import) { return data::Bytes("import run/").append(import); }

Result<void> add_clicks(data::Txn& txn, const Subject& subject, std::int64_t clicks) {
    data::Counts counts;
    counts.add(data::BytesView(&group::clicks, 1), clicks);
    for (const auto grain : {Grain::all, Grain::day})
        TRY(txn.add_counts(space::rollups, rollup_key(subject, grain, 0), counts));
    return {};
}

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

Result<void> EarlierClicks::count(data::Txn& txn, const Link& link, std::int64_t clicks) {
    TRY(add_settled_clicks(txn, link.workspace, link.id,
                           {.clicks = clicks, .last_click_at = link.created_at}));
    TRY(txn.add(workspace_clicks_tally(link.workspace), clicks));
    TRY(txn.add(domain_clicks_tally(link.domain, link.workspace), clicks));
    shared_[Subject::of(link.workspace).prefix] += clicks;
    shared_[Subject::of(link.domain, link.workspace).prefix] += clicks;
    for (const auto& tag : link.tags)
        shared_[Subject::of(tag).prefix] += clicks;
    return add_clicks(txn, Subject::of(link.id), clicks);
}

Result<void> EarlierClicks::write(data::Txn& txn) const {
    for (const auto& [prefix, clicks] : shared_)
        TRY(add_clicks(txn, {.prefix = prefix, .link = {}, .workspace = {}}, clicks));
    return {};
}

} // namespace slashpost
