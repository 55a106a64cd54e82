#pragma once
// Entries of a cache by their hashes, in a piece of memory: slots that say where an entry is, and a ring in
// which they stand one behind the other. The newest overwrites the oldest, but what was used since it was
// written, or since it was spared last, moves to the end once more; as long as the memory is not full, all
// that is held does. So the memory is always full of entries, whatever their sizes, and none of it is touched
// before it is needed. For one thread at a time.
//
//   slot    12 bits of the hash | 20 bits: word of the ring where the entry begins; 0: free
//   entry   a word: dropped, used lately (1 bit each), the bucket its slot is in (14), its words (14); then
//           its bytes, zeroes behind them up to a whole word
#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>

namespace slashpost::redirect {

class CacheRing {
  public:
    static constexpr std::size_t memory_words_max = std::size_t{1} << 20;

    // `memory` is zeroes, and so much that entries of usually `entry_words` (a slot included) find slots.
    void begin(std::span<std::uint32_t> memory, std::size_t entry_words);
    void clear();

    // Calls `is(bytes)` for those entries of the hash, rarely others, until it is true of one; that has been
    // used now. Whether there was one. An entry beside its bucket is not found when others of that bucket
    // have gone since: what is not there costs one line of memory then, not two.
    template <class Is>
    bool use(std::uint64_t hash, const Is& is) {
        const auto bucket = bucket_of(hash);
        const auto slots = slots_of(bucket);
        auto* slot = find_in(bucket, hash, is);
        if (!slot && std::ranges::find(slots, 0U) == slots.end())
            slot = find_in(beside(bucket), hash, is);
        if (slot && !(ring_[place_of(*slot)] & used_bit))
            ring_[place_of(*slot)] |= used_bit;
        return slot != nullptr;
    }
    template <class Is>
    void drop(std::uint64_t hash, const Is& is) {
        if (auto* const slot = find(hash, is))
            drop(*slot);
    }
    // The most that an entry may take in a ring of so much memory, at least.
    [[nodiscard]] std::size_t entry_bytes_max() const {
        return (std::min<std::size_t>(ring_.size() / ring_part, count_mask) - 1) * sizeof(std::uint32_t);
    }
    // One too large for the ring is left out.
    void put(std::uint64_t hash, std::string_view bytes);
    // Calls visit(bytes) for every entry, in the order of their hashes, nearly.
    template <class Visit>
    void each(const Visit& visit) const {
        for (std::size_t slot = 0; slot < slots_.size(); ++slot)
            if (slots_[slot] != 0)
                visit(bytes_at(place_of(slots_[slot])));
    }
    // Whether the entries held take nearly all of the memory, or so many slots that more than the few whose
    // bucket is full before all the rest have to go for others. What was dropped does not count.
    [[nodiscard]] bool is_full() const {
        return words_ > ring_.size() / 16 * 15 || entries_ > slots_.size() / 4 * 3;
    }
    [[nodiscard]] std::size_t bytes() const { return words_ * sizeof(std::uint32_t); } // of the entries held

  private:
    static constexpr std::size_t ring_part = 4; // of the ring is the most that an entry may take
    static constexpr std::size_t ways = 16;     // slots of a bucket: a line of the processor's cache
    static constexpr std::uint32_t count_mask = 0x3fff, used_bit = 1U << 28, dropped_bit = 1U << 29;
    static constexpr int bucket_shift = 14, mark_shift = 20;

    static std::size_t place_of(std::uint32_t slot) { return slot & (memory_words_max - 1); }
    static std::uint32_t mark_of(std::uint64_t hash) {
        return static_cast<std::uint32_t>(hash >> 52) << mark_shift;
    }
    [[nodiscard]] std::size_t bucket_of(std::uint64_t hash) const {
        return (hash >> 16 & 0xffff'ffff) * (slots_.size() / ways) >> 32;
    }
    [[nodiscard]] std::span<std::uint32_t> slots_of(std::size_t bucket) const {
        return slots_.subspan(bucket * ways, ways);
    }
    [[nodiscard]] std::string_view bytes_at(std::size_t place) const {
        return {reinterpret_cast<const char*>(&ring_[place + 1]),
                ((ring_[place] & count_mask) - 1) * sizeof(std::uint32_t)};
    }
    // Where a slot is looked for when a bucket has none free: the line beside it, which the processor often
    // fetches along. Without, one entry in two hundred would have to go long before the memory is full.
    [[nodiscard]] std::size_t beside(std::size_t bucket) const {
        const auto other = bucket ^ 1;
        return other < slots_.size() / ways ? other : bucket;
    }
    template <class Is>
    std::uint32_t* find(std::uint64_t hash, const Is& is) {
        auto* const slot = find_in(bucket_of(hash), hash, is);
        return slot ? slot : find_in(beside(bucket_of(hash)), hash, is);
    }
    template <class Is>
    std::uint32_t* find_in(std::size_t bucket, std::uint64_t hash, const Is& is) {
        for (auto& slot : slots_of(bucket))
            if (slot != 0 && slot - place_of(slot) == mark_of(hash) && is(bytes_at(place_of(slot))))
                return &slot;
        return nullptr;
    }
    void drop(std::uint32_t& slot);
    std::uint32_t& free_slot(std::size_t bucket);
    std::size_t make_room(std::size_t words);
    bool pass_oldest(bool may_spare);

    std::span<std::uint32_t> slots_, ring_;
    // Entries stand from `oldest_` up to `next_`; when the ring has begun anew, from `oldest_` up to `end_`
    // and from its begin up to `next_`.
    std::size_t oldest_ = 1, next_ = 1, end_ = 0; // word 0 is no entry's
    bool anew_ = false;
    std::size_t entries_ = 0, words_ = 0; // of entries that are not dropped
};

} // namespace slashpost::redirect
