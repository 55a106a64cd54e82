#pragma once
// The thread that folds clicks into the store, a moment after they happened.
//
// Trouble (a full disk) ends nothing: the journal keeps the clicks and the next round tries again.
#include "core/clicks/click_fold.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <thread>

namespace slashpost::redirect {

struct ClickAggregatorOptions {
    std::chrono::milliseconds fold_every{700};  // between two rounds
    std::uint32_t first_lane = 0;               // as first_lane_of has it
    ClickListener* listener = nullptr;          // outlives the aggregator
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
          clicks_(engine, journal, 20, options_.first_lane, options_.listener) {}
    ~ClickAggregator() { (void)stop(); }
    ClickAggregator(const ClickAggregator&) = delete;
    ClickAggregator& operator=(const ClickAggregator&) = delete;

    // Aligns the journal with the store and starts the thread, which begins with what an earlier process
    // left. To be called before anybody writes clicks. Does not fold itself: a store that has much to merge
    // takes its time with that, and visitors are not to wait for it.
    Result<void> start();
    // Ends the thread, folds and syncs once more. To be called when nobody writes clicks any more; does
    // nothing the second time.
    Result<void> stop();
    // Everything recorded before the call is counted after it.
    Result<FoldReport> fold_now();

    struct Figures {
        std::uint64_t folded = 0;   // clicks since the start
        std::uint64_t waiting = 0;  // records of the journal that are not counted yet
        double waiting_seconds = 0; // how old the oldest of them is at most; 0: none waits
        std::uint64_t failures = 0; // rounds that failed
        std::uint64_t rounds = 0;   // that did not
        double seconds = 0;         // that those took
    };
    [[nodiscard]] Figures figures() const;

  private:
    using Time = std::chrono::steady_clock;
    // What was recorded is on the disk after it, in the journal at least.
    Result<void> take_turn();
    void run(const std::stop_token& stopping);
    void note(const Result<void>& outcome);

    data::Engine& engine_;
    data::Journal& journal_;
    const ClickAggregatorOptions options_;

    std::mutex folding_; // one fold at a time
    ClickFold clicks_;   // guarded by folding_
    std::atomic<std::uint64_t> folded_ = 0, failures_ = 0, rounds_ = 0, rounds_us_ = 0;
    // When the last round that has folded everything began; of those of an earlier process: the start.
    std::atomic<Time::time_point> all_folded_at_ = Time::now();
    bool in_trouble_ = false; // owned by the thread

    std::jthread thread_;
};

} // namespace slashpost::redirect
