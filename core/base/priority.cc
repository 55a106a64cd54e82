#include "core/base/priority.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

namespace slashpost {

namespace {

constexpr int nice_of_background = 6;
constexpr int nice_of_foreground = -4; // added to that of the process
constexpr auto turn = std::chrono::microseconds(100);
constexpr unsigned times_per_look = 8; // at the clock

thread_local bool takes_turns = false;

// What sched_setattr(2) takes, in its first version. The library has no declaration of it, and the kernel's
// does not go with <sched.h>.
struct Attributes {
    std::uint32_t size = sizeof(Attributes);
    std::uint32_t policy = SCHED_OTHER;
    std::uint64_t flags = 0;
    std::int32_t nice = 0;
    std::uint32_t priority = 0;
    std::uint64_t runtime = 0; // nanoseconds
    std::uint64_t deadline = 0, period = 0;
};
static_assert(sizeof(Attributes) == 48);

// Whoever asks for shorter turns may cut in on a longer one.
void ask_for_short_turns(int nice) {
    Attributes attributes;
    attributes.nice = nice;
    attributes.runtime = std::chrono::nanoseconds(turn).count();
    (void)::syscall(SYS_sched_setattr, 0, &attributes, 0);
}

} // namespace

void take_turns() { takes_turns = true; }

// Linux has a priority for each thread. That it cannot be changed is no reason not to go on.
void step_back() {
    take_turns();
    (void)::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), nice_of_background);
}

// A policy that somebody chose for the whole process stays.
void step_forward() {
    if (::sched_getscheduler(0) != SCHED_OTHER)
        return;
    const auto self = static_cast<id_t>(::gettid());
    const auto nice = ::getpriority(PRIO_PROCESS, self);
    const bool is_raised = ::setpriority(PRIO_PROCESS, self, nice + nice_of_foreground) == 0;
    ask_for_short_turns(is_raised ? ::getpriority(PRIO_PROCESS, self) : nice);
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
