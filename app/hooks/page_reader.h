#pragma once
// Reads pages of the web that tenants name: core's WebPageLookup (core/access/page_lookup.h), by means of
// libcurl.
//
// It goes only where `Reachable` allows (guarded_handle.h), and looks again at each redirect: those are
// followed here, one transfer each, so that every one has its bounds and connects by the same guard. What a
// page does costs a bounded time and a bounded number of bytes. Reading holds up the thread that asks, so
// only so many are read at once, and one for each account; beyond that it fails at once, and API threads stay
// free for others.
#include "app/hooks/reachable.h"
#include "core/access/page_lookup.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace slashpost::app {

class PageReader {
  public:
    static constexpr std::size_t pages_max = 4;

    struct Options {
        std::size_t pages_max = PageReader::pages_max; // at once
        int redirects_max = 3;
        std::string ca_file = {};                   // of certificates to trust; empty: the system's
        std::chrono::milliseconds whole_max{5'000}; // with all redirects
        std::size_t page_bytes_max = 256UL * 1024;  // of what is longer, so many are taken
        std::size_t header_bytes_max = 64UL * 1024; // of each answer
        // In place of the system's resolver, for tests: the addresses of a name, with commas between them.
        std::function<std::string(std::string_view host)> look_up = {};
    };

    // `reachable` outlives it.
    PageReader(const Reachable& reachable, Options options);

    // What is at `address`, by http or https. From any thread.
    WebPageAnswer read(std::string_view address, const AccountId& account);

  private:
    class Place;
    WebPageAnswer follow(std::string address);

    const Reachable& reachable_;
    const Options options_;
    std::mutex mutex_;
    std::vector<AccountId> under_way_; // guarded by mutex_
};

} // namespace slashpost::app
