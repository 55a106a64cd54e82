#include "core/access/rate_limit.h"

#include <algorithm>

namespace slashpost {

RateLimiter::Verdict RateLimiter::take(std::string_view caller, Timestamp now, const OwnRate& own) {
    return count(caller, now, own, 1);
}

RateLimiter::Verdict RateLimiter::look(std::string_view caller, Timestamp now) {
    return count(caller, now, {}, 0);
}

RateLimiter::Verdict RateLimiter::count(std::string_view caller, Timestamp now, const OwnRate& own,
                                        std::uint32_t requests) {
    const auto limit = own.requests.value_or(options_.requests);
    const std::int64_t period_ms = std::int64_t{own.period_seconds.value_or(options_.period_seconds)} * 1000;
    if (limit == 0 || period_ms == 0)
        return {.allowed = true,
                .limit = unlimited,
                .remaining = unlimited,
                .reset_unix_seconds = (now.ms + period_ms) / 1000};

    auto& shard = shards_[std::hash<std::string_view>{}(caller) % shards_.size()];
    const std::lock_guard lock(shard.mutex);
    std::string name(caller);
    if (!shard.windows.contains(name))
        make_room(shard, now);
    auto& window = shard.windows[std::move(name)];
    // A clock that jumped back begins a new window too, so nobody is locked out until it has caught up; so
    // does another period, when the plan changed.
    if (now.ms < window.begin_ms || now.ms >= window.end_ms || window.end_ms - window.begin_ms != period_ms)
        window = {.begin_ms = now.ms, .end_ms = now.ms + period_ms, .used = 0};
    const bool allowed = window.used < limit;
    if (allowed)
        window.used += requests;
    return {.allowed = allowed,
            .limit = limit,
            .remaining = limit - std::min(limit, window.used),
            .reset_unix_seconds = (window.end_ms + 999) / 1000,
            .period_seconds = static_cast<std::uint32_t>(period_ms / 1000)};
}

void RateLimiter::make_room(Shard& shard, Timestamp now) const {
    if (shard.windows.size() < options_.callers_max / shards_.size())
        return;
    std::erase_if(shard.windows, [&](const auto& entry) { return entry.second.end_ms <= now.ms; });
    if (shard.windows.size() >= options_.callers_max / shards_.size())
        shard.windows.erase(shard.windows.begin());
}

} // namespace slashpost
