#pragma once
// A handle of libcurl that goes where tenants name, and nowhere else: the address is looked at in the moment
// before the socket connects to that very one, so nothing that a name means leads anywhere but where
// `Reachable` allows. No redirect is followed; nothing is taken from the environment, neither a proxy nor
// .netrc; certificates are verified by name.
#include "app/hooks/reachable.h"

#include <array>
#include <chrono>
#include <curl/curl.h>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <string_view>

namespace slashpost::app {

// A list of libcurl's own, of headers for example.
struct FreeCurlList {
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using CurlList = std::unique_ptr<curl_slist, FreeCurlList>;

void append(CurlList& list, const std::string& text);

struct GuardOptions {
    bool plain = false;       // http, too
    std::string ca_file = {}; // of certificates to trust; empty: the system's
    std::chrono::milliseconds connect_max{5'000};
    // In place of the system's resolver, for tests: the addresses of a name, with commas between them.
    std::function<std::string(std::string_view host)> look_up = {};
};

// Each of its functions throws std::bad_alloc for want of memory. Safe to use from one thread at a time.
class GuardedHandle {
  public:
    // `reachable` outlives the handle.
    GuardedHandle(const Reachable& reachable, GuardOptions options);
    GuardedHandle(const GuardedHandle&) = delete;
    GuardedHandle& operator=(const GuardedHandle&) = delete;

    // The next transfer goes to `url`, and takes `whole_max` at most.
    void aim(const std::string& url, std::chrono::milliseconds whole_max);

    template <class V>
    void set(CURLoption option, V value) {
        if (curl_easy_setopt(curl_.get(), option, value) != CURLE_OK) // the option is not known, or no memory
            throw std::bad_alloc();
    }
    template <class V>
    [[nodiscard]] V info(CURLINFO which) const {
        V value{};
        curl_easy_getinfo(curl_.get(), which, &value);
        return value;
    }
    [[nodiscard]] CURL* get() const { return curl_.get(); }
    // Of the transfer: whether an address was not reachable.
    [[nodiscard]] bool was_refused() const { return refused_; }
    // Why it failed, in libcurl's words; may be empty.
    [[nodiscard]] std::string_view details() const { return details_.data(); }

  private:
    static curl_socket_t open_socket(void* self, curlsocktype purpose, curl_sockaddr* address);
    void pin_address(std::string_view url);

    const Reachable& reachable_;
    const GuardOptions options_;
    CurlList addresses_;
    std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> curl_;
    std::array<char, CURL_ERROR_SIZE> details_{};
    bool refused_ = false;
};

} // namespace slashpost::app
