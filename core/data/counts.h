#pragma once
// Many counts in one value: sorted names with a 64-bit number each, which the engine adds up by itself
// (Txn::add_counts), so that one small write counts many things.
//
// The first byte of a name is its group; the rest is its own. A group holds a bounded number of names. When
// more come, those with the smallest numbers fall to the group's *rest*, a name of its own. So a flood of
// names stays bounded, the sum of a group is always exact, and a name's number is exact as long as nothing of
// the group fell to the rest; after that it may be less by what fell. Which names an engine lets fall when is
// up to when it merges.
//
// Encoded: 01, then for each name in ascending order its length (1 byte), its bytes, its number (zigzag
// varint). A number that is zero is left out.
#include "core/data/engine.h"

#include <array>
#include <span>
#include <vector>

namespace slashpost::data {

inline constexpr std::size_t counts_per_group_max = 256;
// Of groups whose byte is a small letter: their names come from the owner of what is counted, not from
// strangers.
inline constexpr std::size_t counts_per_own_group_max = 4096;
inline constexpr std::size_t count_name_bytes_max = 255; // what is longer falls to the rest

constexpr std::size_t names_max(char group) {
    return group >= 'a' && group <= 'z' ? counts_per_own_group_max : counts_per_group_max;
}

struct Count {
    Bytes name;
    std::int64_t number = 0;
    bool operator==(const Count&) const = default;
};

class Counts {
  public:
    // Of counts in any order, whose names may repeat.
    static Counts of(std::vector<Count> counts);
    // `name` is not empty.
    void add(BytesView name, std::int64_t number);
    void add(const Counts& more);

    [[nodiscard]] bool empty() const { return all_.empty(); }
    [[nodiscard]] std::int64_t of(BytesView name) const;
    // In ascending order of their names.
    [[nodiscard]] std::span<const Count> all() const { return all_; }
    [[nodiscard]] std::span<const Count> group(char group) const;
    [[nodiscard]] std::int64_t sum(char group) const;

    // As it is stored: of a group that is too large the smallest numbers are in the rest.
    [[nodiscard]] Bytes encode() const;
    static Result<Counts> decode(BytesView bytes);

    bool operator==(const Counts&) const = default;

  private:
    std::vector<Count> all_;
};

// Encodes counts that come in ascending order of their names, each name once.
class CountsWriter {
  public:
    // With room for so many bytes.
    explicit CountsWriter(std::size_t bytes = 128) { out_.reserve(bytes); }
    // The name in two parts: its first byte, and what is its own.
    void put(char group, BytesView own, std::int64_t number);
    // What was put since it was taken last; until something is put again, and may be moved from there.
    [[nodiscard]] Bytes& take();

  private:
    Bytes out_;
    char group_ = '\0';
    std::size_t names_ = 0; // of the group
    bool overflows_ = false, taken_ = true;
};

// Sums of encoded counts, two at a time, without memory of its own for each.
class CountsMerger {
  public:
    // The sum, encoded, until two more are merged; `left` may be the sum before. Nothing when one cannot be
    // read.
    std::optional<BytesView> merge(BytesView left, BytesView right);

  private:
    std::array<CountsWriter, 2> writers_;
    std::size_t turn_ = 0; // the writer that was used last
};

// The name of what fell out of a group.
inline Bytes rest_of(char group) { return {group, '\xff'}; }

// One number of encoded counts, without the memory that all of them take.
Result<std::int64_t> count_of(BytesView encoded, BytesView name);

// The sum of encoded counts, which engines keep. Nothing when one of them cannot be read.
std::optional<Bytes> merge_counts(std::span<const BytesView> parts);

} // namespace slashpost::data
