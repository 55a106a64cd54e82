#include "app/admin/data_folder.h"

#include "core/base/errors.h"
#include "core/base/random.h"
#include "core/clicks/click_fold.h"
#include "core/schema/spaces.h"
#include "core/schema/store.h"
#include "storage/journal/journal.h"
#include "storage/open.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace slashpost::admin {

namespace {

// Where a server has its dashboard that nobody told anything else (app/settings.cc).
constexpr auto usual_dashboard = "http://localhost:8082";

// What a tool writes is much, or nothing: the more is sorted at once, the less is sorted again.
constexpr std::uint64_t write_buffers_bytes = 256ULL << 20;
constexpr int background_jobs = 4; // nobody else waits for the machine
// 80 MiB: 10 minutes of 1,000 clicks a second, and a file more for each of some lanes.
constexpr std::size_t journal_reserve_files = 80;
constexpr std::size_t recent_keys = std::size_t{1} << 18;

std::filesystem::path store_folder(const std::filesystem::path& folder) { return folder / "store"; }

storage::Options tool_options(const StoreNotice& notice) {
    return {.scans_fill_cache = false,
            .write_buffers_bytes = write_buffers_bytes,
            .background_jobs = background_jobs,
            .recent_keys = recent_keys,
            .notice = notice};
}

Result<std::unique_ptr<data::Engine>> open_engine(const std::string& where, const storage::Options& options) {
    TRY(check_format(TRY(storage::peek(where, space::meta, meta_key::format))));
    auto engine = TRY(storage::open(where, space::all, options));
    TRY(prepare_store(*engine, options.notice));
    return engine;
}

Result<void> remove_new_store(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::remove_all(new_store_folder(folder), error);
    return error ? Result<void>(unavailable(
                       fmt::format("cannot remove {}, which a restore that was cut off has left: {}",
                                   new_store_folder(folder).string(), error.message())))
                 : Result<void>();
}

// A new name in it is on the disk.
bool sync_folder(const std::filesystem::path& folder) {
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool synced = descriptor >= 0 && ::fsync(descriptor) == 0;
    if (descriptor >= 0)
        ::close(descriptor);
    return synced;
}

std::string rocksdb_in(const std::filesystem::path& path) { return fmt::format("rocksdb:{}", path.string()); }

// Of a server whose store lies elsewhere.
std::filesystem::path node_file(const std::filesystem::path& folder) { return folder / "node"; }

} // namespace

Result<std::string> name_of_node(const std::filesystem::path& folder) {
    const auto file = node_file(folder);
    std::string name;
    if (std::ifstream(file) >> name && !name.empty())
        return name;
    SystemRandom random;
    std::array<std::uint8_t, 8> bytes{};
    random.fill(bytes);
    std::array<char, 256> host{};
    (void)::gethostname(host.data(), host.size() - 1);
    name = fmt::format("{}-", host.data());
    for (const auto byte : bytes)
        name += fmt::format("{:02x}", byte);
    const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    const auto text = name + '\n';
    const bool written = descriptor >= 0 &&
                         ::write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
                         ::fsync(descriptor) == 0;
    if (descriptor >= 0)
        ::close(descriptor);
    if (!written || !sync_folder(folder))
        return unavailable(
            fmt::format("cannot write {}; the folder has to be this server's own", file.string()));
    return name;
}

std::filesystem::path new_store_folder(const std::filesystem::path& folder) { return folder / "store.new"; }

Result<void> put_new_store_in_place(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::remove_all(store_folder(folder), error);
    if (!error)
        std::filesystem::rename(new_store_folder(folder), store_folder(folder), error);
    if (!error && !sync_folder(folder))
        error.assign(errno, std::generic_category());
    return error ? Result<void>(unavailable(fmt::format("cannot put the new store in place in {}: {}",
                                                        folder.string(), error.message())))
                 : Result<void>();
}

Result<bool> has_store(const std::filesystem::path& folder) {
    std::error_code error;
    const bool there = std::filesystem::exists(store_folder(folder), error) ||
                       (!error && std::filesystem::exists(node_file(folder), error));
    if (error)
        return unavailable(fmt::format("cannot look into the data folder {}: {}; work as the user that it "
                                       "belongs to, or as root",
                                       folder.string(), error.message()));
    return there;
}

Result<void> make_folder(const std::filesystem::path& folder) {
    std::error_code error;
    if (const auto parent = folder.parent_path(); !parent.empty())
        std::filesystem::create_directories(parent, error);
    if (!error && ::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
        error.assign(errno, std::generic_category());
    if (error)
        return unavailable(fmt::format("cannot make the data folder {}: {}; give another one with --data",
                                       folder.string(), error.message()));
    return {};
}

Result<void> check_owner(const std::filesystem::path& folder) {
    struct stat about{};
    if (::geteuid() != 0 || ::stat(folder.c_str(), &about) != 0 || about.st_uid == 0)
        return {};
    return refused(
        "NotTheOwner", "store",
        fmt::format(
            "the data folder {} belongs to the user with id {}, whose server could not read what root "
            "makes there; start the server as that user, or give the folder to root",
            folder.string(), about.st_uid));
}

Result<std::vector<std::string>> planned_upgrade_of(const std::filesystem::path& folder) {
    if (std::filesystem::exists(node_file(folder)))
        return refused(
            "StoreElsewhere", "store",
            fmt::format("the store of {} lies elsewhere; a start of the server with --store tells what it "
                        "does there",
                        folder.string()));
    return planned_upgrade(
        TRY(storage::peek(rocksdb_in(store_folder(folder)), space::meta, meta_key::format)));
}

Result<std::unique_ptr<data::Engine>> open_store(const std::filesystem::path& folder,
                                                 const storage::Options& options) {
    TRY(remove_new_store(folder));
    if (std::filesystem::exists(node_file(folder)))
        return refused(
            "StoreElsewhere", "store",
            fmt::format("the data folder {} is that of a server whose store lies elsewhere; start it "
                        "with --store, or give another folder with --data",
                        folder.string()));
    return open_engine(rocksdb_in(store_folder(folder)), options);
}

Result<std::unique_ptr<data::Engine>> open_store_elsewhere(const std::filesystem::path& folder,
                                                           const std::string& where,
                                                           storage::Options options) {
    if (std::filesystem::exists(store_folder(folder)))
        return refused("StoreHere", "store",
                       fmt::format("the data folder {} has a store of its own; give a new folder with --data",
                                   folder.string()));
    options.node = TRY(name_of_node(folder));
    options.watched = space::watched;
    return open_engine(where, options);
}

Result<std::unique_ptr<data::Journal>> open_click_journal(const std::filesystem::path& folder,
                                                          const storage::Options& options) {
    return storage::open_journal({.folder = (folder / "journal").string(),
                                  .record_bytes = redirect::click_record_bytes,
                                  .files_in_reserve = journal_reserve_files,
                                  .accepts_loss = options.accepts_loss,
                                  .notice = options.notice});
}

OfflineContext::OfflineContext(std::optional<FolderLock> lock, std::unique_ptr<data::Engine> engine)
    : lock_(std::move(lock)),
      engine_(std::move(engine)),
      service_(*engine_, clock_, {.ids = ids_, .random = random_, .settings = settings_}, listener_),
      context_{.engine = *engine_, .service = service_, .clock = clock_, .fold_clicks = [] {
                   return Result<void>(); // done once by open(), and nobody clicks meanwhile
               }} {
    settings_.dashboard_url = usual_dashboard;
}

Result<std::unique_ptr<OfflineContext>> OfflineContext::open(const std::filesystem::path& folder,
                                                             FolderLock lock, const StoreNotice& notice,
                                                             bool accepts_loss) {
    auto options = tool_options(notice);
    options.accepts_loss = accepts_loss;
    auto engine = TRY(open_store(folder, options));
    if (engine->figures().writable) {
        const auto journal = TRY(open_click_journal(folder, options));
        TRY(redirect::begin_folding(*engine, *journal));
        TRY(redirect::ClickFold(*engine, *journal).fold());
    }
    return std::unique_ptr<OfflineContext>(new OfflineContext(std::move(lock), std::move(engine)));
}

Result<std::unique_ptr<OfflineContext>> OfflineContext::on_new_store(const std::filesystem::path& folder,
                                                                     const StoreNotice& notice) {
    TRY(remove_new_store(folder));
    return on(TRY(open_engine(rocksdb_in(new_store_folder(folder)), tool_options(notice))));
}

std::unique_ptr<OfflineContext> OfflineContext::on(std::unique_ptr<data::Engine> engine) {
    return std::unique_ptr<OfflineContext>(new OfflineContext(std::nullopt, std::move(engine)));
}

} // namespace slashpost::admin
