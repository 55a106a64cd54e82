#pragma once
// How long threads have worked.
#include <chrono>
#include <ctime>

namespace slashpost {

// What the thread of that clock has had of processors so far (CLOCK_THREAD_CPUTIME_ID: the calling one).
inline std::chrono::nanoseconds worked(clockid_t clock) {
    timespec time{};
    (void)::clock_gettime(clock, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

} // namespace slashpost
