// `slashpost-admin restore`, in two passes over the file: first everything is read and judged, then written.
#include "core/schema/compiled.h"
#include "core/schema/store.h"
#include "tools/admin/commands.h"
#include "tools/admin/dump_file.h"
#include "tools/admin/dump_parts.h"
#include "tools/admin/in_order.h"
#include "tools/admin/progress.h"

#include <algorithm>
#include <vector>

namespace slashpost::admin {

namespace {

constexpr std::size_t batch_rows = 2048; // of one transaction

Result<Apply> read_row(std::string_view table, const boost::json::object& row) {
    const auto parts = dump_parts();
    const auto part = std::ranges::find(parts, table, [](const auto& p) { return p->name(); });
    if (part == parts.end())
        return malformed(fmt::format("'{}' is no table of this program", table));
    return (*part)->read(row);
}

// Calls `work` with lines of the dump after lines, as work_in_order (in_order.h) does. Returns the schema.
Result<std::uint64_t> each_batch(std::istream& in, const auto& work) {
    DumpReader reader(in);
    TRY(work_in_order([&] { return reader.next(batch_rows); }, work));
    return reader.schema();
}

Result<void> step_all(Progress& progress, const DumpLines& lines) {
    for (std::size_t i = 0; i < lines.ends.size(); ++i)
        TRY(progress.step());
    return {};
}

} // namespace

Result<std::uint64_t> check_dump(std::istream& in, Console& console) {
    Progress progress(console, "restore, reading");
    TRY(each_batch(in, [&](const DumpLines& lines, const auto& wait) -> Result<void> {
        TRY(each_dump_row(lines, [](std::string_view table, const boost::json::object& row) -> Result<void> {
            TRY(read_row(table, row));
            return {};
        }));
        TRY(wait());
        return step_all(progress, lines);
    }));
    return progress.rows();
}

Result<int> restore(House& house, std::istream& in, Console& console) {
    TRY(house.engine.transact([](data::Txn& txn) -> Result<void> {
        if (!TRY(store_is_empty(txn)))
            return refused("StoreNotEmpty", "store",
                           "this store is not empty; restore into a folder that does not exist yet");
        return mark_restoring(txn);
    }));
    Progress progress(console, "restore, writing");
    const auto schema = TRY(each_batch(in, [&](const DumpLines& lines, const auto& wait) -> Result<void> {
        std::vector<Apply> rows;
        rows.reserve(lines.ends.size());
        TRY(each_dump_row(lines, [&](std::string_view table, const boost::json::object& row) -> Result<void> {
            rows.push_back(TRY(read_row(table, row)));
            return {};
        }));
        TRY(house.engine.transact([&](data::Txn& txn) -> Result<void> {
            for (const auto& apply : rows)
                TRY(apply(txn));
            return {};
        }));
        TRY(wait());
        return step_all(progress, lines);
    }));
    if (schema < 2)
        TRY(compile_anew(house.engine)); // links did not carry their rules
    TRY(house.engine.transact([](data::Txn& txn) { return clear_restoring(txn); }));
    console.note(progress.summary());
    console.note("the search index follows when the server runs; until then searches read every link");
    return exit_good;
}

} // namespace slashpost::admin
