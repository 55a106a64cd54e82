#include "storage/rocksdb/runs.h"

#include "core/base/errors.h"
#include "storage/rocksdb/presets.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace slashpost::storage {

using data::Bytes;
using data::BytesView;

namespace {

constexpr std::size_t part_bytes = 256 << 10; // of a run, written and read at once

std::unexpected<Error> failed(std::string_view what, const std::string& folder) {
    return unavailable(
        fmt::format("Cannot {} a file in {}: {}.", what, folder, std::generic_category().message(errno)));
}

constexpr std::uint8_t erasure = 0x80;

} // namespace

Record Record::at(const char* bytes) {
    std::uint32_t place_bytes = 0, value_bytes = 0;
    std::memcpy(&place_bytes, bytes, sizeof place_bytes);
    std::memcpy(&value_bytes, bytes + 4, sizeof value_bytes);
    const auto kind = static_cast<std::uint8_t>(bytes[8]);
    return {.pattern = static_cast<data::Pattern>(kind & ~erasure),
            .place = {bytes + head_bytes, place_bytes},
            .value = {bytes + head_bytes + place_bytes, value_bytes},
            .erases = (kind & erasure) != 0};
}

std::uint32_t Record::family() const {
    return static_cast<unsigned char>(place[0]) * 256U + static_cast<unsigned char>(place[1]);
}

Result<std::unique_ptr<RunFile>> RunFile::make(const std::string& folder) {
    const auto path = folder + "/runs";
    const int descriptor = ::open(path.c_str(), O_CREAT | O_EXCL | O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (descriptor < 0)
        return failed("make", folder);
    ::unlink(path.c_str());
    return std::unique_ptr<RunFile>(new RunFile(descriptor, folder));
}

RunFile::~RunFile() { ::close(descriptor_); }

Result<void> RunFile::write(BytesView bytes, std::uint64_t offset) {
    while (!bytes.empty()) {
        const auto count = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return failed("write", folder_);
        bytes.remove_prefix(static_cast<std::size_t>(count));
        offset += static_cast<std::uint64_t>(count);
    }
    return {};
}

Result<void> RunFile::read(std::uint64_t offset, std::size_t bytes, Bytes& out) const {
    auto at = out.size();
    out.resize(at + bytes);
    while (at < out.size()) {
        const auto count = ::pread(descriptor_, &out[at], out.size() - at, static_cast<off_t>(offset));
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return failed("read", folder_);
        at += static_cast<std::size_t>(count);
        offset += static_cast<std::uint64_t>(count);
    }
    return {};
}

Result<void> RunFile::append(const std::vector<const char*>& records, std::size_t bytes) {
    auto offset = end_.fetch_add(bytes);
    Run run{.marks = {}, .end = offset + bytes};
    Bytes part;
    part.reserve(part_bytes);
    for (const char* at : records) {
        const auto record = Record::at(at);
        if (!part.empty() && part.size() + record.bytes() > part_bytes) {
            TRY(write(part, offset));
            offset += part.size();
            part.clear();
        }
        if (part.empty())
            run.marks.push_back({.place = Bytes(record.place), .offset = offset});
        part.append(at, record.bytes());
    }
    TRY(write(part, offset));
    const std::lock_guard lock(mutex_);
    runs_.push_back(std::move(run));
    return {};
}

std::vector<Bytes> RunFile::cuts(std::uint64_t bytes) const {
    std::vector<BytesView> places;
    for (const auto& run : runs_)
        for (const auto& mark : run.marks)
            places.emplace_back(mark.place);
    std::ranges::sort(places);
    std::vector<Bytes> cuts;
    for (std::size_t i = 0; i < places.size(); i += std::max<std::size_t>(1, bytes / part_bytes))
        cuts.emplace_back(places[i]);
    cuts.emplace_back();
    return cuts;
}

SortBuffer::SortBuffer(RunFile& file, std::size_t capacity)
    : file_(file),
      capacity_(capacity),
      memory_(std::make_unique_for_overwrite<char[]>(capacity)) {}

Result<void> SortBuffer::make_room(std::size_t bytes) {
    if (bytes > capacity_)
        return fault("a record is larger than the buffer that sorts it");
    return used_ + bytes > capacity_ ? empty() : Result<void>();
}

Record SortBuffer::append(std::uint8_t kind, std::uint32_t family, BytesView key, BytesView value) {
    char* const begin = memory_.get() + used_;
    char* at = begin;
    const auto put = [&](const void* from, std::size_t count) { // which may be nothing, of null
        at = std::copy_n(static_cast<const char*>(from), count, at);
    };
    const auto place_bytes = static_cast<std::uint32_t>(2 + key.size());
    const auto value_bytes = static_cast<std::uint32_t>(value.size());
    put(&place_bytes, sizeof place_bytes);
    put(&value_bytes, sizeof value_bytes);
    *at++ = static_cast<char>(kind);
    *at++ = static_cast<char>(family >> 8U);
    *at++ = static_cast<char>(family);
    put(key.data(), key.size());
    put(value.data(), value.size());
    used_ += static_cast<std::size_t>(at - begin);
    records_.push_back(begin);
    return Record::at(begin);
}

Result<void> SortBuffer::add(data::Pattern pattern, std::uint32_t family, BytesView key, BytesView value) {
    TRY(make_room(Record::head_bytes + 2 + key.size() + value.size()));
    append(static_cast<std::uint8_t>(pattern), family, key, value);
    return {};
}

Result<void> SortBuffer::add_erasure(data::Pattern pattern, std::uint32_t family, BytesView key) {
    TRY(make_room(Record::head_bytes + 2 + key.size()));
    append(static_cast<std::uint8_t>(pattern) | erasure, family, key, {});
    return {};
}

Result<void> SortBuffer::add_sum(std::uint32_t family, BytesView key, std::int64_t delta) {
    if (const auto found = sums_.find(key); found != sums_.end()) {
        const auto before = static_cast<std::uint64_t>(*decode_sum({found->second, sizeof delta}));
        const auto sum = encode_sum(static_cast<std::int64_t>(before + static_cast<std::uint64_t>(delta)));
        std::memcpy(found->second, sum.data(), sum.size());
        return {};
    }
    const auto sum = encode_sum(delta);
    TRY(make_room(Record::head_bytes + 2 + key.size() + sum.size()));
    const auto record = append(static_cast<std::uint8_t>(data::Pattern::tallies), family, key, sum);
    sums_.emplace(record.key(), const_cast<char*>(record.value.data()));
    return {};
}

namespace {

// A record and eight bytes of its place, which are nearer and quicker to compare.
struct Head {
    std::uint64_t bytes;
    const char* record;
};

BytesView place_of(const Head& head) { return Record::at(head.record).place; }

// Those at `from`, the first one highest; zeroes behind the end.
std::uint64_t eight_bytes(BytesView place, std::size_t from) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, place.data() + from, std::min(sizeof bytes, place.size() - from));
    return std::byteswap(bytes); // the machine's order is that of x86 and ARM
}

bool comes_first(const Head& a, const Head& b) {
    const auto order = place_of(a).compare(place_of(b));
    return order != 0 ? order < 0 : a.record < b.record; // added earlier
}

// By place. The first `common` bytes of all are the same, and so are the eight behind if they were
// `compared`. A store's places share long beginnings, so those are looked for once, and what is compared is
// the eight bytes behind.
void sort_heads(std::span<Head> heads, std::size_t common, bool compared) {
    constexpr std::size_t few = 24;
    if (heads.size() <= few) {
        std::ranges::sort(heads, comes_first);
        return;
    }
    const auto first = place_of(heads.front());
    std::size_t same = first.size(), longest = first.size();
    for (const auto& head : heads) {
        const auto place = place_of(head);
        longest = std::max(longest, place.size());
        same = std::min(same, place.size());
        std::size_t at = common;
        while (at < same && place[at] == first[at])
            ++at;
        same = at;
    }
    if (same == longest || (compared && same == common)) { // all the same; one ends, others go on with zeroes
        std::ranges::sort(heads, comes_first);
        return;
    }
    for (auto& head : heads)
        head.bytes = eight_bytes(place_of(head), same);
    std::ranges::sort(heads, {}, &Head::bytes);
    for (std::size_t begin = 0, end = 0; begin < heads.size(); begin = end) {
        while (end < heads.size() && heads[end].bytes == heads[begin].bytes)
            ++end;
        sort_heads(heads.subspan(begin, end - begin), same, true);
    }
}

void sort_records(std::vector<const char*>& records) {
    std::vector<Head> heads;
    heads.reserve(records.size());
    for (const char* record : records)
        heads.push_back({.bytes = 0, .record = record});
    sort_heads(heads, 0, false);
    std::ranges::transform(heads, records.begin(), &Head::record);
}

} // namespace

Result<void> SortBuffer::empty() {
    if (records_.empty())
        return {};
    sort_records(records_);
    TRY(file_.append(records_, used_));
    used_ = 0;
    records_.clear();
    sums_.clear();
    return {};
}

// Walks one run from a mark on, in the order of its records.
class RunMerge::Cursor {
  public:
    Cursor(const RunFile& file, std::size_t number, std::uint64_t from, std::uint64_t end)
        : file_(file),
          number_(number),
          offset_(from),
          end_(end) {}

    [[nodiscard]] const Record& record() const { return record_; }
    [[nodiscard]] bool comes_behind(const Cursor& other) const {
        const auto order = record_.place.compare(other.record_.place);
        return order != 0 ? order > 0 : number_ > other.number_;
    }
    // To the next record; false at the end of the run.
    Result<bool> move() {
        used_ += used_ < held_.size() ? record_.bytes() : 0;
        if (used_ == held_.size() && offset_ == end_)
            return false;
        TRY(hold(Record::head_bytes));
        TRY(hold(Record::at(&held_[used_]).bytes()));
        record_ = Record::at(&held_[used_]);
        return true;
    }

  private:
    // Reads until that many bytes are there.
    Result<void> hold(std::size_t bytes) {
        if (held_.size() - used_ >= bytes)
            return {};
        held_.erase(0, used_);
        used_ = 0;
        const auto more =
            std::min<std::uint64_t>(std::max(bytes - held_.size(), part_bytes / 2), end_ - offset_);
        TRY(file_.read(offset_, more, held_));
        offset_ += more;
        return held_.size() >= bytes ? Result<void>() : fault("a run ends within a record");
    }

    const RunFile& file_;
    const std::size_t number_; // of the run
    std::uint64_t offset_;     // of what is not read yet
    const std::uint64_t end_;
    Bytes held_;
    std::size_t used_ = 0; // where the record stands
    Record record_{};
};

namespace {

constexpr auto comes_later = [](const auto* a, const auto* b) { return a->comes_behind(*b); };

} // namespace

RunMerge::RunMerge(const RunFile& file, Bytes from, Bytes until)
    : file_(file),
      from_(std::move(from)),
      until_(std::move(until)) {}

RunMerge::~RunMerge() = default;

Result<bool> RunMerge::step(Cursor& cursor) const {
    return TRY(cursor.move()) && (until_.empty() || cursor.record().place < until_);
}

Result<void> RunMerge::open(const RunFile& file) {
    for (std::size_t number = 0; number < file.runs().size(); ++number) {
        const auto& run = file.runs()[number];
        // One place may go on for several parts, and begin in the part before.
        auto mark = std::ranges::lower_bound(run.marks, from_, {}, &RunFile::Mark::place);
        if (mark != run.marks.begin())
            --mark;
        auto cursor = std::make_unique<Cursor>(file, number, mark->offset, run.end);
        bool there = TRY(step(*cursor));
        while (there && cursor->record().place < from_)
            there = TRY(step(*cursor));
        if (!there)
            continue;
        waiting_.push_back(cursor.get());
        cursors_.push_back(std::move(cursor));
    }
    std::ranges::make_heap(waiting_, comes_later);
    opened_ = true;
    return {};
}

Result<std::optional<Record>> RunMerge::next() {
    if (!opened_)
        TRY(open(file_));
    if (current_ != nullptr && TRY(step(*current_))) {
        // Of rows that came in order, one run has many in a row.
        if (waiting_.empty() || !comes_later(current_, waiting_.front()))
            return current_->record();
        waiting_.push_back(current_);
        std::ranges::push_heap(waiting_, comes_later);
    }
    if (waiting_.empty())
        return std::nullopt;
    std::ranges::pop_heap(waiting_, comes_later);
    current_ = waiting_.back();
    waiting_.pop_back();
    return current_->record();
}

} // namespace slashpost::storage
