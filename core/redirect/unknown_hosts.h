#pragma once
// Hosts that visitors ask for and no domain here answers: as a rule a domain that somebody forgot to make or
// to verify, or a proxy that does not send on the host it was asked for. For a log that tells each once a
// minute.
#include "core/base/time.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace slashpost::redirect {

enum class HostIs : std::uint8_t {
    unknown,
    out_of_service // a domain, but not active, or revoked
};

class UnknownHosts {
  public:
    static constexpr std::size_t hosts_max = 20; // that are remembered at once; others are counted together
    static constexpr std::int64_t told_every_seconds = 60;

    // From any thread; never waits, so that now and then one is not noted.
    void note(std::string_view host, HostIs what) noexcept;

    struct News {
        std::string host; // in lower case; empty: of all that there was no room for
        HostIs what = HostIs::unknown;
        std::uint64_t visits = 0; // since it was told last
    };
    // What is to be told now, each host once a minute. Forgets those that nobody asked for in that time.
    std::vector<News> take(Timestamp now);

  private:
    struct Known {
        HostIs what = HostIs::unknown;
        std::uint64_t visits = 0;
        Timestamp told; // 1970: never
    };
    std::mutex mutex_;
    std::map<std::string, Known, std::less<>> hosts_; // guarded by mutex_, as what follows
    Known others_;
};

} // namespace slashpost::redirect
