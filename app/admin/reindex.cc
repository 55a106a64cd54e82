// `slashpost-admin reindex`: entries and tallies become what the rows say.
#include "app/admin/commands.h"
#include "app/admin/walks.h"
#include "core/schema/click_orders.h"
#include "core/schema/store.h"
#include "core/search/indexer.h"

#include <fmt/format.h>

namespace slashpost::admin {

namespace {

// The passes of reindex_store, in their order. Entries of a table may lie in another space, too.
std::vector<Meter::Pass> passes_of_reindex() {
    std::vector<Meter::Pass> passes{{rows_of(schema().links)}};
    schema().each_table([&](const auto& table) {
        auto rows = rows_of(table);
        const Meter::Walk entries{.space = rows.space, .range = {.from = rows.range.until, .until = {}}};
        passes.push_back({std::move(rows), entries});
    });
    return passes;
}

} // namespace

Result<int> reindex(AdminContext& context, Console& console) {
    Meter meter(context.engine, passes_of_reindex());
    Progress progress(console, "reindex", [&] { return meter.fraction(); });
    MeteredEngine engine(context.engine, meter, progress);
    TRY(reindex_store(engine, [&](std::string_view table, std::uint64_t mended) {
        meter.next();
        return console.write(fmt::format("{}: {} entries mended\n", table, mended));
    }));
    TRY(remake_click_orders(context.engine, Remake::always));
    TRY(mark_links(context.engine));
    TRY(search::discard_indexes(context.engine));
    const auto links = TRY(context.engine.read(
        [](data::View& view) { return view.sum(schema().links.per_workspace.prefix()); }));
    const auto indexed = TRY(index_links(context, console, static_cast<std::uint64_t>(links)));
    TRY(console.write(fmt::format("search index: {} links indexed anew\n", indexed)));
    return exit_good;
}

} // namespace slashpost::admin
