#include "storage/journal/reserve.h"

#include "core/base/ascii.h"

#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>

namespace slashpost::storage {

namespace {

constexpr std::string_view suffix = ".reserve";
constexpr std::size_t digits = 8;
constexpr int files_at_once = 8; // so that who waits for a sync does not wait long for this

std::string name_of(std::uint32_t number) { return fmt::format("{:08}{}", number, suffix); }

} // namespace

bool is_of_reserve(std::string_view name) {
    return name.size() == digits + suffix.size() && name.ends_with(suffix) &&
           ascii::are_digits(name.substr(0, digits));
}

void SegmentReserve::set(std::string folder, const SegmentHeader& header, std::size_t files_max) {
    folder_ = std::move(folder);
    header_ = header;
    files_max_ = files_max;
}

Result<void> SegmentReserve::take_over(const std::string& name) {
    const std::lock_guard lock(mutex_);
    std::uint32_t number = 0;
    std::from_chars(name.data(), name.data() + digits, number);
    number_ = std::max(number_, number + 1);
    if (files_.size() < files_max_ && Segment::find_room(folder_, name, header_)) {
        files_.push_back(name);
        return {};
    }
    const auto path = folder_ + "/" + name;
    if (::unlink(path.c_str()) != 0 && errno != ENOENT)
        return os_failure("cannot remove", path, errno);
    return {};
}

bool SegmentReserve::refill() {
    const std::lock_guard lock(mutex_);
    bool made = false;
    for (int i = 0; i < files_at_once && files_.size() < files_max_; ++i) {
        struct statvfs disk{};
        const auto lacking = (files_max_ - files_.size()) * header_.file_bytes();
        if (::statvfs(folder_.c_str(), &disk) != 0 || disk.f_bavail * disk.f_frsize < 4 * lacking)
            break;
        auto name = name_of(number_);
        if (!Segment::make_room(folder_, name, header_).has_value())
            break;
        ++number_;
        files_.push_back(std::move(name));
        made = true;
    }
    return made;
}

std::shared_ptr<Segment> SegmentReserve::take() {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<Segment> file;
    for (; !file && !files_.empty(); files_.pop_back()) // somebody may have removed it
        file = Segment::find_room(folder_, files_.back(), header_);
    return file;
}

} // namespace slashpost::storage
