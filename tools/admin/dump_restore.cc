// `slashpost-admin restore`, in two passes over the file: first everything is read and judged, then written.
#include "core/schema/compiled.h"
#include "core/schema/store.h"
#include "tools/admin/commands.h"
#include "tools/admin/dump_file.h"
#include "tools/admin/dump_parts.h"
#include "tools/admin/progress.h"

#include <algorithm>
#include <vector>

namespace slashpost::admin {

namespace {

constexpr std::size_t batch_rows = 4096;

Result<Apply> read_row(std::string_view table, const boost::json::object& row) {
    const auto parts = dump_parts();
    const auto part = std::ranges::find(parts, table, [](const auto& p) { return p->name(); });
    if (part == parts.end())
        return malformed(fmt::format("'{}' is no table of this program", table));
    return (*part)->read(row);
}

class Batch {
  public:
    explicit Batch(data::Engine& engine) : engine_(engine) {}

    Result<void> add(Apply apply) {
        rows_.push_back(std::move(apply));
        return rows_.size() < batch_rows ? Result<void>() : commit();
    }
    Result<void> commit() {
        TRY(engine_.transact([&](data::Txn& txn) -> Result<void> {
            for (const auto& apply : rows_)
                TRY(apply(txn));
            return {};
        }));
        rows_.clear();
        return {};
    }

  private:
    data::Engine& engine_;
    std::vector<Apply> rows_;
};

} // namespace

Result<std::uint64_t> check_dump(std::istream& in, Console& console) {
    Progress progress(console, "restore, reading");
    return read_dump(in, [&](std::string_view table, const boost::json::object& row) -> Result<void> {
        TRY(read_row(table, row));
        return progress.step();
    });
}

Result<int> restore(House& house, std::istream& in, Console& console) {
    TRY(house.engine.transact([](data::Txn& txn) -> Result<void> {
        if (!TRY(store_is_empty(txn)))
            return refused("StoreNotEmpty", "store",
                           "this store is not empty; restore into a folder that does not exist yet");
        return mark_restoring(txn);
    }));
    Progress progress(console, "restore, writing");
    Batch batch(house.engine);
    TRY(read_dump(in, [&](std::string_view table, const boost::json::object& row) -> Result<void> {
        TRY(batch.add(TRY(read_row(table, row))));
        return progress.step();
    }));
    TRY(batch.commit());
    TRY(compile_anew(house.engine)); // dumps of older builds have links that do not carry their rules
    TRY(house.engine.transact([](data::Txn& txn) { return clear_restoring(txn); }));
    console.note(progress.summary());
    TRY(index_links(house, console)); // the server would do it, too
    return exit_good;
}

} // namespace slashpost::admin
