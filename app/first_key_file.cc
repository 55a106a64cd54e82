#include "app/first_key_file.h"

#include "core/base/errors.h"

#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace slashpost::app {

namespace {

std::unexpected<Error> unusable(const std::filesystem::path& file, std::string_view what, int reason) {
    return unavailable(fmt::format("first-key-file: cannot {} {}: {}", what, file.string(),
                                   std::generic_category().message(reason)));
}

} // namespace

Result<FirstKeyFile> FirstKeyFile::make(const std::filesystem::path& file) {
    const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (descriptor >= 0)
        return FirstKeyFile(file, descriptor);
    if (errno == EEXIST)
        return unavailable(fmt::format("first-key-file: {} is there already; remove it, or give another path",
                                       file.string()));
    return unusable(file, "make", errno);
}

FirstKeyFile::FirstKeyFile(FirstKeyFile&& other) noexcept
    : file_(std::move(other.file_)),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

FirstKeyFile::~FirstKeyFile() {
    if (descriptor_ < 0)
        return;
    ::close(descriptor_);
    ::unlink(file_.c_str());
}

Result<void> FirstKeyFile::write(std::string_view key) {
    const auto line = fmt::format("{}\n", key);
    errno = ENOSPC; // what a write that is cut short means
    if (::write(descriptor_, line.data(), line.size()) != static_cast<ssize_t>(line.size()) ||
        ::fsync(descriptor_) != 0)
        return unusable(file_, "write", errno);
    ::close(std::exchange(descriptor_, -1));
    return {};
}

} // namespace slashpost::app
