#pragma once
// Links that an import puts in place all at once (core/data/filling.h), in a folder of the tool's own: with
// their search index, which is made beside, and how far the import has come then. Dropped, it leaves nothing
// behind.
#include "app/admin/house.h"
#include "core/ops/link_imports.h"
#include "core/schema/imports.h"

#include <condition_variable>
#include <deque>
#include <memory>
#include <thread>

namespace slashpost::admin {

class ImportFill {
  public:
    // Nothing when the workspace's index cannot be added to now.
    static Result<std::unique_ptr<ImportFill>> begin(House& house, WorkspaceId workspace);
    ImportFill(const ImportFill&) = delete;
    ImportFill& operator=(const ImportFill&) = delete;
    ~ImportFill();

    // As import_links. From any thread. What it refuses may be half there, so that the fill is to be dropped.
    Result<std::vector<ImportOutcome>> make(Context& ctx, std::span<const ImportedLink> links);
    // Takes made links to the index. Waits while that is behind. From one thread at a time.
    Result<void> index(std::vector<ImportOutcome> made);
    // When all are made: refused with LimitReached when the plan includes less than so many more links and
    // the tags that were made.
    Result<void> check_limits(Context& ctx, std::int64_t links);
    // Puts everything in place, with the state of the import.
    Result<void> finish(data::BytesView import, const ImportState& state);

  private:
    ImportFill(House& house, WorkspaceId workspace, std::unique_ptr<data::Fill> fill);
    Result<void> make_index();
    // The next ones to index; none at the end.
    std::vector<ImportOutcome> next_made();
    void end_index();

    House& house_;
    const WorkspaceId workspace_;
    const std::unique_ptr<data::Fill> fill_;
    data::Filling filling_;
    std::mutex making_tags_;
    std::set<std::string, std::less<>> tags_; // guarded by making_tags_

    std::mutex mutex_;
    std::condition_variable changed_;
    // Guarded by mutex_.
    std::deque<std::vector<ImportOutcome>> made_; // that the index does not know
    bool ended_ = false;                          // there will be no more
    Result<void> indexed_;                        // what became of it
    std::jthread thread_;                         // last: it uses the others
};

} // namespace slashpost::admin
