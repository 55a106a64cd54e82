// `slashpost-admin restore`: everything is read and judged while a fill takes it in, and only then put in
// place.
#include "app/admin/commands.h"
#include "app/admin/dump_file.h"
#include "app/admin/dump_parts.h"
#include "app/admin/in_order.h"
#include "app/admin/progress.h"
#include "core/data/fill.h"
#include "core/schema/click_orders.h"
#include "core/schema/compiled.h"
#include "core/schema/store.h"

#include <algorithm>

namespace slashpost::admin {

namespace {

constexpr std::size_t batch_rows = 2048; // of one write

Result<void> restore_row(data::Txn& txn, std::string_view table, const boost::json::object& row) {
    const auto parts = dump_parts();
    const auto part = std::ranges::find(parts, table, [](const auto& p) { return p->name(); });
    if (part == parts.end())
        return malformed(fmt::format("'{}' is no table of this program", table));
    return (*part)->restore(txn, row);
}

// Writes all rows into the fill.
Result<void> restore_rows(data::Fill& fill, DumpReader& reader, Progress& progress) {
    return work_in_order([&] { return reader.next(batch_rows); },
                         [&](const DumpLines& lines, const auto& wait) -> Result<void> {
                             TRY(fill.write([&](data::Txn& txn) {
                                 return each_dump_row(lines, [&](std::string_view table, const auto& row) {
                                     return restore_row(txn, table, row);
                                 });
                             }));
                             TRY(wait());
                             return progress.step(lines.ends.size());
                         });
}

} // namespace

Result<int> restore(House& house, DumpReader& dump, Console& console) {
    if (!TRY(house.engine.read([](data::View& view) { return store_is_empty(view); })))
        return refused("StoreNotEmpty", "store",
                       "this store is not empty; restore into a folder that does not exist yet");
    Progress progress(console, "restore", [&dump] { return dump.fraction(); });
    const auto fill = TRY(data::begin_fill(house.engine));
    TRY(restore_rows(*fill, dump, progress));
    const bool needs_rules = dump.schema() < 2; // links did not carry them
    if (needs_rules)
        TRY(fill->write([](data::Txn& txn) { return mark_restoring(txn); }));
    TRY(fill->write([](data::Txn& txn) { return forget_click_orders(txn); }));
    console.note(fmt::format("restore: the dump is whole, {} rows; putting them in place", progress.rows()));
    double placed = 0;
    Progress placing(console, "restore, putting in place", [&placed] { return placed; });
    TRY(fill->finish([&](double fraction) {
        placed = fraction;
        return placing.look();
    }));
    if (needs_rules) {
        TRY(compile_anew(house.engine));
        TRY(house.engine.transact([](data::Txn& txn) { return clear_restoring(txn); }));
    }
    TRY(remake_click_orders(house.engine, Remake::if_forgotten));
    console.note(progress.summary());
    console.note("the search index follows when the server runs; until then searches read every link");
    return exit_good;
}

} // namespace slashpost::admin
