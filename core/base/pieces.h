#pragma once
// Work that can be cut into pieces, each for a thread.
#include <algorithm>
#include <thread>

namespace slashpost {

// In how many threads to do it: as many as there are processors, but at least two, and not more than share
// one lock well.
inline unsigned threads_for_pieces() { return std::clamp(std::thread::hardware_concurrency(), 2U, 8U); }

} // namespace slashpost
