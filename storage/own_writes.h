#pragma once
// What a transaction has written and nobody else sees yet: in the order of writing for the commit, and by key
// for its own reads. What those need waits until somebody reads, space by space; a fold of clicks never does.
#include "core/data/engine.h"

#include <deque>
#include <memory_resource>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

namespace slashpost::storage {

class OwnWrites {
  public:
    enum class Kind : std::uint8_t { put, erase, merge };
    struct Write {
        Kind kind;
        std::uint16_t space; // its number
        data::MergeRule rule;
        data::BytesView key, value;
        const Write* before = nullptr; // of the same key; set when somebody reads the space
    };
    using Keys = std::pmr::set<data::BytesView>;

    OwnWrites() = default;
    OwnWrites(const OwnWrites&) = delete;
    OwnWrites& operator=(const OwnWrites&) = delete;

    void put(const data::Space& space, data::BytesView key, data::BytesView value) {
        replace(Kind::put, space, key, value);
    }
    void erase(const data::Space& space, data::BytesView key) { replace(Kind::erase, space, key, {}); }
    // An operand. Those of MergeRule::sum become one for each key, because a large transaction adds to few
    // tallies very often.
    void merge(const data::Space& space, data::BytesView key, data::BytesView operand);

    [[nodiscard]] bool empty() const { return writes_.empty(); }
    // In an order to commit them in: of one key as they were written; if they are many, ascending by key,
    // since a store takes neighbours in at a fraction of the price. Without those that another put or erasure
    // of the same key follows.
    [[nodiscard]] std::vector<const Write*> in_order() const;
    // About what they take in a batch.
    [[nodiscard]] std::size_t bytes() const { return bytes_; }
    // The last write of a key of a space, which is named by its number; null when there is none.
    [[nodiscard]] const Write* last(std::uint16_t space, data::BytesView key);
    // The keys that were written in a space; null when there are none. Later writes do not move them.
    [[nodiscard]] const Keys* keys(std::uint16_t space);

  private:
    struct OfSpace {
        explicit OfSpace(std::pmr::memory_resource* memory)
            : last(memory),
              sums(memory),
              sorted(memory),
              writes(memory) {}
        std::pmr::unordered_map<data::BytesView, const Write*> last;
        std::pmr::unordered_map<data::BytesView, Write*> sums; // operands that more may be added to
        Keys sorted;
        std::pmr::vector<Write*> writes; // oldest first
        std::size_t known = 0;           // so many of them are in `last`
        std::size_t in_order = 0;        // and so many in `sorted`
    };

    [[nodiscard]] data::BytesView keep(data::BytesView bytes);
    [[nodiscard]] OfSpace* known(std::uint16_t space);
    [[nodiscard]] OfSpace& made(std::uint16_t space);
    void replace(Kind kind, const data::Space& space, data::BytesView key, data::BytesView value);
    Write& append(Kind kind, const data::Space& space, data::BytesView key, data::BytesView value);

    std::pmr::monotonic_buffer_resource memory_{4096};
    std::pmr::deque<Write> writes_{&memory_};
    std::vector<std::optional<OfSpace>> spaces_; // by number
    std::size_t bytes_ = 0;
};

} // namespace slashpost::storage
