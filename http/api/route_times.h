#pragma once
// How long the calls of each route took. Written by any thread, without locks.
#include "http/api/route.h"
#include "http/server/metrics.h"

#include <array>
#include <atomic>
#include <chrono>
#include <map>
#include <span>
#include <vector>

namespace slashpost::api {

class RouteTimes {
  public:
    explicit RouteTimes(std::span<const RouteList* const> lists);

    // `route` is of one of the lists.
    void add(const Route& route, std::chrono::nanoseconds took);
    // By the names of operations; of routes that were called, so that what nobody uses costs nothing.
    [[nodiscard]] std::vector<http::DurationsOf> by_operation() const;

  private:
    struct Times {
        std::array<std::atomic<std::uint64_t>, http::duration_bounds_us.size() + 1> buckets{};
        std::atomic<std::uint64_t> sum_us = 0;
    };
    std::map<const Route*, Times> times_; // its keys are set once
};

} // namespace slashpost::api
