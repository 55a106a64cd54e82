#pragma once
// A cache of byte strings by byte strings that also knows what does not exist, for many reading threads.
//
// Bounded in bytes; it begins small and grows when it is full, up to that bound. Each key has a handful of
// slots where it may be and no others, so neither a flood of keys nor one of equal hashes makes a look-up
// longer. A look-up copies under a lock that is held for about a tenth of a microsecond, by one of many parts
// of the keys, and allocates nothing.
//
// Once it was told of all keys of the store, it says of nearly all others that there is nothing, and asking
// for many unknown keys neither reaches the store nor pushes out a known one.
//
// Entries are short, because keys and values resemble each other: once there are enough of them, `learn`
// finds out what they have in common (symbols.h), and they take a third of the room.
//
// What was forgotten stays forgotten: a reader that missed gets a ticket, reads the store, and hands both
// in; if the key was forgotten meanwhile, what it read may be old and is not kept.
#include "core/base/random.h"
#include "core/base/zeroes.h"
#include "core/redirect/cache_ring.h"
#include "core/redirect/key_filter.h"
#include "core/redirect/symbols.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slashpost::redirect {

class Cache {
  public:
    // Values begin with an id, which resembles nothing and is kept as it is.
    static constexpr std::size_t id_bytes = 16;
    // Of a key with what follows the id. Longer ones are not kept, nor are values that are no longer than it.
    static constexpr std::size_t text_bytes_max = std::size_t{1} << 12;

    // Takes `bytes_max` of memory at most, and a quarter of it for knowing what does not exist.
    Cache(std::size_t bytes_max, Random& random);

    enum class Known { nothing, absent, present };
    struct Answer {
        Known known = Known::nothing;
        std::uint64_t ticket = 0; // for `keep`, when nothing is known
    };
    // Fills `value` when one is present.
    Answer find(std::string_view key, std::string& value);
    // `value` is what the store said.
    void keep(std::string_view key, const std::string& value, std::uint64_t ticket);
    // Tickets for any key, for a reader of many: taken before it reads, they are good for what it reads.
    [[nodiscard]] std::vector<std::uint64_t> tickets() const;
    void keep(std::string_view key, const std::string& value, const std::vector<std::uint64_t>& tickets) {
        keep(key, value, tickets[hash_of(key) % shards_.size()]);
    }
    // After the store has changed under this key, and before anybody is told so.
    void forget(std::string_view key);
    // After anything may have changed, new keys too. For the thread that lets it grow.
    void forget_all();

    // For one thread that nobody waits for, now and then: learns from what is there, once that is enough, and
    // begins anew with what it knows then. Takes a tenth of a second, once. Whether it has.
    bool learn();
    // Whether entries still find room without pushing out others, but for a few, in most parts.
    [[nodiscard]] bool has_room() const;
    // For the same thread, when there is no room: takes a quarter more of memory and keeps what is there. A
    // part of the keys waits some milliseconds for its turn. False, and nothing has changed, when the bound
    // is reached, when there is room, or when the system gives no more.
    bool grow();

    // For the same thread, which then walks through the store: takes memory for about so many keys, as far as
    // the bound goes; twice that until end_keys(). False, and none are noted, when there are more than
    // keys_max(), or when the system gives none.
    bool begin_keys(std::size_t count);
    void note_key(std::string_view key);
    // All were noted that the store had since begin_keys(); what changed meanwhile was told by `forget`.
    void end_keys();
    // More were noted or changed since than there is memory for, though there could be more: of what does not
    // exist, more and more is taken for what may.
    [[nodiscard]] bool has_too_many_keys() const;
    // With so many, four of five that do not exist are still known; with more it is not worth the walk.
    [[nodiscard]] std::size_t keys_max() const {
        return key_lines_max() * KeyFilter::keys_per_line * keys_crowd_max;
    }

    struct Figures {
        std::uint64_t hits = 0;
        std::uint64_t misses = 0;
        std::uint64_t bytes = 0; // of entries held
    };
    [[nodiscard]] Figures figures() const;

  private:
    struct alignas(64) Shard {
        mutable std::mutex mutex;
        std::uint64_t epoch = 0; // counts what was forgotten
        std::uint64_t hits = 0, misses = 0;
        const Symbols* symbols = nullptr; // of its entries
        CacheRing entries;
        KeyFilter keys, next_keys; // of the store; until all are noted, the next ones serve nobody
    };
    // The part of all memory that is of the shard of this number.
    [[nodiscard]] std::span<std::uint32_t> part_of(const Zeroes& memory, std::size_t shard) const;
    static void begin(Shard& shard, std::span<std::uint32_t> memory);
    void move_entries(const CacheRing& from, Shard& to) const;
    [[nodiscard]] std::uint64_t hash_of(std::string_view key) const;
    Shard& shard_of(std::uint64_t hash) { return shards_[hash % shards_.size()]; }
    static void drop(Shard& shard, std::uint64_t hash, std::string_view key);
    [[nodiscard]] std::vector<std::string> some_texts() const;
    static constexpr std::size_t keys_crowd_max = 2; // times what a filter is made for
    [[nodiscard]] std::size_t key_lines_max() const { return bytes_max_ / 4 / sizeof(KeyFilter::Line); }

    std::uint64_t seed_ = 0; // unguessable, so that nobody can choose keys that share a bucket
    std::vector<Shard> shards_;
    const std::size_t bytes_max_;
    // Of the thread that lets it grow.
    Zeroes memory_; // of all rings
    Zeroes keys_memory_, next_keys_memory_;
    const Symbols nothing_learned_;
    std::unique_ptr<const Symbols> learned_;
    std::atomic<const Symbols*> symbols_ = &nothing_learned_; // for new entries
};

} // namespace slashpost::redirect
