#include "app/admin/folder_lock.h"

#include "core/base/errors.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <system_error>
#include <unistd.h>

namespace slashpost::admin {

namespace {

std::filesystem::path lock_file(const std::filesystem::path& folder) { return folder / "lock"; }

} // namespace

FolderLock::~FolderLock() {
    if (descriptor_ >= 0)
        ::close(descriptor_);
}

Result<std::optional<FolderLock>> FolderLock::take(const std::filesystem::path& folder) {
    const auto path = lock_file(folder);
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (descriptor < 0) {
        const int reason = errno;
        const auto advice = reason == EACCES
                                ? "work as the user that the data folder belongs to, or as root"
                                : "check that the data folder exists and that a file can be written there";
        return unavailable(fmt::format("cannot open {}: {}; {}", path.string(),
                                       std::generic_category().message(reason), advice));
    }
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
        const int reason = errno;
        ::close(descriptor);
        if (reason == EWOULDBLOCK)
            return std::nullopt;
        return unavailable(
            fmt::format("cannot lock {}: {}", path.string(), std::generic_category().message(reason)));
    }
    const auto holder = fmt::format("process {}\n", ::getpid());
    if (::ftruncate(descriptor, 0) != 0 || ::pwrite(descriptor, holder.data(), holder.size(), 0) < 0) {
        // The lock holds all the same; only the hint for others is missing (a full disk, for example).
    }
    return FolderLock(descriptor);
}

std::string lock_holder(const std::filesystem::path& folder) {
    const int descriptor = ::open(lock_file(folder).c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor < 0)
        return "another process";
    std::array<char, 64> text{};
    const auto got = ::pread(descriptor, text.data(), text.size(), 0);
    ::close(descriptor);
    std::string_view line(text.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
    line = line.substr(0, line.find('\n'));
    return line.empty() ? "another process" : std::string(line);
}

} // namespace slashpost::admin
