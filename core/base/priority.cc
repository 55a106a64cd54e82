#include "core/base/priority.h"

#include <algorithm>
#include <chrono>
#include <sched.h>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

namespace slashpost {

namespace {

constexpr int nice_of_background = 6;
constexpr auto turn = std::chrono::microseconds(100);
constexpr unsigned times_per_look = 8; // at the clock

thread_local bool takes_turns = false;

} // namespace

void take_turns() { takes_turns = true; }

// Linux has a priority for each thread. That it cannot be changed is no reason not to go on.
void step_back() {
    take_turns();
    (void)::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), nice_of_background);
}

void give_way() {
    using Time = std::chrono::steady_clock;
    thread_local Time::time_point until;
    thread_local unsigned times = 0;
    if (!takes_turns || ++times % times_per_look != 0 || Time::now() < until)
        return;
    ::sched_yield();
    until = Time::now() + turn;
}

unsigned threads_for_pieces() { return std::clamp(std::thread::hardware_concurrency(), 2U, 8U); }

} // namespace slashpost
