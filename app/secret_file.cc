#include "app/secret_file.h"

#include "core/base/errors.h"

#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace slashpost::app {

namespace {

std::unexpected<Error> unusable(const std::filesystem::path& file, std::string_view why) {
    return malformed(fmt::format("cannot use the file {}: {}", file.string(), why));
}

} // namespace

Result<std::string> read_secret_file(const std::filesystem::path& file) {
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return unusable(file, std::generic_category().message(errno) + "; check the path and its rights");
    std::string text(secret_bytes_max + 2, '\0'); // an end of a line may follow
    std::size_t size = 0;
    ssize_t count = 0;
    while (size < text.size()) {
        count = ::read(descriptor, text.data() + size, text.size() - size);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            break;
        size += static_cast<std::size_t>(count);
    }
    const int reason = errno;
    ::close(descriptor);
    if (count < 0)
        return unusable(file, std::generic_category().message(reason));
    text.resize(size);
    for (const char end : {'\n', '\r'})
        if (text.ends_with(end))
            text.pop_back();
    if (text.size() > secret_bytes_max)
        return unusable(file, fmt::format("it has more than {} bytes", secret_bytes_max));
    if (text.empty())
        return unusable(file, "there is nothing in it");
    if (text.find('\n') != text.npos || text.find('\0') != text.npos)
        return unusable(file, "it holds more than one line; the secret stands in it alone");
    return text;
}

std::optional<std::string> check_rights(const std::filesystem::path& file) {
    struct stat found{};
    if (::stat(file.c_str(), &found) != 0 || !S_ISREG(found.st_mode) || (found.st_mode & 0027U) == 0)
        return std::nullopt;
    return fmt::format("others may read or change {}, which holds a secret; chmod 600 {}", file.string(),
                       file.string());
}

} // namespace slashpost::app
