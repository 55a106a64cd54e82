#pragma once
// How many do at once what is dear: look at a password, which takes 64 MiB and 100 ms of a processor, or wait
// for somebody else's server, for seconds. So many do, as many more wait, and whoever comes then is told to
// try again: neither the memory nor the workers can be taken up by those who know no password.
#include "core/base/errors.h"

#include <condition_variable>
#include <mutex>
#include <type_traits>

namespace slashpost {

class HashGate {
  public:
    explicit HashGate(unsigned at_once_max = 2) : at_once_max_(at_once_max) {}

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
        if (running_ >= at_once_max_ && waiting_ >= at_once_max_)
            return unavailable("Too many passwords are looked at at this moment; try again in a second.");
        ++waiting_;
        changed_.wait(lock, [&] { return running_ < at_once_max_; });
        --waiting_;
        ++running_;
        return {};
    }
    void leave() {
        const std::lock_guard lock(mutex_);
        --running_;
        changed_.notify_one();
    }

    const unsigned at_once_max_;
    std::mutex mutex_;
    std::condition_variable changed_;
    unsigned running_ = 0; // guarded by mutex_, as is the next
    unsigned waiting_ = 0;
};

} // namespace slashpost
