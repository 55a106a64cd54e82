#include "storage/journal/segment.h"

#include "core/base/errors.h"
#include "core/base/priority.h"
#include "storage/journal/crc32c.h"

#include <fcntl.h>
#include <fmt/format.h>
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

constexpr std::size_t zeroes_at_once = std::size_t{256} << 10;
constexpr std::size_t populated_at_once = std::size_t{64} << 10;

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
    store(&bytes[8], segment_format);
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

bool parse_digits(std::string_view text, auto& out) {
    const auto* end = text.data() + text.size();
    return std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; }) &&
           std::from_chars(text.data(), end, out).ptr == end;
}

} // namespace

std::unexpected<Error> os_failure(std::string_view what, const std::string& path, int error) {
    const auto message = fmt::format("{} {}: {}", what, path, std::generic_category().message(error));
    if (error == ENOSPC || error == EDQUOT || error == EFBIG || error == EROFS)
        return unavailable(message);
    return fault(message);
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
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
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
        return fault(path + " is not a journal segment");
    if (const auto format = load<std::uint32_t>(&bytes[8]); format > segment_format)
        return fault(
            fmt::format("{} has format {}; this build reads up to {}", path, format, segment_format));
    const SegmentHeader header{.lane = load<std::uint32_t>(&bytes[12]),
                               .first = load<std::uint64_t>(&bytes[16]),
                               .record_bytes = load<std::uint32_t>(&bytes[24]),
                               .slots = load<std::uint32_t>(&bytes[28])};
    const auto named = parse_segment_name(std::string_view(path).substr(path.rfind('/') + 1));
    if (encode(header) != bytes || header.record_bytes == 0 || header.slots == 0 ||
        header.slots > file_bytes_max / header.slot_bytes() || !named || named->lane != header.lane ||
        named->first < header.first)
        return fault(path + " has a damaged header; move it out of the folder to go on without it");
    // A power cut may leave the new name without the new header. Then no record of it was synced either:
    // both are in the first page.
    return named->first == header.first ? std::optional(header) : std::nullopt;
}

bool is_aside(std::string_view name) {
    return name.ends_with(aside_suffix) &&
           parse_segment_name(name.substr(0, name.size() - aside_suffix.size()));
}

Result<void> Segment::fill_with_zeroes() {
    static constexpr std::array<char, 4096> zeroes{};
    std::array<iovec, zeroes_at_once / zeroes.size()> pieces; // NOLINT(*-member-init): filled below
    pieces.fill({.iov_base = const_cast<char*>(zeroes.data()), .iov_len = zeroes.size()});
    for (std::size_t at = 0; at < header_.file_bytes(); at += zeroes_at_once) {
        const auto count = std::min(zeroes_at_once, header_.file_bytes() - at) / zeroes.size();
        if (count > 0 && ::pwritev(file_, pieces.data(), static_cast<int>(count), static_cast<off_t>(at)) < 0)
            return os_failure("cannot write", path_, errno);
    }
    return {};
}

Result<std::shared_ptr<Segment>> Segment::create(const std::string& folder, const SegmentHeader& header,
                                                 Use use) {
    std::shared_ptr<Segment> segment(new Segment(folder + "/" + header.file_name(), header));
    segment->file_ = ::open(segment->path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (segment->file_ < 0)
        return os_failure("cannot make", segment->path_, errno);
    const auto filled = [&]() -> Result<void> {
        if (const int error = fallocate_whole(segment->file_, header.file_bytes()))
            return os_failure("cannot allocate", segment->path_, error);
        if (use == Use::often)
            TRY(segment->fill_with_zeroes());
        TRY(segment->write_header());
        return segment->map();
    }();
    if (!filled.has_value()) {
        ::unlink(segment->path_.c_str());
        return std::unexpected(filled.error());
    }
    return segment;
}

// One call, so that a killed process leaves either the header from before or a whole one.
Result<void> Segment::write_header() {
    const auto bytes = encode(header_);
    if (::pwrite(file_, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
        return os_failure("cannot write", path_, errno);
    return {};
}

// What stands in its slots is no record of the new numbers.
Result<std::shared_ptr<Segment>> Segment::take_again(std::shared_ptr<Segment> aside,
                                                     const std::string& folder, const SegmentHeader& header) {
    aside->header_ = header;
    TRY(aside->write_header());
    TRY(aside->rename(folder + "/" + header.file_name()));
    return aside;
}

Result<void> Segment::set_aside() { return rename(path_ + std::string(aside_suffix)); }

Result<void> Segment::rename(const std::string& path) {
    if (::rename(path_.c_str(), path.c_str()) != 0)
        return os_failure("cannot rename", path_, errno);
    path_ = path;
    return {};
}

Result<std::shared_ptr<Segment>> Segment::open(const std::string& folder, const SegmentHeader& header) {
    std::shared_ptr<Segment> segment(new Segment(folder + "/" + header.file_name(), header));
    segment->file_ = ::open(segment->path_.c_str(), O_RDWR | O_CLOEXEC);
    if (segment->file_ < 0)
        return os_failure("cannot open", segment->path_, errno);
    // Fills holes that a copy or a power cut may have left; usually there is nothing to do.
    if (const int error = fallocate_whole(segment->file_, header.file_bytes()))
        return os_failure("cannot allocate", segment->path_, error);
    TRY(segment->map());
    return segment;
}

Result<void> Segment::map() {
    void* at = ::mmap(nullptr, header_.file_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
    if (at == MAP_FAILED)
        return os_failure("cannot map", path_, errno);
    base_ = static_cast<char*>(at);
    return {};
}

Segment::~Segment() {
    if (base_)
        ::munmap(base_, header_.file_bytes());
    if (file_ >= 0)
        ::close(file_);
}

void Segment::write(std::uint64_t number, data::BytesView record) noexcept {
    char* const at = slot(number);
    std::memcpy(at, record.data(), header_.record_bytes);
    store(at + header_.record_bytes, record_checksum(number, record));
}

data::BytesView Segment::record(std::uint64_t number) const { return {slot(number), header_.record_bytes}; }

bool Segment::whole(std::uint64_t number) const {
    const char* const at = slot(number);
    return load<std::uint32_t>(at + header_.record_bytes) == record_checksum(number, record(number));
}

std::uint64_t Segment::scan() const {
    auto number = first();
    while (number < past() && whole(number))
        ++number;
    return number;
}

Result<void> Segment::wipe_from(std::uint64_t number) {
    char* const from = slot(number);
    char* const until = base_ + header_.file_bytes();
    if (std::all_of(from, until, [](char c) { return c == 0; }))
        return {};
    std::memset(from, 0, static_cast<std::size_t>(until - from));
    return sync(number, past());
}

Result<void> Segment::sync(std::uint64_t from, std::uint64_t past) {
    static const auto page_bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const auto begin =
        from == first() ? 0 : static_cast<std::size_t>(slot(from) - base_) / page_bytes * page_bytes;
    const auto end = static_cast<std::size_t>(slot(past) - base_);
    if (::msync(base_ + begin, end - begin, MS_SYNC) != 0)
        return os_failure("cannot sync", path_, errno);
    return {};
}

void Segment::populate() noexcept {
    for (std::size_t at = 0; at < header_.file_bytes(); at += populated_at_once) {
        const auto bytes = std::min(populated_at_once, header_.file_bytes() - at);
        (void)::madvise(base_ + at, bytes, MADV_POPULATE_WRITE);
        give_way();
    }
}

// The mapping is shared, so what was stored through it stays in the file.
void Segment::vacate() const noexcept { (void)::madvise(base_, header_.file_bytes(), MADV_DONTNEED); }

Result<void> Segment::remove() {
    if (::unlink(path_.c_str()) != 0 && errno != ENOENT)
        return os_failure("cannot remove", path_, errno);
    return {};
}

} // namespace slashpost::storage
