#pragma once
// Writes the search index behind the rows. Whoever writes a link's row marks it (LinkTable::unindexed); the
// indexer takes marks in bounded batches, brings the index to what the rows say, and erases the marks in the
// same transaction. So it may be cut off anywhere, and a row that changes meanwhile makes its batch run
// again.
//
// A workspace with few links gets no index: its marks stay, and readers go to the rows.
#include "core/search/document.h"

#include <functional>
#include <stop_token>

namespace slashpost::search {

// From so many links on a workspace is indexed.
inline constexpr std::int64_t indexed_links_min = 1000;

// Links of one transaction, at most. The more, the more of them share the write of a term.
inline constexpr std::size_t index_batch_max = 8192;

class Indexer {
  public:
    explicit Indexer(data::Engine& engine, std::int64_t links_min = indexed_links_min,
                     std::size_t links_per_batch = index_batch_max)
        : engine_(engine),
          links_min_(links_min),
          batch_max_(links_per_batch),
          batch_(links_per_batch) {}

    // One bounded batch of the next workspace that has marks to be worked off. Returns how many were; nothing
    // when none is left in the whole store. One thread at a time. Tidies up behind many batches, which is cut
    // short when it is to stop.
    Result<std::optional<std::uint64_t>> run_batch(const std::stop_token& stopping = {});

  private:
    // One transaction; returns how many marks were worked off.
    Result<std::uint64_t> take_marked(data::Txn& txn, WorkspaceId workspace) const;
    Result<std::optional<WorkspaceId>> next_workspace();
    // Of the workspace so many marks more were erased, `all_done` if those were all.
    Result<void> tidy(WorkspaceId workspace, std::uint64_t erased, bool all_done,
                      const std::stop_token& stopping);

    data::Engine& engine_;
    std::int64_t links_min_;
    std::size_t batch_max_;
    data::Bytes next_;  // where the look for marks goes on
    std::size_t batch_; // links; fewer after a conflict
    WorkspaceId erased_in_;
    std::uint64_t erased_ = 0; // marks of that one, since they were forgotten
};

// Works off all marks there are. `progress` is told the number so far, after each batch.
Result<std::uint64_t> index_all(data::Engine& engine,
                                const std::function<Result<void>(std::uint64_t links)>& progress = {});

// Erases what the index has of the workspace, marks too, at most `max` entries; true when nothing is left.
// For workspaces whose links do not change any more.
Result<bool> erase_index(data::Txn& txn, WorkspaceId workspace, std::size_t max);
// Says of every index that it is of no use. The indexer erases those in batches, and makes new ones of what
// is marked: mark every link first (core/schema/store.h). Returns how many there were.
Result<std::uint64_t> discard_indexes(data::Engine& engine);

} // namespace slashpost::search
