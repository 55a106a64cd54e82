#pragma once
// The thread that folds clicks into the totals about once a second while somebody looks at them, otherwise
// every few seconds together with the rollups, and bounds what a power cut can take. Whoever is about to look
// says so: the fewer folds, the more clicks of a link share a write. When many come, those that fill a batch
// do not wait: they share no more later, and less is held in the journal.
//
// Trouble (a full disk) ends nothing: the journal keeps the clicks and the next round tries again.
#include "core/clicks/click_fold.h"
#include "core/clicks/rollup_fold.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <thread>

namespace slashpost::redirect {

struct ClickAggregatorOptions {
    std::chrono::milliseconds fold_every{700};    // a turn: folds while somebody looks, or many came
    std::chrono::milliseconds rollup_every{5000}; // at the next turn after so long
    std::chrono::milliseconds sync_every{1000};
    std::function<void()> begin_thread = [] {}; // called first on the aggregator's thread
    // Told of the first failure after a success, on the aggregator's thread.
    std::function<void(const Error&)> on_trouble = [](const Error&) {};
};

class ClickAggregator {
  public:
    ClickAggregator(data::Engine& engine, data::Journal& journal, ClickAggregatorOptions options)
        : engine_(engine),
          journal_(journal),
          options_(std::move(options)),
          rollups_(engine, journal) {}
    ~ClickAggregator() { (void)stop(); }
    ClickAggregator(const ClickAggregator&) = delete;
    ClickAggregator& operator=(const ClickAggregator&) = delete;

    // Aligns the journal with the store and starts the thread, which begins with what an earlier process
    // left. To be called before anybody writes clicks. Writes nothing itself: a store that has much to merge
    // takes its time with that, and visitors are not to wait for it.
    Result<void> start();
    // Ends the thread, folds and syncs once more. To be called when nobody writes clicks any more; does
    // nothing the second time.
    Result<void> stop();
    // Somebody is about to look at totals, from any thread: after it they are at most `fold_every` old, and
    // stay so for a while. Folds when nobody has looked lately, otherwise returns at once.
    void before_reading();
    // Everything recorded before the call is in the totals and in the rollups after it. Tells of the totals.
    Result<FoldReport> fold_now();

    struct Figures {
        std::uint64_t folded = 0;    // clicks since the start
        std::uint64_t rolled_up = 0; // of them in the rollups, too
        std::uint64_t waiting = 0;   // records of the journal that are not in the rollups yet
        std::uint64_t failures = 0;  // rounds that failed
    };
    [[nodiscard]] Figures figures() const;

  private:
    Result<FoldReport> fold();
    // Folds what is there into totals and rollups.
    Result<FoldReport> fold_both();
    Result<void> fold_full_batches();
    // What the thread does in a turn, but for the sync.
    Result<void> take_turn();
    // In one go, under the lock; nothing when one of both is ahead.
    Result<std::optional<FoldReport>> fold_together(RollupFold::Extent extent);
    void run(const std::stop_token& stopping);
    [[nodiscard]] bool is_looked_at(std::int64_t now_ms) const;
    void note(const Result<void>& outcome);

    data::Engine& engine_;
    data::Journal& journal_;
    const ClickAggregatorOptions options_;

    std::mutex folding_; // one fold at a time
    RollupFold rollups_; // guarded by folding_
    std::atomic<std::uint64_t> folded_ = 0, rolled_up_ = 0, failures_ = 0;
    std::atomic<std::int64_t> looked_at_ms_ =
        -1'000'000; // steady clock: when somebody was about to look last
    // Owned by the thread.
    bool in_trouble_ = false;
    std::chrono::steady_clock::time_point roll_up_at_; // at once: what an earlier process left

    std::jthread thread_;
};

} // namespace slashpost::redirect
