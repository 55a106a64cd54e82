#pragma once
// Requests per caller and period: a fixed window for each caller (wire "Rate limits").
#include "core/base/time.h"

#include <array>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace slashpost {

// What a caller's plan says instead of the limiter's options; nothing: as they say.
struct OwnRate {
    std::optional<std::uint32_t> requests; // 0: no limit
    std::optional<std::uint32_t> period_seconds;
};

class RateLimiter {
  public:
    struct Options {
        std::uint32_t requests = 6000; // per period and caller; 0: no limit
        std::uint32_t period_seconds = 60;
        std::size_t callers_max = 100'000; // remembered at once; beyond that ended windows go, then any
    };
    // What the headers of every answer say of it (interface 8, wire "Rate limits").
    struct Verdict {
        bool allowed = true;
        std::uint32_t limit = 0;
        std::uint32_t remaining = 0;
        std::int64_t reset_unix_seconds = 0;
        std::uint32_t period_seconds = 0; // 0 without a limit
    };
    static constexpr std::uint32_t unlimited = 2'147'483'647;

    explicit RateLimiter(Options options) : options_(options) {}

    // Counts one request of `caller` and says whether it may go on. Safe to call from any thread.
    Verdict take(std::string_view caller, Timestamp now, const OwnRate& own = {});
    // What `take` would find, without counting.
    Verdict look(std::string_view caller, Timestamp now);

  private:
    struct Window {
        std::int64_t begin_ms = 0;
        std::int64_t end_ms = 0;
        std::uint32_t used = 0;
    };
    struct Shard {
        std::mutex mutex;
        std::unordered_map<std::string, Window> windows; // guarded by mutex
    };

    Verdict count(std::string_view caller, Timestamp now, const OwnRate& own, std::uint32_t requests);
    void make_room(Shard& shard, Timestamp now) const;

    Options options_;
    std::array<Shard, 16> shards_;
};

} // namespace slashpost
