#include "core/base/real_time.h"

#include "core/base/thread_clock.h"

#include <sched.h>

namespace slashpost {

namespace {

constexpr std::chrono::milliseconds look_every{20};

// What the thread starts is not to inherit it.
bool set_policy(int policy) {
    const sched_param rank{.sched_priority = policy == SCHED_FIFO ? 1 : 0};
    return ::sched_setscheduler(0, policy | SCHED_RESET_ON_FORK, &rank) == 0;
}

} // namespace

RealTime::RealTime()
    : is_allowed_(::sched_getscheduler(0) == SCHED_OTHER),
      looked_at_(std::chrono::steady_clock::now()),
      worked_(worked(CLOCK_THREAD_CPUTIME_ID)) {}

void RealTime::look(Time now) {
    if (!is_allowed_ || now - looked_at_ < look_every)
        return;
    const auto worked_now = worked(CLOCK_THREAD_CPUTIME_ID);
    const bool is_to_be = (worked_now - worked_) * (is_on_ ? 2 : 4) <= now - looked_at_;
    looked_at_ = now;
    worked_ = worked_now;
    if (is_to_be == is_on_)
        return;
    is_allowed_ = set_policy(is_to_be ? SCHED_FIFO : SCHED_OTHER);
    is_on_ = is_to_be && is_allowed_;
}

} // namespace slashpost
