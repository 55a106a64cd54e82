#include "app/admin/admin_context.h"

#include "app/admin/progress.h"
#include "core/base/errors.h"
#include "core/schema/recent_rollups.h"
#include "core/search/indexer.h"

namespace slashpost::admin {

namespace {

// Of a store that takes no writes: what waits in the journal is left out, and the rest is brought to where it
// stays in memory only.
Result<int> read_without_writing(AdminContext& context, const std::function<Result<int>(data::View&)>& f) {
    std::optional<int> code;
    const auto ended = context.engine.transact([&](data::Txn& txn) -> Result<void> {
        const auto hours = TRY(recent_hours(txn));
        while (!hours.empty() && TRY(close_hours_batch(txn, hours.back() + 1))) {
        }
        code = TRY(f(txn));
        return unavailable("this was never to be written");
    });
    if (code)
        return *code;
    return std::unexpected(ended.error());
}

} // namespace

Result<int> read_settled(AdminContext& context, const std::function<Result<int>(data::View&)>& f) {
    if (!context.engine.figures().writable)
        return read_without_writing(context, f);
    for (;;) {
        TRY(context.fold_clicks());
        TRY(close_all_hours(context.engine));
        const auto code = TRY(context.engine.read([&](data::View& view) -> Result<std::optional<int>> {
            if (!TRY(recent_hours(view)).empty()) // one began just now
                return std::nullopt;
            return TRY(f(view));
        }));
        if (code)
            return *code;
    }
}

Result<std::uint64_t> index_links(AdminContext& context, Console& console, std::uint64_t expected) {
    std::uint64_t done = 0;
    Progress progress(console, "search index", [&]() -> std::optional<double> {
        if (expected == 0)
            return std::nullopt;
        return static_cast<double>(done) / static_cast<double>(expected);
    });
    return search::index_all(context.engine, [&](std::uint64_t links) {
        return progress.step(links - std::exchange(done, links));
    });
}

} // namespace slashpost::admin
