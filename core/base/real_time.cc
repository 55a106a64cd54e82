#include "core/base/real_time.h"

#include "core/base/thread_clock.h"

#include <atomic>
#include <sched.h>

namespace slashpost {

namespace {

constexpr std::chrono::milliseconds look_every{20};

std::atomic<unsigned> busy_threads = 0;

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

RealTime::~RealTime() { be_busy(false); }

void RealTime::look(Time now) {
    const auto passed = now - looked_at_;
    if (passed < look_every)
        return;
    const auto worked_now = worked(CLOCK_THREAD_CPUTIME_ID);
    const auto work = worked_now - worked_;
    looked_at_ = now;
    worked_ = worked_now;
    if (work * 2 > passed) {
        be_on(false);
        be_busy(true);
    } else if (work * 4 <= passed) {
        be_on(true);
        be_busy(false);
    }
}

bool RealTime::any_busy() { return busy_threads > 0; }

void RealTime::be_busy(bool busy) {
    if (busy == is_busy_)
        return;
    is_busy_ = busy;
    if (busy)
        ++busy_threads;
    else
        --busy_threads;
}

void RealTime::be_on(bool on) {
    if (!is_allowed_ || on == is_on_)
        return;
    is_allowed_ = set_policy(on ? SCHED_FIFO : SCHED_OTHER);
    is_on_ = on && is_allowed_;
}

} // namespace slashpost
