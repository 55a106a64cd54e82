#include "app/admin/backup.h"

#include "app/admin/as_owner.h"
#include "app/admin/commands.h"
#include "app/admin/data_folder.h"
#include "app/admin/new_folder.h"
#include "app/admin/progress.h"
#include "core/base/errors.h"
#include "core/data/copied.h"
#include "storage/open.h"

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <fmt/format.h>
#include <set>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace slashpost::admin {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t seconds_length = std::string_view("2026-11-29T15:00:00").size();
constexpr double mebibyte = 1 << 20;

fs::path store_in(const fs::path& backup) { return backup / "store"; }

std::string shown(Timestamp at) { return to_iso(at).substr(0, seconds_length) + 'Z'; }

// Colons are no part of names that every file system has.
std::string name_of(Timestamp at) {
    auto name = shown(at);
    std::ranges::replace(name, ':', '-');
    return name;
}

std::optional<Timestamp> time_of(const std::string& name) {
    if (name.size() != seconds_length + 1)
        return std::nullopt;
    auto text = name;
    for (const std::size_t colon : {13UZ, 16UZ})
        text[colon] = ':';
    const auto at = parse_iso(text);
    return at && name_of(*at) == name ? at : std::nullopt;
}

std::unexpected<Error> cannot(std::string_view what, const fs::path& path, const std::error_code& error) {
    return unavailable(fmt::format("cannot {} {}: {}", what, path.string(), error.message()));
}

Result<void> sync_names(const fs::path& folder) {
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool synced = descriptor >= 0 && ::fsync(descriptor) == 0;
    const std::error_code error(errno, std::generic_category());
    if (descriptor >= 0)
        ::close(descriptor);
    return synced ? Result<void>() : cannot("write to", folder, error);
}

Result<void> remove_whole(const fs::path& path) {
    std::error_code error;
    fs::remove_all(path, error);
    return error ? cannot("remove", path, error) : Result<void>();
}

Result<FolderLock> take_lock(const fs::path& folder) {
    auto taken = TRY(FolderLock::take(folder));
    if (!taken)
        return refused("InUse", "backup",
                       fmt::format("{} works on the backups in {}; try again when it is done",
                                   lock_holder(folder), folder.string()));
    return std::move(*taken);
}

// What was cut off, when nobody works on it any more.
Result<void> remove_leftovers(const fs::path& folder) {
    TRY(remove_whole(folder / "new"));
    return remove_whole(folder / "gone");
}

Result<Backup> newest_in(const fs::path& folder, std::optional<Timestamp> at) {
    auto all = TRY(backups_in(folder));
    if (at)
        std::erase_if(all, [&](const Backup& backup) { return backup.at > *at; });
    if (!all.empty())
        return all.back();
    return refused(
        "NoBackup", "backup",
        fmt::format("there is no backup {}in {}; 'slashpost-admin backup list' shows what there is",
                    at ? fmt::format("of {} or before ", shown(*at)) : "", folder.string()));
}

// Of a backup, or of what it has that the one before has not.
struct Size {
    std::uintmax_t all = 0, own = 0;
};

Size size_of(const fs::path& backup, std::set<ino_t>& files) {
    Size size;
    std::set<ino_t> found;
    std::error_code error;
    for (fs::directory_iterator it(store_in(backup), error), end; !error && it != end; it.increment(error)) {
        struct stat about{};
        if (::lstat(it->path().c_str(), &about) != 0)
            continue;
        size.all += static_cast<std::uintmax_t>(about.st_size);
        if (!files.contains(about.st_ino))
            size.own += static_cast<std::uintmax_t>(about.st_size);
        found.insert(about.st_ino);
    }
    files.swap(found);
    return size;
}

// For a console: ends when its caller has gone.
class Told {
  public:
    Told(Console& console, std::string_view what)
        : progress_(console, what, [this] { return std::optional(fraction_); }) {}
    data::Tell tell() {
        return [this](double fraction) {
            fraction_ = fraction;
            return progress_.look();
        };
    }

  private:
    double fraction_ = 0;
    Progress progress_;
};

bool is_empty_or_missing(const fs::path& folder) {
    std::error_code error;
    return fs::directory_iterator(folder, error) == fs::directory_iterator();
}

} // namespace

Result<std::vector<Backup>> backups_in(const fs::path& folder) {
    std::vector<Backup> out;
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
        if (const auto at = time_of(it->path().filename().string()))
            out.push_back({.at = *at, .folder = it->path()});
    if (error && error != std::errc::no_such_file_or_directory)
        return cannot("read", folder, error);
    std::ranges::sort(out, {}, &Backup::at);
    return out;
}

Result<Backup> make_backup(AdminContext& context, const fs::path& folder, const data::Tell& tell) {
    auto* const copied = dynamic_cast<data::Copied*>(&context.engine);
    if (copied == nullptr)
        return refused("StoreElsewhere", "backup",
                       "the store lies on another server; back it up with the tools of that one, or use "
                       "'slashpost-admin dump'");
    TRY(make_folder(folder));
    const auto locked = TRY(take_lock(folder));
    TRY(remove_leftovers(folder));
    const auto earlier = TRY(backups_in(folder));
    TRY(context.fold_clicks());
    auto at = context.clock.now();
    if (!earlier.empty()) // each has a second of its own, also when the clock was set back
        at = std::max(at, earlier.back().at.plus_seconds(1));
    at.ms -= at.ms % 1000;

    const auto beginning = folder / "new";
    const auto made = [&]() -> Result<Backup> {
        TRY(make_folder(beginning));
        TRY(copied->copy_files(store_in(beginning),
                               earlier.empty() ? std::string() : store_in(earlier.back().folder).string(),
                               tell));
        TRY(sync_names(beginning));
        Backup backup{.at = at, .folder = folder / name_of(at)};
        std::error_code error;
        fs::rename(beginning, backup.folder, error);
        if (error)
            return cannot("make", backup.folder, error);
        TRY(sync_names(folder));
        return backup;
    }();
    if (!made.has_value())
        (void)remove_whole(beginning); // what stays goes with the next one
    return made;
}

Result<std::size_t> thin_backups(const fs::path& folder, const BackupKeep& keep) {
    const auto locked = TRY(take_lock(folder));
    std::vector<Timestamp> times;
    for (const auto& backup : TRY(backups_in(folder)))
        times.push_back(backup.at);
    const auto gone = backups_to_remove(times, keep);
    for (const auto at : gone) {
        TRY(remove_leftovers(folder));
        std::error_code error; // half a backup is never under its name
        fs::rename(folder / name_of(at), folder / "gone", error);
        if (error)
            return cannot("remove", folder / name_of(at), error);
    }
    TRY(remove_leftovers(folder));
    return gone.size();
}

Result<void> put_backup_in_place(const Backup& backup, const fs::path& data_folder, const data::Tell& tell) {
    TRY(remove_whole(new_store_folder(data_folder)));
    TRY(storage::copy_store(store_in(backup.folder).string(), new_store_folder(data_folder).string(), tell));
    return put_new_store_in_place(data_folder);
}

Result<int> back_up(AdminContext& context, const fs::path& folder, Console& console) {
    Told told(console, "backup");
    const auto backup = TRY(make_backup(context, folder, told.tell()));
    std::set<ino_t> files;
    TRY(console.write(fmt::format("{}  {:.1f} MiB\n", shown(backup.at),
                                  static_cast<double>(size_of(backup.folder, files).all) / mebibyte)));
    return exit_good;
}

Result<int> list_backups(const fs::path& folder, Console& console) {
    const auto all = TRY(backups_in(folder));
    if (all.empty()) {
        console.complain(fmt::format("there is no backup in {}", folder.string()));
        return exit_findings;
    }
    TRY(console.write("backup                      size    of its own\n"));
    std::set<ino_t> files;
    for (const auto& backup : all) {
        const auto size = size_of(backup.folder, files);
        TRY(console.write(fmt::format("{}  {:>8.1f} MiB  {:>8.1f} MiB\n", shown(backup.at),
                                      static_cast<double>(size.all) / mebibyte,
                                      static_cast<double>(size.own) / mebibyte)));
    }
    return exit_good;
}

Result<int> verify_backup(const fs::path& folder, Console& console) {
    const auto beside = folder / "verified";
    const auto owner = TRY(AsOwner::of(folder));
    const auto backup = TRY(newest_in(folder, std::nullopt));
    TRY(make_folder(beside));
    auto locked = TRY(take_lock(beside));
    for (const auto* const name : {"store", "journal"}) // of one that was cut off
        TRY(remove_whole(beside / name));
    {
        const auto nobody_removes_it = TRY(take_lock(folder));
        Told told(console, "copy");
        TRY(put_backup_in_place(backup, beside, told.tell()));
    }
    console.note(fmt::format("looking at the backup of {}", shown(backup.at)));
    const StoreNotice notice = [&console](std::string_view sentence) { console.note(sentence); };
    auto own = TRY(OfflineContext::open(beside, std::move(locked), notice));
    auto code = verify(own->context(), console);
    own.reset();
    TRY(remove_whole(beside));
    return code;
}

Result<int> restore_backup(const fs::path& folder, std::optional<Timestamp> at, const fs::path& data_folder,
                           Console& console) {
    const auto backup = TRY(newest_in(folder, at));
    if (TRY(has_store(data_folder)) || !is_empty_or_missing(data_folder / "journal"))
        return refused("StoreNotEmpty", "store",
                       fmt::format("{} has a store or a journal of clicks already; move it away, or give a "
                                   "new folder with --data",
                                   data_folder.string()));
    NewFolder made(data_folder);
    const auto owner = TRY(AsOwner::of(data_folder));
    TRY(make_folder(data_folder));
    const auto locked = TRY(FolderLock::take(data_folder));
    if (!locked)
        return refused(
            "InUse", "store",
            fmt::format("{} is in use by {}; stop it first", data_folder.string(), lock_holder(data_folder)));
    made.begin();
    Told told(console, "restore");
    TRY(put_backup_in_place(backup, data_folder, told.tell()));
    made.keep();
    TRY(console.write(fmt::format("{} is as it was at {}\n", data_folder.string(), shown(backup.at))));
    return exit_good;
}

} // namespace slashpost::admin
