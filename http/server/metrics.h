#pragma once
// What the server counts about itself. Each I/O thread writes its own counters, without locks; reading adds
// them up. Nothing here depends on who asked for what: no host, slashtag or key.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace slashpost::http {

// Upper bounds of the buckets of every duration, in microseconds; one more bucket lies above them.
inline constexpr std::array<std::uint32_t, 15> duration_bounds_us{
    25,     50,     100,    250,     500,     1'000,     2'500,    5'000,
    10'000, 25'000, 50'000, 100'000, 250'000, 1'000'000, 5'000'000};

// A snapshot, added up over all threads.
struct DurationMetrics {
    std::array<std::uint64_t, duration_bounds_us.size() + 1> buckets{}; // not cumulative
    std::uint64_t sum_us = 0;
};

// How long what is called so took.
struct DurationsOf {
    std::string name;
    DurationMetrics durations;
};

// The bucket for that many microseconds; the last one is that above all bounds.
inline std::size_t duration_bucket(std::uint64_t us) {
    const auto bound = std::ranges::find_if(duration_bounds_us, [us](std::uint32_t b) { return us <= b; });
    return static_cast<std::size_t>(bound - duration_bounds_us.begin());
}

struct ServerMetrics {
    using ByClass = std::array<std::uint64_t, 6>; // index: status / 100

    std::uint64_t connections_accepted = 0;
    std::uint64_t connections_refused = 0; // no room, or an error while accepting
    std::uint64_t connections_expired = 0; // closed because a deadline had passed
    std::uint64_t connections_evicted = 0; // closed to make room for others
    std::uint64_t connections_open = 0;
    std::uint64_t connections_max = 0;
    std::uint64_t handshakes = 0; // of TLS, finished
    std::uint64_t handshakes_resumed = 0;
    std::uint64_t handshakes_failed = 0; // or given up
    ByClass redirects{};                 // answers to visitors
    ByClass api{};                       // answers of the API
    ByClass refused{};                   // answers the server gave by itself: broken, too large, too slow
    DurationMetrics redirect_duration;   // turn begun to answer sent
    DurationMetrics api_duration;        // request complete to answer ready to send
    std::uint64_t queue_depth = 0;       // API requests waiting for a worker
    std::uint64_t queue_max = 0;
    std::uint64_t workers_busy = 0;
    std::uint64_t workers = 0;
    std::uint64_t visitors_waiting = 0; // for a worker that makes their page
    std::uint64_t visitor_workers_busy = 0;
    std::uint64_t shed = 0; // API requests turned away, as too many waited
    std::uint64_t visitors_shed = 0;
};

// A number written by one thread and read by any.
class Counter {
  public:
    void add(std::uint64_t n = 1) { value_.store(get() + n, std::memory_order_relaxed); }
    [[nodiscard]] std::uint64_t get() const { return value_.load(std::memory_order_relaxed); }

  private:
    std::atomic<std::uint64_t> value_{0};
};

class DurationCounter {
  public:
    // Records `times` things that took `duration` each.
    void add(std::chrono::nanoseconds duration, std::uint64_t times = 1);
    void collect(DurationMetrics& into) const;

  private:
    std::array<Counter, duration_bounds_us.size() + 1> buckets_;
    Counter sum_us_;
};

struct alignas(64) IoCounters {
    Counter accepted;
    Counter refused_connections;
    Counter expired;
    Counter evicted;
    Counter handshakes;
    Counter handshakes_resumed; // of these
    Counter handshakes_failed;
    std::array<Counter, 6> redirects;
    std::array<Counter, 6> api;
    std::array<Counter, 6> refused;
    DurationCounter redirect_duration;
    DurationCounter api_duration;

    void collect(ServerMetrics& into) const;
};

inline void count_status(std::array<Counter, 6>& by_class, unsigned status, std::uint64_t n = 1) {
    by_class[status / 100 < 6 ? status / 100 : 5].add(n);
}

} // namespace slashpost::http
