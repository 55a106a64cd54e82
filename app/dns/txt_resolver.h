#pragma once
// Looks up TXT records: core's TxtLookup (core/access/txt_lookup.h), by means of c-ares.
//
// A look-up has an end: after `timeout` it fails, whatever servers do. It holds up the thread that asks, so
// only so many may be under way at once; beyond that one fails at once, and API threads stay free for others.
// Truncated answers are asked for again over TCP; no answer is longer than 64 KiB, which bounds what is kept.
#include "core/base/result.h"

#include <atomic>
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace slashpost::dns {

class TxtResolver {
  public:
    struct Options {
        std::string server; // "127.0.0.1:53" or "[::1]:53"; empty: those of the system (/etc/resolv.conf)
        std::chrono::milliseconds timeout{5'000};
        int lookups_max = 4; // at once
    };

    explicit TxtResolver(Options options);

    // The texts of the TXT records at `name`; none when the DNS says that there are none. `name` has only
    // letters, digits, hyphens, underscores and dots. Fails as unavailable when there is no answer in time,
    // when the answer cannot be read, or when too many look-ups are under way. From any thread.
    Result<std::vector<std::string>> look_up(std::string_view name);

  private:
    const Options options_;
    std::atomic<int> under_way_ = 0;
};

} // namespace slashpost::dns
