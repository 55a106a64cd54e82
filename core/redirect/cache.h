#pragma once
// A cache of byte strings by byte strings that also remembers what does not exist, for many reading threads.
//
// Bounded in bytes and in slots. Each key has a handful of slots where it may be and no others, so neither a
// flood of keys nor one of equal hashes makes a look-up longer; what is not there has slots of its own, so
// that asking for many unknown keys pushes out no known one. A look-up copies under a lock that is held for
// some tens of nanoseconds, by a 64th of the keys, and allocates nothing.
//
// What was forgotten stays forgotten: a reader that missed gets a ticket, reads the store, and hands both
// in; if the key was forgotten meanwhile, what it read may be old and is not kept.
#include "core/base/random.h"

#include <array>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace slashpost::redirect {

class Cache {
  public:
    // About `bytes_max` of memory, of which the slots are taken at once.
    Cache(std::size_t bytes_max, Random& random);

    enum class Known { nothing, absent, present };
    struct Answer {
        Known known = Known::nothing;
        std::uint64_t ticket = 0; // for `keep`, when nothing is known
    };
    // Fills `value` when one is present.
    Answer find(std::string_view key, std::string& value);
    // `value` is what the store said: null when there is nothing under this key.
    void keep(std::string_view key, const std::string* value, std::uint64_t ticket);
    // After the store has changed under this key, and before anybody is told so.
    void forget(std::string_view key);

    struct Figures {
        std::uint64_t hits = 0;
        std::uint64_t misses = 0;
        std::uint64_t bytes = 0; // of keys and values held
    };
    [[nodiscard]] Figures figures() const;

  private:
    static constexpr std::size_t shard_count = 64;
    static constexpr std::size_t ways = 8;

    struct Slot {
        std::uint32_t hash = 0; // other bits than those that choose the place
        std::uint32_t key_bytes = 0;
        std::uint32_t value_bytes = 0;
        bool used_lately = false;
        std::unique_ptr<char[]> bytes; // key, then value; null: the slot is empty
        [[nodiscard]] std::size_t cost() const { return bytes ? key_bytes + value_bytes + 16 : 0; }
    };
    // Slots with a budget of bytes.
    class Slots {
      public:
        void resize(std::size_t bytes_max, std::size_t entry_bytes_expected);
        Slot* find(std::uint64_t hash, std::string_view key);
        void put(std::uint64_t hash, Slot fresh);
        void clear(Slot& slot);
        [[nodiscard]] std::size_t bytes() const { return bytes_; }

      private:
        [[nodiscard]] Slot* bucket(std::uint64_t hash);
        void make_room(std::size_t cost);

        std::vector<Slot> slots_;
        std::size_t buckets_ = 1; // of `ways` slots each
        std::size_t bytes_ = 0, bytes_max_ = 0, hand_ = 0;
    };
    struct alignas(64) Shard {
        mutable std::mutex mutex;
        std::uint64_t epoch = 0; // counts what was forgotten
        std::uint64_t hits = 0, misses = 0;
        Slots present, absent;
    };

    [[nodiscard]] std::uint64_t hash_of(std::string_view key) const;
    Shard& shard_of(std::uint64_t hash) { return shards_[hash % shard_count]; }

    std::uint64_t seed_ = 0; // unguessable, so that nobody can choose keys that share a bucket
    std::vector<Shard> shards_;
};

} // namespace slashpost::redirect
