#include "app/background.h"

#include <sys/resource.h>
#include <unistd.h>

namespace slashpost::app {

// Linux has a niceness for each thread.
void lower_priority() {
    (void)::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), background_niceness);
}

} // namespace slashpost::app
