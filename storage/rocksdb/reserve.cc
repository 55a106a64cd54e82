#include "storage/rocksdb/reserve.h"

#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace slashpost::storage {

void Reserve::keep() {
    struct statvfs disk{};
    if (is_kept_ || bytes_ == 0)
        return;
    const auto folder = path_.substr(0, path_.rfind('/'));
    if (::statvfs(folder.c_str(), &disk) != 0 || disk.f_bavail * disk.f_frsize < 4 * bytes_)
        return;
    const int file = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0)
        return;
    is_kept_ = ::posix_fallocate(file, 0, static_cast<off_t>(bytes_)) == 0;
    ::close(file);
    if (!is_kept_)
        ::unlink(path_.c_str());
}

bool Reserve::give_back() {
    is_kept_ = false;
    return ::unlink(path_.c_str()) == 0;
}

} // namespace slashpost::storage
