#pragma once
// Columns of search indexes that are in use, in memory: the ids of a workspace's documents, its documents in
// an order of its links (core/search/ordinals.h), and which have an attribute. One is made when somebody
// needs it, is told by the indexer what changes from then on, and goes when nobody has asked for minutes or
// when all of them need too much memory, the one that was asked for longest ago first.
//
// Nothing here can make a list wrong: ordinals are given out for views of the versions that they are exact
// for only. A batch that the cache was not told of leaves a gap, and they are made anew.
#include "core/search/attribute_sets.h"

#include <chrono>
#include <functional>
#include <map>
#include <mutex>

namespace slashpost::search {

class ColumnCache {
  public:
    explicit ColumnCache(const SlotBounds& bounds)
        : bounds_(bounds),
          attributes_({.bytes_max = bounds.bytes_max / 4,
                       .slots_max = bounds.slots_max,
                       .unused_max = bounds.unused_max}) {}
    ColumnCache() : ColumnCache(SlotBounds()) {}

    using Order = std::shared_ptr<const Ordinals>;
    using MakeOrder = std::function<Result<Ordinals>()>;
    // Ordinals that are exact for the version. When there are none, `make` reads them from a view of it if
    // they are needed `at_once`, or were asked for before. Nothing while somebody else does that, and for a
    // moment when a batch is committed. From any thread.
    Result<Order> order(const Ordinals::Key& of, std::uint64_t version, bool at_once, const MakeOrder& make);

    // 16 bytes for each of the first documents, of the index that the version is of.
    using Ids = std::shared_ptr<const data::Bytes>;
    Ids ids(WorkspaceId workspace, std::uint64_t version);
    void keep_ids(WorkspaceId workspace, std::uint64_t version, Ids ids);

    AttributeSets& attributes() { return attributes_; }

    // Of the indexer: a batch was committed.
    void indexed(const IndexedBatch& batch);
    // One may be there that nobody can tell of.
    void forget(WorkspaceId workspace);
    void drop_unused();

    struct Figures {
        std::size_t columns = 0, bytes = 0;
    };
    Figures figures();

  private:
    using Time = std::chrono::steady_clock;
    struct Slot {
        Order order;
        Ids ids;
        std::uint64_t version = 0;        // of the ids; of the batches that come while the order is read
        bool is_read = false;             // somebody is reading the order
        bool is_wanted = false;           // somebody has asked for it
        std::vector<IndexedBatch> missed; // while it was read
        Time::time_point asked_at;

        [[nodiscard]] std::size_t bytes() const;
    };
    using Slots = std::map<Ordinals::Key, Slot>; // ids are under the workspace alone

    const SlotBounds bounds_;
    std::mutex mutex_; // held for moments only
    Slots slots_;      // guarded by mutex_
    AttributeSets attributes_;
};

} // namespace slashpost::search
