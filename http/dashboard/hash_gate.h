#pragma once
// How many passwords are looked at at once: each takes 64 MiB and 100 ms of a processor; and, by a gate of
// its own, how many wait for the provider, for seconds each. Two do, two more wait, and whoever comes then is
// told to try again, so that neither the memory nor the workers can be taken up by people who cannot sign in.
#include "core/base/errors.h"

#include <condition_variable>
#include <mutex>

namespace slashpost::dashboard {

class HashGate {
  public:
    static constexpr unsigned at_once_max = 2;
    static constexpr unsigned waiting_max = 2;

    // Runs `work`, which returns a Result<...>, when its turn comes. Fails as unavailable when too many wait.
    template <class Work>
    auto run(Work&& work) -> std::invoke_result_t<Work&> {
        TRY(enter());
        struct Leave {
            HashGate& gate;
            ~Leave() { gate.leave(); }
        } leave{*this};
        return work();
    }

  private:
    Result<void> enter() {
        std::unique_lock lock(mutex_);
        if (running_ >= at_once_max && waiting_ >= waiting_max)
            return unavailable("Too many people sign in at this moment; try again in a second.");
        ++waiting_;
        changed_.wait(lock, [&] { return running_ < at_once_max; });
        --waiting_;
        ++running_;
        return {};
    }
    void leave() {
        const std::lock_guard lock(mutex_);
        --running_;
        changed_.notify_one();
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    unsigned running_ = 0; // guarded by mutex_, as is the next
    unsigned waiting_ = 0;
};

} // namespace slashpost::dashboard
