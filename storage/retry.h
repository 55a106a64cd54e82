#pragma once
// Optimistic transactions: run an attempt until it commits, a bounded number of times, with growing random
// pauses so that those who collided do not collide again.
#include "core/base/result.h"

#include <atomic>
#include <cstdint>
#include <functional>

namespace slashpost::storage {

enum class Attempt { committed, lost };

inline constexpr int attempts_max = 20; // some 150 ms of pauses altogether

// Ends with the first attempt that commits or fails; fails with `conflict` when all were lost. Counts each
// lost attempt in `lost`.
Result<void> until_committed(const std::function<Result<Attempt>()>& attempt,
                             std::atomic<std::uint64_t>& lost);

} // namespace slashpost::storage
