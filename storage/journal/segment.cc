#include "storage/journal/segment.h"

#include "core/base/ascii.h"
#include "core/base/errors.h"
#include "storage/crc32c.h"
#include "storage/damage.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <system_error>

namespace slashpost::storage {

namespace {

constexpr std::string_view magic = "SPJOURNL";
constexpr std::string_view name_suffix = ".segment";
constexpr std::string_view aside_suffix = ".aside";
constexpr std::size_t lane_digits = 4, first_digits = 20;
constexpr std::size_t file_bytes_max = std::size_t{1} << 30;

using HeaderBytes = std::array<char, segment_header_bytes>;

template <class N>
void store(char* at, N value) {
    for (std::size_t i = 0; i < sizeof(N); ++i)
        at[i] = static_cast<char>(value >> (8 * i) & 0xff);
}

template <class N>
N load(const char* at) {
    N value = 0;
    for (std::size_t i = 0; i < sizeof(N); ++i)
        value |= static_cast<N>(static_cast<unsigned char>(at[i])) << (8 * i);
    return value;
}

std::uint32_t record_checksum(std::uint64_t number, data::BytesView record) {
    const auto sum = crc32c(static_cast<std::uint32_t>(number), record);
    return sum == 0 ? 0xffffffff : sum;
}

HeaderBytes encode(const SegmentHeader& header) {
    HeaderBytes bytes{};
    std::ranges::copy(magic, bytes.data());
    store(&bytes[8], header.is_taken_again ? segment_format : segment_format - 1);
    store(&bytes[12], header.lane);
    store(&bytes[16], header.first);
    store(&bytes[24], header.record_bytes);
    store(&bytes[28], header.slots);
    store(&bytes[60], crc32c(0, {bytes.data(), 60}));
    return bytes;
}

int fallocate_whole(int file, std::size_t bytes) {
    int error = EINTR;
    while (error == EINTR)
        error = ::posix_fallocate(file, 0, static_cast<off_t>(bytes));
    return error;
}

// On btrfs: changed blocks stay where they are, so that the room which the file has is of use on a full disk.
// Other file systems say no.
void keep_blocks_in_place(int file) {
    int flags = 0;
    if (::ioctl(file, FS_IOC_GETFLAGS, &flags) != 0 || (flags & FS_NOCOW_FL) != 0)
        return;
    flags |= FS_NOCOW_FL;
    (void)::ioctl(file, FS_IOC_SETFLAGS, &flags);
}

bool parse_digits(std::string_view text, auto& out) {
    const auto* end = text.data() + text.size();
    return std::ranges::all_of(text, ascii::is_digit) && std::from_chars(text.data(), end, out).ptr == end;
}

} // namespace

std::unexpected<Error> os_failure(std::string_view what, const std::string& path, int error) {
    return unavailable(fmt::format("{} {}: {}", what, path, std::generic_category().message(error)));
}

std::string SegmentHeader::file_name() const { return fmt::format("{:04}-{:020}.segment", lane, first); }

std::optional<SegmentHeader> parse_segment_name(std::string_view name) {
    SegmentHeader header;
    if (name.size() != lane_digits + 1 + first_digits + name_suffix.size() || !name.ends_with(name_suffix) ||
        name[lane_digits] != '-' || !parse_digits(name.substr(0, lane_digits), header.lane) ||
        !parse_digits(name.substr(lane_digits + 1, first_digits), header.first))
        return std::nullopt;
    return header;
}

Result<std::optional<SegmentHeader>> read_segment_header(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0)
        return os_failure("cannot open", path, errno);
    HeaderBytes bytes{};
    const auto got = ::pread(file, bytes.data(), bytes.size(), 0);
    const int error = errno;
    ::close(file);
    if (got < 0)
        return os_failure("cannot read", path, error);
    if (bytes == HeaderBytes{})
        return std::optional<SegmentHeader>();

    if (!std::string_view(bytes.data(), bytes.size()).starts_with(magic))
        return damaged_file(path, "it is no journal segment", "its clicks");
    if (const auto format = load<std::uint32_t>(&bytes[8]);
        format > segment_format && load<std::uint32_t>(&bytes[60]) == crc32c(0, {bytes.data(), 60}))
        return refused(
            "StoreNewer", "store",
            fmt::format("{} has format {}; this build reads up to {}", path, format, segment_format));
    const SegmentHeader header{.lane = load<std::uint32_t>(&bytes[12]),
                               .first = load<std::uint64_t>(&bytes[16]),
                               .record_bytes = load<std::uint32_t>(&bytes[24]),
                               .slots = load<std::uint32_t>(&bytes[28]),
                               .is_taken_again = load<std::uint32_t>(&bytes[8]) == segment_format};
    const auto named = parse_segment_name(std::string_view(path).substr(path.rfind('/') + 1));
    if (encode(header) != bytes || header.record_bytes == 0 || header.slots == 0 ||
        header.slots > file_bytes_max / header.slot_bytes() || !named || named->lane != header.lane ||
        named->first < header.first)
        return damaged_file(path, "its first 64 bytes are broken", "those of its clicks that are, too");
    // A power cut may leave the new name without the new header. Then no record of it was synced either:
    // both are in the first page.
    return named->first == header.first ? std::optional(header) : std::nullopt;
}

Result<void> write_segment_header(const std::string& path, const SegmentHeader& header) {
    const auto bytes = encode(header);
    const int file = ::open(path.c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
    const bool written =
        file >= 0 && ::pwrite(file, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size());
    const int error = errno;
    if (file >= 0)
        ::close(file);
    if (!written)
        return os_failure("cannot write", path, error);
    return {};
}

bool is_aside(std::string_view name) {
    return name.ends_with(aside_suffix) &&
           parse_segment_name(name.substr(0, name.size() - aside_suffix.size()));
}

Result<void> Segment::make_file() {
    file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file_ < 0)
        return os_failure("cannot make", path_, errno);
    keep_blocks_in_place(file_);
    if (const int error = fallocate_whole(file_, header_.file_bytes())) {
        ::unlink(path_.c_str());
        return os_failure("cannot allocate", path_, error);
    }
    return {};
}

Result<std::shared_ptr<Segment>> Segment::make_room(const std::string& folder, const std::string& name,
                                                    const SegmentHeader& header) {
    std::shared_ptr<Segment> segment(new Segment(folder + "/" + name, header));
    TRY(segment->make_file());
    return segment;
}

std::shared_ptr<Segment> Segment::find_room(const std::string& folder, const std::string& name,
                                            const SegmentHeader& header) {
    constexpr std::size_t block_bytes = 512; // of struct stat
    std::shared_ptr<Segment> segment(new Segment(folder + "/" + name, header));
    segment->file_ = ::open(segment->path_.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    struct stat about{};
    if (segment->file_ < 0 || ::fstat(segment->file_, &about) != 0 || !S_ISREG(about.st_mode) ||
        static_cast<std::size_t>(about.st_size) != header.file_bytes() ||
        static_cast<std::size_t>(about.st_blocks) * block_bytes < header.file_bytes())
        return nullptr;
    return segment;
}

Result<std::shared_ptr<Segment>> Segment::create(const std::string& folder, const SegmentHeader& header) {
    std::shared_ptr<Segment> segment(new Segment(folder + "/" + header.file_name(), header));
    TRY(segment->make_file());
    if (auto written = segment->write_header(); !written.has_value()) {
        ::unlink(segment->path_.c_str());
        return std::unexpected(written.error());
    }
    segment->map();
    return segment;
}

// One call, so that a killed process leaves either the header from before or a whole one.
Result<void> Segment::write_header() {
    const auto bytes = encode(header_);
    if (::pwrite(file_, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
        return os_failure("cannot write", path_, errno);
    return {};
}

Result<std::shared_ptr<Segment>> Segment::take_room(std::shared_ptr<Segment> room, const std::string& folder,
                                                    const SegmentHeader& header) {
    room->header_ = header;
    TRY(room->write_header());
    TRY(room->rename(folder + "/" + header.file_name()));
    room->map();
    return room;
}

Result<void> Segment::rename(const std::string& path) {
    if (::rename(path_.c_str(), path.c_str()) != 0)
        return os_failure("cannot rename", path_, errno);
    path_ = path;
    return {};
}

Result<std::shared_ptr<Segment>> Segment::open(const std::string& folder, const SegmentHeader& header) {
    std::shared_ptr<Segment> segment(new Segment(folder + "/" + header.file_name(), header));
    segment->file_ = ::open(segment->path_.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    if (segment->file_ < 0)
        return os_failure("cannot open", segment->path_, errno);
    return segment;
}

// A copy or a power cut may have left holes; usually there is nothing to fill. Where there is no room for
// that, records are refused when they come.
void Segment::go_on() {
    (void)fallocate_whole(file_, header_.file_bytes());
    map();
}

Segment::~Segment() {
    if (file_ >= 0)
        ::close(file_);
}

bool Segment::write(std::uint64_t number, data::BytesView record) noexcept {
    if (map_.holds()) [[likely]] {
        char* const at = map_.at(offset(number));
        const auto sum = record_checksum(number, record);
        const GuardedMap::Store storing(map_);
        std::memcpy(at, record.data(), header_.record_bytes);
        store(at + header_.record_bytes, sum);
    }
    return map_.holds() || write_out(number, record);
}

bool Segment::write_out(std::uint64_t number, data::BytesView record) noexcept {
    std::array<char, slot_checksum_bytes> sum{};
    store(sum.data(), record_checksum(number, record));
    const std::array<iovec, 2> parts{
        {{const_cast<char*>(record.data()), header_.record_bytes}, {sum.data(), sum.size()}}};
    const auto written =
        ::pwritev(file_, parts.data(), static_cast<int>(parts.size()), static_cast<off_t>(offset(number)));
    return written == static_cast<ssize_t>(header_.slot_bytes());
}

Result<data::Bytes> Segment::slots(std::uint64_t from, std::uint64_t past) const {
    data::Bytes bytes((past - from) * header_.slot_bytes(), '\0');
    for (std::size_t had = 0; had < bytes.size();) {
        const auto got =
            ::pread(file_, bytes.data() + had, bytes.size() - had, static_cast<off_t>(offset(from) + had));
        if (got < 0 && errno != EINTR)
            return os_failure("cannot read", path_, errno);
        if (got == 0)
            break;
        had += got > 0 ? static_cast<std::size_t>(got) : 0;
    }
    return bytes;
}

bool is_whole(data::BytesView slot, std::uint64_t number) {
    const auto record = slot.substr(0, slot.size() - slot_checksum_bytes);
    return load<std::uint32_t>(slot.data() + record.size()) == record_checksum(number, record);
}

Result<void> Segment::wipe_from(std::uint64_t number) {
    auto bytes = TRY(slots(number, past()));
    if (std::ranges::all_of(bytes, [](char c) { return c == 0; }))
        return {};
    std::ranges::fill(bytes, '\0');
    if (::pwrite(file_, bytes.data(), bytes.size(), static_cast<off_t>(offset(number))) !=
            static_cast<ssize_t>(bytes.size()) ||
        ::fdatasync(file_) != 0)
        return os_failure("cannot write", path_, errno);
    return {};
}

Result<void> Segment::sync(std::uint64_t from, std::uint64_t past) {
    static const auto page_bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const auto begin = from == first() ? 0 : offset(from) / page_bytes * page_bytes;
    if (map_.holds() && ::msync(map_.at(begin), offset(past) - begin, MS_SYNC) != 0)
        return os_failure("cannot sync", path_, errno);
    // Also when it was lost meanwhile.
    if (!map_.holds() && ::fdatasync(file_) != 0)
        return os_failure("cannot sync", path_, errno);
    return {};
}

Result<void> Segment::remove() {
    if (::unlink(path_.c_str()) != 0 && errno != ENOENT)
        return os_failure("cannot remove", path_, errno);
    return {};
}

} // namespace slashpost::storage
