#pragma once
// The rows of spaces of Pattern::settings that were read lately, as they are now. RocksDB takes some ten
// thousand instructions for each, and whoever calls reads a dozen of always the same.
//
// Right for every snapshot, by the numbers of commits (recent_writes.h). Each slot has the number of the last
// commit that wrote one of its keys. A snapshot that began after that commit sees what is there now, so it
// may take the row from here, and leave here what it read. From just before a commit is written until it has
// its number, nobody may.
#include "core/data/engine.h"
#include "storage/rocksdb/recent_writes.h"

#include <array>
#include <limits>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace slashpost::storage {

class RowCache {
  public:
    using Number = RecentWrites::Number;
    using Value = std::optional<data::Bytes>; // none: there is no such row

    struct RowKey {
        std::uint32_t family;
        data::BytesView key;
        KeyHash hash; // of both
    };

    // What is under the key in every snapshot that was taken after commit `begin`; nothing when that is not
    // known.
    std::optional<Value> find(const RowKey& place, Number begin);
    // `value` was read there through such a snapshot. A row of more than row_bytes_max is not kept.
    void keep(const RowKey& place, Number begin, const Value& value);

    // Of a commit in its turn: it is about to write these keys; it has written them, or may have, as
    // `number`.
    void begins(std::span<const KeyHash> keys);
    void ended(std::span<const KeyHash> keys, Number number);

    void clear();

  private:
    static constexpr std::size_t slots = 1024; // of one row each, so memory is bounded
    static constexpr std::size_t row_bytes_max = 1024;
    static constexpr Number being_written = std::numeric_limits<Number>::max();

    struct Slot {
        Number changed = 0;
        bool known = false; // the rest
        std::uint32_t family = 0;
        data::Bytes key;
        Value value;
    };

    Slot& slot_of(KeyHash hash) { return slots_[hash % slots]; }
    std::mutex& lock_of(KeyHash hash) { return locks_[hash % std::tuple_size_v<decltype(locks_)>]; }
    void mark(std::span<const KeyHash> keys, Number changed);

    std::array<std::mutex, 16> locks_; // a slot's is that of its number
    std::vector<Slot> slots_{slots};
};

} // namespace slashpost::storage
