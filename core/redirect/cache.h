#pragma once
// A cache of byte strings by byte strings, which also remembers that a key has no value. For many threads.
//
// The keys are spread over shards by a keyed hash, so that nobody can choose keys that share a shard or a
// slot. A shard is a lock and two hash tables: one of the keys that have a value, one of those that have
// none. Each table has a bound in bytes and evicts by CLOCK: a hand goes round the slots, spares an entry
// that was used since it came by last, and takes the next one that was not. Keys without a value get a
// sixteenth of the memory and evict each other only, so random slashtags that a stranger tries never evict a
// link.
//
// What was forgotten stays forgotten: a reader that missed gets a ticket, reads the store, and hands in the
// ticket with what it read. If a key of the shard was forgotten meanwhile, what was read may be old and is
// not kept.
#include "core/base/random.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slashpost::redirect {

// A hash table with linear probing, which evicts by CLOCK. For one thread at a time.
class ClockTable {
  public:
    explicit ClockTable(std::size_t bytes_max) : bytes_max_(bytes_max) {}

    // The value, until the table is changed. Whoever asks uses the entry, which is spared once for it.
    std::optional<std::string_view> use(std::uint32_t hash, std::string_view key);
    // In place of what there is. Nothing is kept of a key of more than 255 bytes, of a value of more than
    // 65,535, or of what takes more than a quarter of the bound.
    void put(std::uint32_t hash, std::string_view key, std::string_view value);
    void erase(std::uint32_t hash, std::string_view key);
    void clear();
    // Of the slots, and of the entries with what the allocator adds to them. At most the bound.
    [[nodiscard]] std::size_t bytes() const { return slots_.size() * sizeof(Slot) + text_bytes_; }
    // Entries that made room for others.
    [[nodiscard]] std::uint64_t evicted() const { return evicted_; }

  private:
    struct Slot {
        std::unique_ptr<char[]> text; // the key, then the value; null when the slot is free
        std::uint32_t hash = 0;
        std::uint16_t value_bytes = 0;
        std::uint8_t key_bytes = 0;
        bool used = false; // since the hand came by
        [[nodiscard]] std::string_view key() const { return {text.get(), key_bytes}; }
        [[nodiscard]] std::string_view value() const { return {text.get() + key_bytes, value_bytes}; }
    };
    [[nodiscard]] std::size_t next(std::size_t slot) const { return (slot + 1) & (slots_.size() - 1); }
    // The slot of the key, or the free one where it would be. There is a free one.
    [[nodiscard]] std::size_t find(std::uint32_t hash, std::string_view key) const;
    [[nodiscard]] bool is_crowded() const { return (entries_ + 1) * 4 > slots_.size() * 3; }
    void make_room(std::size_t text_bytes);
    void grow();
    void erase_at(std::size_t slot);

    std::size_t bytes_max_;
    std::vector<Slot> slots_; // none, or a power of two of them
    std::size_t hand_ = 0, entries_ = 0, text_bytes_ = 0;
    std::uint64_t evicted_ = 0;
};

class Cache {
  public:
    // Takes `bytes_max` of memory at most, as it is needed; at least 64 KiB.
    Cache(std::size_t bytes_max, Random& random);

    enum class Known { nothing, absent, present };
    struct Answer {
        Known known = Known::nothing;
        std::uint64_t ticket = 0; // for `keep`, when nothing is known
    };
    // Copies the value to `value` when there is one.
    Answer find(std::string_view key, std::string& value);
    // `value` is what the store said, if anything.
    void keep(std::string_view key, std::optional<std::string_view> value, std::uint64_t ticket);
    // For a reader of many keys: tickets for all of them, which it takes before it reads.
    [[nodiscard]] std::vector<std::uint64_t> tickets() const;
    void keep(std::string_view key, std::string_view value, const std::vector<std::uint64_t>& tickets) {
        keep(key, value, tickets[shard_of(hash_of(key))]);
    }
    // After the store has changed under this key, and before anybody is told so.
    void forget(std::string_view key);
    // After anything may have changed.
    void forget_all();

    struct Figures {
        std::uint64_t hits = 0; // also of keys that are known to have no value
        std::uint64_t misses = 0;
        std::uint64_t bytes = 0;
        std::uint64_t evictions = 0; // entries that made room for others
    };
    [[nodiscard]] Figures figures() const;
    [[nodiscard]] bool is_nearly_full() const { return figures().bytes > bytes_max_ / 8 * 7; }

  private:
    struct alignas(64) Shard {
        explicit Shard(std::size_t bytes_max);
        mutable std::mutex mutex;
        std::uint64_t forgotten = 0; // how many keys were; a ticket is this number
        std::uint64_t hits = 0, misses = 0;
        ClockTable present, absent;
    };
    [[nodiscard]] std::uint64_t hash_of(std::string_view key) const;
    [[nodiscard]] std::size_t shard_of(std::uint64_t hash) const { return (hash >> 32) % shards_.size(); }

    const std::size_t bytes_max_;
    std::uint64_t seed_ = 0;
    std::vector<std::unique_ptr<Shard>> shards_;
};

} // namespace slashpost::redirect
