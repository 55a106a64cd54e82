#pragma once
// One file of a journal lane: a header and a fixed number of slots. Its writer stores into it through memory
// (guarded_map.h), everybody else reads the file.
//
// The file has all its blocks before it is mapped, so that storing into it hardly ever fails for want of
// room: only where a file system writes changed blocks to new places, or shares them with a copy. A slot is
// filled by one thread and may be read by others once they have learned of it (storage/journal/lane.h). All
// numbers are little-endian:
//
//   header   0   8  "SPJOURNL"
//            8   4  format version: 1; 2 in a file that an older build had taken again
//           12   4  lane
//           16   8  number of the first record
//           24   4  record bytes
//           28   4  slots
//           32  28  zero
//           60   4  CRC-32C of bytes 0..59
//   slot     0   n  the record
//            n   4  CRC-32C of the record, begun with the low 32 bits of its number instead of 0;
//                   ffffffff where that would be 0, so that a slot of zeroes is never a record
//
// The number in the checksum keeps a stale record from being taken for another one at the same place.
#include "core/data/journal.h"
#include "storage/journal/guarded_map.h"

#include <memory>
#include <string>

namespace slashpost::storage {

inline constexpr std::uint32_t segment_format = 2;
inline constexpr std::size_t segment_header_bytes = 64;
inline constexpr std::size_t slot_checksum_bytes = 4;

struct SegmentHeader {
    std::uint32_t lane = 0;
    std::uint64_t first = 0;
    std::uint32_t record_bytes = 0;
    std::uint32_t slots = 0;
    bool is_taken_again =
        false; // of an older build: the slots that are not written yet hold records of other numbers
    bool operator==(const SegmentHeader&) const = default;

    [[nodiscard]] std::size_t slot_bytes() const { return record_bytes + slot_checksum_bytes; }
    [[nodiscard]] std::size_t file_bytes() const { return segment_header_bytes + slots * slot_bytes(); }
    // "0003-00000000000000065535.segment": lane and first record.
    [[nodiscard]] std::string file_name() const;
};

// Nothing when `name` is not that of a segment; else with lane and first record filled in.
std::optional<SegmentHeader> parse_segment_name(std::string_view name);
// Nothing for a file that was made, or taken again, but never begun: its header is zero, or still that of the
// segment it was before. Fails when it is damaged (`refused`, StoreDamaged) or of a newer format. Changes
// nothing.
Result<std::optional<SegmentHeader>> read_segment_header(const std::string& path);
// Writes it over a damaged one.
Result<void> write_segment_header(const std::string& path, const SegmentHeader& header);

class Segment {
  public:
    // Makes the file with all its room. On failure (`unavailable` when there is no room) leaves nothing
    // behind.
    static Result<std::shared_ptr<Segment>> create(const std::string& folder, const SegmentHeader& header);
    // Makes it of a file that make_room or find_room answered, of the same size. On failure the file may be
    // there under either name.
    static Result<std::shared_ptr<Segment>> take_room(std::shared_ptr<Segment> room,
                                                      const std::string& folder, const SegmentHeader& header);
    // A file of the size that `header` says, with all its room and nothing in it, for take_room. It is not
    // mapped.
    static Result<std::shared_ptr<Segment>> make_room(const std::string& folder, const std::string& name,
                                                      const SegmentHeader& header);
    // The same of a file that is there; nothing when it is no such file.
    static std::shared_ptr<Segment> find_room(const std::string& folder, const std::string& name,
                                              const SegmentHeader& header);
    // `header` is what read_segment_header gave.
    static Result<std::shared_ptr<Segment>> open(const std::string& folder, const SegmentHeader& header);
    ~Segment();
    Segment(const Segment&) = delete;
    Segment& operator=(const Segment&) = delete;

    [[nodiscard]] const SegmentHeader& header() const { return header_; }
    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] std::uint64_t first() const { return header_.first; }
    // The number behind the last slot.
    [[nodiscard]] std::uint64_t past() const { return header_.first + header_.slots; }

    // In all of these first() <= number < past().
    //
    // By the one writer. False: the file system does not take the record; it may be tried again, at the same
    // number.
    [[nodiscard]] bool write(std::uint64_t number, data::BytesView record) noexcept;
    // The slots from..past-1 as they stand in the file; zeroes for what a file that was cut off lacks.
    [[nodiscard]] Result<data::Bytes> slots(std::uint64_t from, std::uint64_t past) const;

    // Makes all slots from `number` on zero, durably, where they were not.
    Result<void> wipe_from(std::uint64_t number);
    // What stands in the slots from..past-1 (and the header) survives a power cut after it. The pages behind
    // stay as they are: one that was written to the disk costs who stores into it next a fault.
    Result<void> sync(std::uint64_t from, std::uint64_t past);
    // Takes the room that is lacking, and maps it: for who writes behind what an earlier process left.
    void go_on();
    // From now on what is written is stored through memory, if the system lets us.
    void map() { (void)map_.map(file_, header_.file_bytes()); }
    Result<void> remove(); // the file; what was in it can be read until the object goes

  private:
    Segment(std::string path, const SegmentHeader& header) : path_(std::move(path)), header_(header) {}
    Result<void> make_file();
    Result<void> write_header();
    bool write_out(std::uint64_t number, data::BytesView record) noexcept;
    Result<void> rename(const std::string& path);
    [[nodiscard]] std::size_t offset(std::uint64_t number) const {
        return segment_header_bytes + (number - header_.first) * header_.slot_bytes();
    }

    std::string path_;
    SegmentHeader header_;
    int file_ = -1;
    GuardedMap map_;
};

// Whether `slot` holds the record of this number.
bool is_whole(data::BytesView slot, std::uint64_t number);

// Whether it is the name of a file that an older build had set aside to write to it again.
bool is_aside(std::string_view name);

// Fails as `unavailable` with a sentence for the operator; `error` is an errno.
std::unexpected<Error> os_failure(std::string_view what, const std::string& path, int error);

} // namespace slashpost::storage
