#pragma once
// The search index of links that come with a fill (core/data/filling.h), so that no marks are needed: it is
// in place when they are.
#include "core/data/filling.h"
#include "core/schema/spaces.h"
#include "core/search/index_batch.h"

#include <array>
#include <optional>

namespace slashpost::search {

// What a Filling has to do for that.
inline constexpr std::array index_fill_rules{
    data::FillRuleOf{.space = space::unindexed, .rule = data::FillRule::none},
    data::FillRuleOf{.space = space::documents, .rule = data::FillRule::rows}};

// Whether the workspace's index can be added to: one that was discarded is made anew from marks.
Result<bool> takes_more(data::View& view, WorkspaceId workspace);

class IndexFill {
  public:
    // `txn` is one of the Filling, and outlives this. Links of a batch share the write of a term.
    IndexFill(data::Txn& txn, WorkspaceId workspace, std::size_t links_per_batch)
        : txn_(txn),
          workspace_(workspace),
          batch_links_(links_per_batch) {}

    // A new link of the workspace.
    Result<void> take(const Link& link);
    // Writes what is left.
    Result<void> finish();

  private:
    data::Txn& txn_;
    WorkspaceId workspace_;
    std::size_t batch_links_;
    std::size_t links_ = 0; // in batch_
    std::optional<IndexBatch> batch_;
};

} // namespace slashpost::search
