#pragma once
// The one reader of the click journal: how clicks become totals (core/schema/click_totals.h), rollups
// (core/schema/rollups.h) and sessions, a batch at a time, each batch in one transaction.
//
// Each click counts once (journal_reader.h). Sessions are decided here, in memory only: a fold that fails and
// is done again decides the same.
#include "core/clicks/click_batch.h"
#include "core/clicks/click_listener.h"
#include "core/clicks/journal_reader.h"
#include "core/schema/recent_links.h"

namespace slashpost::redirect {

class ClickFold {
  public:
    // `session_bits` as Sessions has it; `first_lane` as first_lane_of has it; `listener` may be null.
    explicit ClickFold(data::Engine& engine, data::Journal& journal, unsigned session_bits = 20,
                       std::uint32_t first_lane = 0, ClickListener* listener = nullptr)
        : engine_(engine),
          journal_(journal),
          first_lane_(first_lane),
          listener_(listener),
          sessions_(session_bits) {}

    // Folds what is in the journal at the call, and gives its room back. One at a time. When it fails, what
    // it had committed is folded and the rest is not; call it again.
    Result<FoldReport> fold();
    // When few clicks come: gives back the memory that it takes to fold many, until there are many again.
    void give_back() {
        batch_ = ClickBatch();
        links_ = RecentLinks();
    }
    // Records that wait.
    [[nodiscard]] Result<std::uint64_t> waiting() const;
    // Folds into the rollups what an earlier version had only in the totals. Part of begin_folding.
    Result<void> close_rollup_gaps();

  private:
    enum class Into : std::uint8_t { all, rollups };
    Result<FoldReport> fold(std::vector<LaneRange> ranges, Into into);
    // Into batch_.
    Result<void> take(std::vector<LaneRange>& ranges, FoldReport& report);
    Result<void> take_lane(LaneRange& range, std::uint64_t share, FoldReport& report);
    Result<void> write(std::span<const LaneRange> ranges, Into into);
    Result<void> settle_sessions();

    data::Engine& engine_;
    data::Journal& journal_;
    const std::uint32_t first_lane_;
    ClickListener* const listener_;
    bool is_heard_ = false; // somebody listens to the batch
    Sessions sessions_;
    ClickBatch batch_;                  // of one transaction, in the same memory as the one before
    RecentLinks links_;                 // what it comes to, likewise
    std::vector<LaneRange> deciding_;   // what sessions_ has decided on that may not be committed
    std::vector<std::uint32_t> clocks_; // by lane: the latest time read
};

// To be called once after opening, before anybody writes clicks: brings the journal and the store to where
// both can go on. Writes to the store only when an earlier version used it last.
Result<void> begin_folding(data::Engine& engine, data::Journal& journal, std::uint32_t first_lane = 0);

} // namespace slashpost::redirect
