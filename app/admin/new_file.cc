#include "app/admin/new_file.h"

#include "core/base/errors.h"
#include "core/base/random.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace slashpost {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t digits = 16;
constexpr std::string_view hexadecimal = "0123456789abcdef";
constexpr std::string_view ending = ".part";
constexpr int attempts_max = 10;

std::string random_digits() {
    SystemRandom random;
    std::string text;
    for (std::size_t i = 0; i < digits; ++i)
        text += hexadecimal[random.below(static_cast<std::uint32_t>(hexadecimal.size()))];
    return text;
}

fs::path folder_of(const fs::path& path) {
    return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

// Whether `name` is that of an unfinished `whole`.
bool is_part_of(std::string_view name, std::string_view whole) {
    if (name.size() != whole.size() + 1 + digits + ending.size() || !name.starts_with(whole) ||
        name[whole.size()] != '.' || !name.ends_with(ending))
        return false;
    return name.substr(whole.size() + 1, digits).find_first_not_of(hexadecimal) == name.npos;
}

// Whoever writes a part holds the lock on it; the kernel gives the lock back when they die.
void remove_if_abandoned(const fs::path& part) {
    const int descriptor = ::open(part.c_str(), O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0)
        return;
    struct stat about{};
    if (::fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode) && about.st_uid == ::geteuid() &&
        ::flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        ::unlink(part.c_str());
    ::close(descriptor);
}

void remove_abandoned_parts(const fs::path& path) {
    const auto whole = path.filename().string();
    std::error_code error;
    for (fs::directory_iterator it(folder_of(path), error), end; !error && it != end; it.increment(error))
        if (is_part_of(it->path().filename().string(), whole))
            remove_if_abandoned(it->path());
}

// Whether it is locked and still there: between its making and its locking, somebody who tidies up may have
// taken it for abandoned.
bool is_kept(int descriptor) {
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return false;
    struct stat about{};
    return ::fstat(descriptor, &about) == 0 && about.st_nlink > 0;
}

bool sync_folder(const fs::path& path) {
    const int folder = ::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool synced = folder >= 0 && ::fsync(folder) == 0;
    if (folder >= 0)
        ::close(folder);
    return synced;
}

} // namespace

std::unexpected<Error> cannot_write(const fs::path& file) {
    const int reason = errno;
    return unavailable(
        fmt::format("cannot write {}: {}", file.string(), std::generic_category().message(reason)));
}

Result<NewFile> NewFile::begin(const fs::path& path) {
    remove_abandoned_parts(path);
    for (int attempt = 0; attempt < attempts_max; ++attempt) {
        const fs::path part = fmt::format("{}.{}{}", path.string(), random_digits(), ending);
        constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
        const int descriptor = ::open(part.c_str(), flags, 0600);
        if (descriptor < 0 && errno == EEXIST)
            continue;
        if (descriptor < 0)
            return cannot_write(path);
        if (is_kept(descriptor))
            return NewFile(descriptor, path, part);
        ::close(descriptor);
    }
    errno = EEXIST;
    return cannot_write(path);
}

NewFile::~NewFile() {
    if (descriptor_ < 0)
        return;
    ::unlink(part_.c_str());
    ::close(descriptor_);
}

Result<void> NewFile::write(std::string_view bytes) {
    while (!bytes.empty()) {
        const auto written = ::write(descriptor_, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return cannot_write(path_);
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
}

Result<void> NewFile::finish() {
    if (::fsync(descriptor_) != 0 || ::rename(part_.c_str(), path_.c_str()) != 0)
        return cannot_write(path_);
    ::close(std::exchange(descriptor_, -1));
    return sync_folder(path_) ? Result<void>() : cannot_write(path_);
}

} // namespace slashpost
