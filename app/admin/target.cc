#include "app/admin/target.h"

#include "core/base/errors.h"

#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace slashpost::admin {

namespace {

namespace fs = std::filesystem;

constexpr int links_max = 40; // as the kernel has it

std::unexpected<Error> no_target(const fs::path& file, std::string_view why) {
    return refused("NoTarget", "file", fmt::format("cannot write {}: {}", file.string(), why));
}

// Whether it is somebody else's in a folder where everybody may put things; the kernel's rule for such links
// (proc(5), protected_symlinks).
bool is_planted(const fs::path& file, const struct stat& about) {
    const auto folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    struct stat around{};
    if (about.st_uid == ::geteuid() || ::stat(folder.c_str(), &around) != 0)
        return false;
    constexpr mode_t open_to_all = S_ISVTX | S_IWOTH;
    return (around.st_mode & open_to_all) == open_to_all && about.st_uid != around.st_uid;
}

bool takes_bytes(mode_t mode) { return S_ISFIFO(mode) || S_ISCHR(mode) || S_ISBLK(mode); }

Result<Target> open_stream(const fs::path& file) {
    const int descriptor = ::open(file.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC);
    if (descriptor < 0)
        return cannot_write(file);
    return Stream(descriptor);
}

} // namespace

Stream::~Stream() {
    if (descriptor_ >= 0)
        ::close(descriptor_);
}

Result<Target> open_target(const fs::path& file) {
    auto at = file;
    for (int links = 0; links <= links_max; ++links) {
        struct stat about{};
        if (::lstat(at.c_str(), &about) != 0) {
            if (errno == ENOENT && links == 0)
                return TRY(NewFile::begin(at));
            return cannot_write(at);
        }
        if (S_ISREG(about.st_mode))
            return TRY(NewFile::begin(at));
        if (is_planted(at, about))
            return no_target(at, "it belongs to somebody else, in a folder that is open to everybody");
        // What a link of /proc says is not always the path of a file, so that one is asked itself.
        if (struct stat end{}; ::stat(at.c_str(), &end) == 0 && takes_bytes(end.st_mode))
            return open_stream(at);
        if (!S_ISLNK(about.st_mode))
            return no_target(at, S_ISDIR(about.st_mode) ? "it is a folder"
                                                        : "it is neither a file nor a pipe nor a device");
        std::error_code error;
        const auto next = fs::read_symlink(at, error);
        if (error)
            return cannot_write(at);
        at = at.parent_path() / next; // an absolute one replaces the whole
    }
    return no_target(file, "it leads through too many symbolic links");
}

} // namespace slashpost::admin
