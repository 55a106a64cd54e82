#include "app/admin/move.h"

#include "app/admin/commands.h"
#include "app/admin/data_folder.h"
#include "app/admin/walks.h"
#include "core/base/errors.h"
#include "core/schema/spaces.h"
#include "storage/open.h"

#include <fmt/format.h>

namespace slashpost::admin {

namespace {

// Of one transaction.
constexpr std::size_t entries_max = 2'048, bytes_max = std::size_t{1} << 20;

std::vector<data::Space> all_spaces() {
    std::vector spaces(space::all.begin(), space::all.end());
    spaces.push_back(data::tallies);
    return spaces;
}

// What is written last, so that a store which was cut off on its way is none.
bool says_that_it_is_whole(const data::Space& space, data::BytesView key) {
    return space.number == space::meta.number && key == meta_key::format;
}

// Entries of one space on their way into a store.
class EntryBatch {
  public:
    EntryBatch(data::Engine& into, const data::Space& space, Progress& progress)
        : into_(into),
          space_(space),
          progress_(progress) {}

    // Without a value: to be erased.
    Result<void> add(data::BytesView key, std::optional<data::BytesView> value) {
        entries_.emplace_back(key, value);
        bytes_ += key.size() + value.value_or("").size();
        return entries_.size() >= entries_max || bytes_ >= bytes_max ? write() : Result<void>();
    }
    Result<void> write() {
        TRY(into_.transact([&](data::Txn& txn) -> Result<void> {
            for (const auto& [key, value] : entries_)
                TRY(value ? txn.put_blind(space_, key, *value) : txn.erase_blind(space_, key));
            return {};
        }));
        const auto count = entries_.size();
        entries_.clear();
        bytes_ = 0;
        return progress_.step(count);
    }

  private:
    data::Engine& into_;
    const data::Space& space_;
    Progress& progress_;
    std::vector<std::pair<data::Bytes, std::optional<data::Bytes>>> entries_;
    std::size_t bytes_ = 0;
};

Result<void> each_entry(data::View& view, const data::Space& space,
                        const std::function<Result<void>(data::BytesView, data::BytesView)>& f) {
    Result<void> outcome;
    TRY(view.scan(space, {}, data::Order::forward, [&](data::BytesView key, data::BytesView value) {
        outcome = f(key, value);
        return outcome.has_value();
    }));
    return outcome;
}

// What a move that was cut off has left.
Result<void> clear(data::Engine& engine, Console& console) {
    Progress progress(console, "removing what an earlier move has left");
    return engine.read([&](data::View& view) -> Result<void> {
        for (const auto& space : all_spaces()) {
            EntryBatch batch(engine, space, progress);
            TRY(each_entry(view, space, [&](data::BytesView key, data::BytesView) {
                return batch.add(key, std::nullopt);
            }));
            TRY(batch.write());
        }
        return {};
    });
}

Result<void> copy(data::Engine& from, data::Engine& into, Console& console) {
    Meter::Pass pass;
    for (const auto& space : all_spaces())
        pass.push_back(all_of(space));
    Meter meter(from, {std::move(pass)});
    Progress progress(console, "move", [&] { return meter.fraction(); });
    TRY(from.read([&](data::View& stored) -> Result<void> {
        MeteredView view(stored, meter);
        for (const auto& space : all_spaces()) {
            EntryBatch batch(into, space, progress);
            TRY(each_entry(view, space, [&](data::BytesView key, data::BytesView value) -> Result<void> {
                return says_that_it_is_whole(space, key) ? Result<void>() : batch.add(key, value);
            }));
            TRY(batch.write());
        }
        EntryBatch last(into, space::meta, progress);
        TRY(last.add(meta_key::format, TRY(view.get(space::meta, meta_key::format))));
        return last.write();
    }));
    console.note(progress.summary());
    return {};
}

} // namespace

Result<int> move_store(AdminContext& context, const std::string& where, Console& console) {
    if (!storage::is_address_elsewhere(where))
        return refused(
            "UnknownEngine", "store",
            "--to is an address like postgres://USER@HOST/NAME without a password, which PGPASSWORD or "
            "the file .pgpass tells");
    if (TRY(storage::peek(where, space::meta, meta_key::format)))
        return refused("StoreNotEmpty", "store",
                       "there is a store at that address already; give a schema or a database that is empty");
    auto engine = TRY(storage::open(where, space::all, {.alone = true}));
    TRY(clear(*engine, console));
    TRY(copy(context.engine, *engine, console));
    const auto moved = OfflineContext::on(std::move(engine));
    return verify(moved->context(), console);
}

std::filesystem::path moved_folder(const std::filesystem::path& folder) { return folder / "moved"; }

Result<void> put_moved_store_aside(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directory(moved_folder(folder), error);
    for (const auto* name : {"journal", "store"}) // the store last: without it the folder is another server's
        if (!error && std::filesystem::exists(folder / name, error))
            std::filesystem::rename(folder / name, moved_folder(folder) / name, error);
    if (error)
        return unavailable(fmt::format("the store is moved, but {} cannot be put aside: {}; move 'store' and "
                                       "'journal' in it away before a server is started with --store",
                                       folder.string(), error.message()));
    return {};
}

} // namespace slashpost::admin
