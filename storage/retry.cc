#include "storage/retry.h"

#include "core/base/errors.h"

#include <algorithm>
#include <chrono>
#include <random>
#include <thread>

namespace slashpost::storage {

namespace {

void pause_after(int losses) {
    thread_local std::minstd_rand random(std::random_device{}());
    const std::int64_t longest_us = std::min<std::int64_t>(50LL << losses, 20'000);
    std::this_thread::sleep_for(
        std::chrono::microseconds(std::uniform_int_distribution<std::int64_t>(0, longest_us)(random)));
}

} // namespace

Result<void> until_committed(const std::function<Result<Attempt>()>& attempt,
                             std::atomic<std::uint64_t>& lost) {
    for (int losses = 1; losses <= attempts_max; ++losses) {
        if (TRY(attempt()) == Attempt::committed)
            return {};
        lost.fetch_add(1, std::memory_order_relaxed);
        pause_after(losses);
    }
    return conflict("Others kept changing the same data; try again.");
}

} // namespace slashpost::storage
