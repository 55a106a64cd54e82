#include "core/base/pause.h"

#include <condition_variable>
#include <mutex>

namespace slashpost {

void pause(const std::stop_token& stopping, std::chrono::milliseconds duration) {
    std::mutex mutex;
    std::condition_variable_any wake; // by the token alone
    std::unique_lock lock(mutex);
    wake.wait_for(lock, stopping, duration, [] { return false; });
}

} // namespace slashpost
