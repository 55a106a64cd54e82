// `slashpost-admin restore`: every row is read, judged and written by transactions into a store beside the
// folder's own, which takes its place when the dump has turned out to be whole and good.
#include "app/admin/commands.h"
#include "app/admin/data_folder.h"
#include "app/admin/dump_file.h"
#include "app/admin/dump_parts.h"
#include "app/admin/in_order.h"
#include "app/admin/progress.h"
#include "core/data/sync_later.h"
#include "core/schema/click_orders.h"
#include "core/schema/compiled.h"
#include "core/schema/store.h"

#include <algorithm>

namespace slashpost::admin {

namespace {

constexpr std::size_t batch_rows = 2048; // of one transaction

Result<void> restore_row(data::Txn& txn, std::string_view table, const boost::json::object& row) {
    const auto parts = dump_parts();
    const auto part = std::ranges::find(parts, table, [](const auto& p) { return p->name(); });
    if (part == parts.end())
        return malformed(fmt::format("'{}' is no table of this program", table));
    return (*part)->restore(txn, row);
}

Result<void> restore_rows(AdminContext& context, DumpReader& reader, Progress& progress) {
    return work_in_order([&] { return reader.next(batch_rows); },
                         [&](const DumpLines& lines, const auto& wait) -> Result<void> {
                             const data::SyncLater not_now; // the last transaction waits for the disk
                             TRY(context.engine.transact([&](data::Txn& txn) {
                                 return each_dump_row(lines, [&](std::string_view table, const auto& row) {
                                     return restore_row(txn, table, row);
                                 });
                             }));
                             TRY(wait());
                             return progress.step(lines.ends.size());
                         });
}

Result<void> check_empty(const std::filesystem::path& folder, const StoreNotice& notice, bool accepts_loss) {
    const auto engine = TRY(open_store(folder, {.accepts_loss = accepts_loss, .notice = notice}));
    if (TRY(engine->read([](data::View& view) { return store_is_empty(view); })))
        return {};
    return refused("StoreNotEmpty", "store",
                   "this store is not empty; restore into a folder that does not exist yet");
}

} // namespace

Result<int> restore(AdminContext& context, DumpReader& dump, Console& console) {
    Progress progress(console, "restore", [&dump] { return dump.fraction(); });
    TRY(restore_rows(context, dump, progress));
    if (dump.schema() < 2) // links did not carry their rules
        TRY(compile_anew(context.engine));
    {
        const data::SyncLater not_now;
        TRY(remake_click_orders(context.engine, Remake::always));
    }
    TRY(context.engine.transact(
        begin_click_orders)); // once more: it waits for the disk, for all before it, too
    console.note(progress.summary());
    console.note("the search index follows when the server runs; until then searches read every link");
    return exit_good;
}

Result<int> restore_folder(const std::filesystem::path& folder, DumpReader& dump, Console& console,
                           bool accepts_loss) {
    const StoreNotice notice = [&console](std::string_view sentence) { console.note(sentence); };
    if (TRY(has_store(folder)))
        TRY(check_empty(folder, notice, accepts_loss));
    int code = exit_findings;
    {
        const auto own = TRY(OfflineContext::on_new_store(folder, notice));
        code = TRY(restore(own->context(), dump, console));
    }
    TRY(put_new_store_in_place(folder));
    return code;
}

} // namespace slashpost::admin
