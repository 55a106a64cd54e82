#pragma once
// How clicks become rollups (core/schema/rollups.h): some seconds after they happened, so that many clicks
// share a write.
//
// Each click counts once, as with the totals (journal_reader.h). Sessions are decided here, in memory only:
// a fold that fails and is done again decides the same.
#include "core/clicks/journal_reader.h"
#include "core/clicks/rollup_batch.h"
#include "core/schema/recent_links.h"

namespace slashpost::redirect {

class RollupFold {
  public:
    // `session_bits` as Sessions has it.
    explicit RollupFold(data::Engine& engine, data::Journal& journal, unsigned session_bits = 20)
        : engine_(engine),
          journal_(journal),
          sessions_(session_bits) {}

    // `totals`: what is in the rollups is in the totals already, whenever one looks.
    enum class Upto : std::uint8_t { journal_end, totals };
    // Folds what is in the journal at the call into the rollups. One at a time. When it fails, what it had
    // committed is folded and the rest is not; call it again.
    Result<FoldReport> fold(Upto upto = Upto::journal_end);
    // `full_batches`: leaves what does not fill a batch, so that more of it will share a write.
    enum class Extent : std::uint8_t { all, full_batches };
    // The same, into the totals too: the journal is read once, and a link is written once. Does nothing and
    // answers nothing when the totals stand at other records than the rollups.
    Result<std::optional<FoldReport>> fold_with_totals(Extent extent = Extent::all);
    // When few clicks come: gives back the memory that it takes to fold many, until there are many again.
    void give_back() {
        batch_ = RollupBatch();
        links_ = RecentLinks();
    }
    // Records that wait.
    [[nodiscard]] Result<std::uint64_t> waiting() const;

  private:
    enum class Into : std::uint8_t { rollups, rollups_and_totals };
    Result<FoldReport> fold(std::vector<LaneRange> ranges, Into into, std::uint64_t records_min);
    // Into batch_.
    Result<void> take(std::vector<LaneRange>& ranges, FoldReport& report);
    Result<void> take_lane(LaneRange& range, std::uint64_t share, FoldReport& report);
    Result<void> write(const std::vector<LaneRange>& ranges, Into into);
    Result<void> settle_sessions();

    data::Engine& engine_;
    data::Journal& journal_;
    Sessions sessions_;
    RollupBatch batch_;                 // of one transaction, in the same memory as the one before
    RecentLinks links_;                 // what it comes to, likewise
    std::vector<LaneRange> deciding_;   // what sessions_ has decided on that may not be committed
    std::vector<std::uint32_t> clocks_; // by lane: the latest time read
};

// To be called once after opening, before anybody writes clicks: brings the journal and both readers to where
// each can go on, so that what is left of a lane is counted by both. Writes to the store only when the disk
// lost records that it had confirmed.
Result<void> align_readers(data::Engine& engine, data::Journal& journal);

} // namespace slashpost::redirect
