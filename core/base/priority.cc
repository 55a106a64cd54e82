#include "core/base/priority.h"

#include <sys/resource.h>
#include <unistd.h>

namespace slashpost {

namespace {
constexpr int nice_of_background = 6;
} // namespace

// Linux has a priority for each thread. That it cannot be changed is no reason not to go on.
void step_back() { (void)::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), nice_of_background); }

} // namespace slashpost
