#include "http/api/route_times.h"

#include <algorithm>

namespace slashpost::api {

RouteTimes::RouteTimes(std::span<const RouteList* const> lists) {
    for (const auto* const list : lists)
        for (const auto& route : list->routes)
            times_.try_emplace(&route);
}

void RouteTimes::add(const Route& route, std::chrono::nanoseconds took) {
    auto& times = times_.at(&route);
    const auto us = static_cast<std::uint64_t>(
        std::max<std::int64_t>(std::chrono::duration_cast<std::chrono::microseconds>(took).count(), 0));
    times.buckets.at(http::duration_bucket(us)).fetch_add(1, std::memory_order_relaxed);
    times.sum_us.fetch_add(us, std::memory_order_relaxed);
}

std::vector<http::DurationsOf> RouteTimes::by_operation() const {
    std::vector<http::DurationsOf> out;
    for (const auto& [route, times] : times_) {
        http::DurationMetrics durations;
        std::uint64_t calls = 0;
        for (std::size_t i = 0; i < durations.buckets.size(); ++i)
            calls += durations.buckets[i] = times.buckets[i].load(std::memory_order_relaxed);
        durations.sum_us = times.sum_us.load(std::memory_order_relaxed);
        if (calls > 0)
            out.push_back({.name = std::string(route->operation_id), .durations = durations});
    }
    std::ranges::sort(out, {}, &http::DurationsOf::name);
    return out;
}

} // namespace slashpost::api
