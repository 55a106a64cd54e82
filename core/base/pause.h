#pragma once
// The waiting of threads that look at something now and then.
#include <chrono>
#include <stop_token>

namespace slashpost {

// Waits so long, or until the thread is asked to stop, whichever comes first.
void pause(const std::stop_token& stopping, std::chrono::milliseconds duration);

} // namespace slashpost
