#include "storage/rocksdb/copies.h"

#include "core/base/errors.h"
#include "storage/rocksdb/kept_files.h"
#include "storage/rocksdb/status.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <rocksdb/metadata.h>
#include <rocksdb/options.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>
#include <vector>

namespace slashpost::storage {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t end_bytes = 64 << 10;

std::unexpected<Error> cannot_copy(const fs::path& file, const std::error_code& error) {
    return unavailable(fmt::format("cannot copy to {}: {}", file.string(), error.message()));
}

// A file, or the names in a folder, are on the disk.
Result<void> sync(const fs::path& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    const bool synced = descriptor >= 0 && ::fsync(descriptor) == 0;
    const std::error_code error(errno, std::generic_category());
    if (descriptor >= 0)
        ::close(descriptor);
    return synced ? Result<void>() : cannot_copy(path, error);
}

std::optional<std::string> end_of(const fs::path& file, std::uintmax_t size) {
    std::ifstream in(file, std::ios::binary);
    std::string bytes(std::min(size, end_bytes), '\0');
    in.seekg(static_cast<std::streamoff>(size - bytes.size()));
    in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return in ? std::optional(std::move(bytes)) : std::nullopt;
}

// Numbers of table files are given again in a store that went back to an earlier state. At its end a file
// says which opening of which store made it.
bool is_same_table(const fs::path& a, const fs::path& b) {
    std::error_code error;
    const auto size = fs::file_size(a, error);
    if (error || fs::file_size(b, error) != size || error)
        return false;
    const auto end = end_of(a, size);
    return end && end == end_of(b, size);
}

// The first `size` bytes, which may be all.
Result<void> copy_bytes(const fs::path& from, const fs::path& to, std::uintmax_t size) {
    std::error_code error;
    fs::copy_file(from, to, error);
    if (!error && fs::file_size(to, error) > size)
        fs::resize_file(to, size, error);
    return error ? cannot_copy(to, error) : sync(to);
}

Result<void> write_bytes(const fs::path& to, const std::string& bytes) {
    std::ofstream out(to, std::ios::binary);
    out << bytes << std::flush;
    return out ? sync(to) : cannot_copy(to, {errno, std::generic_category()});
}

// `same` may have it already; empty: nobody has.
Result<void> take_table(const fs::path& from, const fs::path& to, const fs::path& same, std::uintmax_t size) {
    const auto gave_name_to = [&to](const fs::path& file) {
        return ::linkat(AT_FDCWD, file.c_str(), AT_FDCWD, to.c_str(), 0) == 0;
    };
    if (gave_name_to(from) || (!same.empty() && is_same_table(from, same) && gave_name_to(same)))
        return {};
    return copy_bytes(from, to, size);
}

Result<void> make_folder(const fs::path& folder) {
    std::error_code error;
    if (!fs::create_directory(folder, error) && !error)
        error = std::make_error_code(std::errc::file_exists);
    if (!error)
        fs::permissions(folder, fs::perms::owner_all, error);
    return error ? cannot_copy(folder, error) : Result<void>();
}

struct File {
    fs::path from;
    std::string name;
    std::uintmax_t size = 0;
    bool is_table = false;
    std::string bytes; // instead of those of `from`; empty: those
};

Result<void> copy_all(const std::vector<File>& files, const fs::path& folder, const std::string& earlier,
                      const data::Tell& tell) {
    TRY(make_folder(folder));
    double all = 1; // never nothing
    for (const auto& file : files)
        all += static_cast<double>(file.size);
    double done = 0;
    for (const auto& file : files) {
        const auto to = folder / file.name;
        if (file.is_table)
            TRY(take_table(file.from, to, earlier.empty() ? fs::path() : fs::path(earlier) / file.name,
                           file.size));
        else if (file.bytes.empty())
            TRY(copy_bytes(file.from, to, file.size));
        else
            TRY(write_bytes(to, file.bytes));
        done += static_cast<double>(file.size);
        TRY(tell(done / all));
    }
    return sync(folder);
}

} // namespace

Result<void> copy_open_store(rocksdb::DB& db, const std::string& folder, const std::string& earlier,
                             const data::Tell& tell) {
    const KeptFiles kept(db);
    if (!kept.outcome().ok())
        return write_failed(kept.outcome());
    std::vector<rocksdb::LiveFileStorageInfo> live;
    // What is in memory only becomes files first, so that little has to be copied of the log.
    if (const auto status = db.GetLiveFilesStorageInfo(rocksdb::LiveFilesStorageInfoOptions(), &live);
        !status.ok())
        return write_failed(status);
    std::vector<File> files;
    files.reserve(live.size());
    for (const auto& file : live)
        files.push_back({.from = fs::path(file.directory) / file.relative_filename,
                         .name = file.relative_filename,
                         .size = file.size,
                         .is_table = file.file_type == rocksdb::kTableFile,
                         .bytes = file.replacement_contents});
    return copy_all(files, folder, earlier, tell);
}

Result<void> copy_closed_store(const std::string& from, const std::string& folder, const data::Tell& tell) {
    std::vector<File> files;
    std::error_code error;
    for (fs::directory_iterator it(from, error), end; !error && it != end; it.increment(error))
        if (it->is_regular_file(error) && it->path().filename() != "LOCK")
            files.push_back({.from = it->path(),
                             .name = it->path().filename().string(),
                             .size = it->file_size(error),
                             .is_table = it->path().extension() == ".sst",
                             .bytes = {}});
    if (error)
        return unavailable(fmt::format("cannot read {}: {}", from, error.message()));
    return copy_all(files, folder, {}, tell);
}

} // namespace slashpost::storage
