#include "http/server/metrics.h"

#include <algorithm>

namespace slashpost::http {

void DurationCounter::add(std::chrono::nanoseconds duration, std::uint64_t times) {
    const auto us = static_cast<std::uint64_t>(std::max<std::int64_t>(duration.count(), 0)) / 1000;
    buckets_[duration_bucket(us)].add(times);
    sum_us_.add(us * times);
}

void DurationCounter::collect(DurationMetrics& into) const {
    for (std::size_t i = 0; i < buckets_.size(); ++i)
        into.buckets[i] += buckets_[i].get();
    into.sum_us += sum_us_.get();
}

void IoCounters::collect(ServerMetrics& into) const {
    into.connections_accepted += accepted.get();
    into.connections_refused += refused_connections.get();
    into.connections_expired += expired.get();
    into.connections_evicted += evicted.get();
    into.handshakes += handshakes.get();
    into.handshakes_resumed += handshakes_resumed.get();
    into.handshakes_failed += handshakes_failed.get();
    for (std::size_t i = 0; i < into.api.size(); ++i) {
        into.redirects[i] += redirects[i].get();
        into.api[i] += api[i].get();
        into.refused[i] += refused[i].get();
    }
    redirect_duration.collect(into.redirect_duration);
    api_duration.collect(into.api_duration);
}

} // namespace slashpost::http
