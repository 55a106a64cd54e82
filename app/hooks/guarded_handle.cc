#include "app/hooks/guarded_handle.h"

#include "core/base/host.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <utility>

namespace slashpost::app {

void append(CurlList& list, const std::string& text) {
    auto* longer = curl_slist_append(list.get(), text.c_str());
    if (longer == nullptr)
        throw std::bad_alloc();
    static_cast<void>(list.release());
    list.reset(longer);
}

GuardedHandle::GuardedHandle(const Reachable& reachable, GuardOptions options)
    : reachable_(reachable),
      options_(std::move(options)),
      curl_(nullptr, &curl_easy_cleanup) {
    static const auto ready = curl_global_init(CURL_GLOBAL_DEFAULT); // once, before any other use
    curl_.reset(ready == CURLE_OK ? curl_easy_init() : nullptr);
    if (!curl_)
        throw std::bad_alloc();
    set(CURLOPT_ERRORBUFFER, details_.data());
    set(CURLOPT_PROTOCOLS_STR, options_.plain ? "https,http" : "https");
    set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
    set(CURLOPT_FOLLOWLOCATION, 0L);
    set(CURLOPT_PROXY, "");
    set(CURLOPT_NOPROXY, "*");
    set(CURLOPT_NETRC, static_cast<long>(CURL_NETRC_IGNORED));
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_DNS_CACHE_TIMEOUT, 0L);
    set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(options_.connect_max.count()));
    set(CURLOPT_SSL_VERIFYPEER, 1L);
    set(CURLOPT_SSL_VERIFYHOST, 2L);
    if (!options_.ca_file.empty())
        set(CURLOPT_CAINFO, options_.ca_file.c_str());
    set(CURLOPT_OPENSOCKETFUNCTION, &GuardedHandle::open_socket);
    set(CURLOPT_OPENSOCKETDATA, this);
}

void GuardedHandle::aim(const std::string& url, std::chrono::milliseconds whole_max) {
    refused_ = false;
    details_[0] = '\0';
    set(CURLOPT_URL, url.c_str()); // of which it makes a copy
    set(CURLOPT_TIMEOUT_MS, static_cast<long>(whole_max.count()));
    if (options_.look_up)
        pin_address(url);
}

// The last moment before a connection: libcurl connects to this very address.
curl_socket_t GuardedHandle::open_socket(void* self, curlsocktype purpose, curl_sockaddr* address) {
    auto& handle = *static_cast<GuardedHandle*>(self);
    if (purpose != CURLSOCKTYPE_IPCXN || !handle.reachable_.covers(&address->addr)) {
        handle.refused_ = true;
        return CURL_SOCKET_BAD;
    }
    return ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

void GuardedHandle::pin_address(std::string_view url) {
    const auto from = url.find("//") + 2;
    const auto place = url.substr(from, url.find_first_of("/?#", from) - from);
    const auto authority = split_authority(place);
    if (!authority)
        return;
    const auto port = authority->port_number().value_or(url.starts_with("https") ? 443 : 80);
    addresses_.reset();
    append(addresses_, fmt::format("{}:{}:{}", authority->host, port, options_.look_up(authority->host)));
    set(CURLOPT_RESOLVE, addresses_.get());
    set(CURLOPT_FRESH_CONNECT, 1L);
    set(CURLOPT_FORBID_REUSE, 1L);
}

} // namespace slashpost::app
