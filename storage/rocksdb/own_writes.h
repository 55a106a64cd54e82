#pragma once
// What a transaction has written and nobody else sees yet: in the order of writing for the commit, and by key
// for its own reads. Sorting by key waits until somebody reads, family by family; a fold of clicks never
// does.
#include "core/data/engine.h"

#include <rocksdb/db.h>

#include <deque>
#include <map>
#include <memory_resource>
#include <optional>
#include <vector>

namespace slashpost::storage {

class OwnWrites {
  public:
    enum class Kind : std::uint8_t { put, erase, merge };
    struct Write {
        Kind kind;
        rocksdb::ColumnFamilyHandle* family;
        data::BytesView key, value;
        const Write* before = nullptr; // of the same key; set when sorted by key
    };
    using ByKey = std::pmr::map<data::BytesView, const Write*>; // to the last write of each key

    OwnWrites() = default;
    OwnWrites(const OwnWrites&) = delete;
    OwnWrites& operator=(const OwnWrites&) = delete;

    void add(Kind kind, rocksdb::ColumnFamilyHandle* family, data::BytesView key, data::BytesView value);

    [[nodiscard]] bool empty() const { return writes_.empty(); }
    [[nodiscard]] const std::pmr::deque<Write>& in_order() const { return writes_; }
    // About what they take in a batch.
    [[nodiscard]] std::size_t bytes() const { return bytes_; }
    // The keys of a family, by its number in RocksDB; null when nothing was written there. Later writes do
    // not move its entries.
    [[nodiscard]] const ByKey* of(std::uint32_t family);

  private:
    struct Family {
        explicit Family(std::pmr::memory_resource* memory) : by_key(memory), unsorted(memory) {}
        ByKey by_key;
        std::pmr::vector<Write*> unsorted; // oldest first
    };

    [[nodiscard]] data::BytesView keep(data::BytesView bytes);

    std::pmr::monotonic_buffer_resource memory_{4096};
    std::pmr::deque<Write> writes_{&memory_};
    std::vector<std::optional<Family>> families_; // by number
    std::size_t bytes_ = 0;
};

} // namespace slashpost::storage
