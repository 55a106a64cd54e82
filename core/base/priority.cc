#include "core/base/priority.h"

#include <algorithm>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

namespace slashpost {

namespace {
constexpr int nice_of_background = 6;
} // namespace

// Linux has a priority for each thread. That it cannot be changed is no reason not to go on.
void step_back() { (void)::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), nice_of_background); }

unsigned threads_for_pieces() { return std::clamp(std::thread::hardware_concurrency(), 2U, 8U); }

} // namespace slashpost
