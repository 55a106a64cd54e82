#include "storage/journal/leftover.h"

#include <algorithm>

namespace slashpost::storage {

namespace {

constexpr std::size_t sector_bytes = 512; // the least that a disk writes
constexpr std::size_t page_bytes = 4096;  // what the system has it write
// A file that an older build had taken again holds records from so many segments before at most.
constexpr std::uint64_t segments_back_max = 2048;

bool is_zero(data::BytesView bytes) {
    return std::ranges::all_of(bytes, [](char c) { return c == 0; });
}

// The slots of one segment, as in its file.
struct Slots {
    const SegmentHeader& header;
    data::BytesView bytes;

    [[nodiscard]] data::BytesView of(std::uint64_t number) const {
        return bytes.substr((number - header.first) * header.slot_bytes(), header.slot_bytes());
    }
    // It says what it did before the file was taken again.
    [[nodiscard]] bool is_of_before(std::uint64_t number) const {
        for (std::uint64_t back = 1; back <= segments_back_max && back * header.slots <= number; ++back)
            if (is_whole(of(number), number - back * header.slots))
                return true;
        return false;
    }
    [[nodiscard]] std::size_t begin_of(std::uint64_t number) const {
        return segment_header_bytes + (number - header.first) * header.slot_bytes();
    }
    // What of it lies in one of its sectors is as it was before anything was written.
    [[nodiscard]] bool lacks_sector(std::uint64_t number) const {
        const auto begin = begin_of(number), end = begin + header.slot_bytes();
        for (auto at = begin; at < end;) {
            const auto next = std::min((at / sector_bytes + 1) * sector_bytes, end);
            if (is_zero(of(number).substr(at - begin, next - at)))
                return true;
            at = next;
        }
        return false;
    }
    // The same of a file that was taken again. Of a slot that lies in two pages nobody can tell when one of
    // them is as before: it counts as missing.
    [[nodiscard]] bool lacks_page(std::uint64_t number, std::uint64_t past) const {
        const auto begin = begin_of(number), last = begin + header.slot_bytes() - 1;
        return begin / page_bytes != last / page_bytes || is_of_before(number) ||
               (number + 1 < past && is_of_before(number + 1));
    }
    [[nodiscard]] bool never_arrived(std::uint64_t number, std::uint64_t past) const {
        return lacks_sector(number) || (header.is_taken_again && lacks_page(number, past));
    }
};

} // namespace

void Leftover::add(const SegmentHeader& header, std::uint64_t past, data::BytesView bytes) {
    if (end_ == 0 && damaged_.empty() && broken_.empty())
        end_ = header.first;
    const Slots slots{.header = header, .bytes = bytes};
    for (auto number = header.first; number < past; ++number) {
        if (is_whole(slots.of(number), number)) {
            damaged_.insert(damaged_.end(), broken_.begin(), broken_.end());
            broken_.clear();
            end_ = number + 1;
        } else if (slots.never_arrived(number, past)) {
            torn_ = true;
            return;
        } else {
            broken_.push_back(number);
        }
    }
}

} // namespace slashpost::storage
