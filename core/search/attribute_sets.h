#pragma once
// Which documents have an attribute (active, of a domain, with a tag, ...), in memory: sets that were read of
// the postings, one bit for each document. Every list under filters wants two or three of them, and reads one
// posting for each 65,536 documents without.
//
// A batch of the indexer makes the chunks that it touches unknown, and the set one of the version behind it.
// A set is given out for exactly its version, so nothing here can make a list wrong.
#include "core/base/asked_slots.h"
#include "core/search/ordinals.h"

#include <map>
#include <mutex>

namespace slashpost::search {

class AttributeSets {
  public:
    explicit AttributeSets(const SlotBounds& bounds) : bounds_(bounds) {}

    using Set = std::shared_ptr<const DocumentSet>;
    struct Known {
        Set documents;                // may be none
        std::vector<bool> is_unknown; // by chunk; a chunk behind them is unknown, too

        [[nodiscard]] const ChunkSet* chunk(std::size_t chunk) const {
            return chunk < is_unknown.size() && !is_unknown[chunk] ? &documents->chunk(chunk) : nullptr;
        }
    };
    // Those with the attribute that the term is about (core/search/document.h). From any thread, as all here.
    Known find(WorkspaceId workspace, data::BytesView term, std::uint64_t version);
    void keep(WorkspaceId workspace, data::BytesView term, std::uint64_t version, Set documents);

    void indexed(const IndexedBatch& batch);
    void drop_unused();
    std::size_t bytes();

  private:
    using Time = std::chrono::steady_clock;
    struct Slot {
        Known known;
        std::uint64_t version = 0;
        Time::time_point asked_at;
        static constexpr bool is_read = false; // who reads one does so on its own

        [[nodiscard]] std::size_t bytes() const;
        void take_in(const IndexedBatch& batch);
    };
    using Slots = std::map<std::pair<WorkspaceId, data::Bytes>, Slot>;

    const SlotBounds bounds_;
    std::mutex mutex_; // held for moments only
    Slots slots_;      // guarded by mutex_
};

} // namespace slashpost::search
