#pragma once
// Work on a sequence of batches in several threads, such that each batch's last step comes after that of the
// batch before.
#include "core/base/errors.h"
#include "core/base/pieces.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace slashpost::admin {

// Who may take the last step.
class Turns {
  public:
    // Waits for the batches before. Fails when one of them has failed.
    Result<void> wait(std::uint64_t number) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return next_ == number || failed_; });
        return failed_ ? Result<void>(unavailable("An earlier batch failed.")) : Result<void>();
    }
    void next() {
        const std::scoped_lock lock(mutex_);
        ++next_;
        changed_.notify_all();
    }
    void fail() {
        const std::scoped_lock lock(mutex_);
        failed_ = true;
        changed_.notify_all();
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::uint64_t next_ = 0;
    bool failed_ = false;
};

// `take()` answers Result<std::optional<Batch>>, nothing at the end, and is called by one thread at a time.
// `work(batch, wait)` answers Result<void>; its `wait()`, a Result<void>, begins its last step. Fails with
// what the first batch that failed did, when no thread works any more.
template <class Take, class Work>
Result<void> work_in_order(Take take, Work work, unsigned threads = threads_for_pieces()) {
    Turns turns;
    std::mutex taking;
    std::uint64_t taken = 0; // guarded by taking
    bool ended = false;      // guarded by taking
    Result<void> outcome;    // whose turn it is writes it
    const auto work_on_one = [&]() -> Result<bool> {
        std::unique_lock lock(taking);
        if (ended)
            return false;
        const auto number = taken++;
        auto batch = take();
        ended = !batch.has_value() || !*batch;
        lock.unlock();
        const auto wait = [&] { return turns.wait(number); };
        auto done = batch.has_value() ? *batch ? work(**batch, wait) : Result<void>()
                                      : Result<void>(std::unexpected(std::move(batch).error()));
        TRY(wait());
        if (!done.has_value()) {
            outcome = std::move(done);
            turns.fail();
            return false;
        }
        turns.next();
        return true;
    };
    {
        std::vector<std::jthread> others;
        others.reserve(threads);
        for (unsigned i = 0; i < threads; ++i)
            others.emplace_back([&] {
                for (auto more = work_on_one(); more.has_value() && *more;)
                    more = work_on_one();
            });
    }
    return outcome;
}

} // namespace slashpost::admin
