#include "app/admin/redirect_asker.h"

#include "core/base/errors.h"
#include "core/base/host.h"
#include "core/base/percent.h"

#include <curl/curl.h>

#include <array>
#include <fmt/format.h>
#include <new>

namespace slashpost::admin {

namespace {

constexpr long seconds_max = 20;
constexpr std::size_t location_bytes_max = 16 << 10;
constexpr std::string_view name = "location:";

// Of one line of a head.
std::size_t take_header(char* line, std::size_t size, std::size_t count, void* user) {
    auto& seen = *static_cast<SeenRedirect*>(user);
    std::string_view text(line, size * count);
    if (text.size() > name.size() && text.size() < location_bytes_max &&
        curl_strnequal(text.data(), name.data(), name.size()) != 0) {
        text.remove_prefix(name.size());
        const auto begin = text.find_first_not_of(" \t");
        const auto end = text.find_last_not_of(" \t\r\n");
        seen.location = begin == text.npos || end == text.npos ? "" : text.substr(begin, end + 1 - begin);
    }
    return size * count;
}

std::size_t pass_over(char*, std::size_t size, std::size_t count, void*) { return size * count; }

// "https", "old.example:8443"
struct Server {
    std::string scheme, authority;
};

Result<Server> parse(std::string_view text) {
    for (const std::string_view scheme : {"http", "https"}) {
        if (!text.starts_with(fmt::format("{}://", scheme)))
            continue;
        auto rest = text.substr(scheme.size() + 3);
        if (rest.ends_with('/'))
            rest.remove_suffix(1);
        if (!rest.empty() && rest.find_first_of("/?#@ \\") == rest.npos && split_authority(rest))
            return Server{.scheme = std::string(scheme), .authority = std::string(rest)};
    }
    return malformed(fmt::format("'{}' is no address of a server; give one like https://old.example", text));
}

} // namespace

struct RedirectAsker::Handle {
    Handle(Server asked, bool only_connects)
        : server(std::move(asked)),
          connects_only(only_connects),
          curl(curl_easy_init(), &curl_easy_cleanup),
          connect_to(nullptr, &curl_slist_free_all) {
        static const auto ready = curl_global_init(CURL_GLOBAL_DEFAULT); // once, before any other use
        if (ready != CURLE_OK || !curl)
            throw std::bad_alloc();
        set(CURLOPT_PROTOCOLS_STR, "http,https");
        set(CURLOPT_NOSIGNAL, 1L);
        set(CURLOPT_TIMEOUT, seconds_max);
        set(CURLOPT_USERAGENT, "slashpost-admin");
        set(CURLOPT_HEADERFUNCTION, take_header);
        set(CURLOPT_WRITEFUNCTION, pass_over);
        set(CURLOPT_ERRORBUFFER, details.data());
        if (!connects_only)
            return;
        set(CURLOPT_PROXY, "");
        const bool has_port = !split_authority(server.authority)->port.empty();
        connect_to.reset(curl_slist_append(nullptr, fmt::format("::{}{}", server.authority,
                                                                has_port                   ? ""
                                                                : server.scheme == "https" ? ":443"
                                                                                           : ":80")
                                                        .c_str()));
        set(CURLOPT_CONNECT_TO, connect_to.get());
        set(CURLOPT_SSL_VERIFYPEER, 0L);
        set(CURLOPT_SSL_VERIFYHOST, 0L);
    }
    // Fails only for options that this libcurl does not know, or without memory.
    template <class V>
    void set(CURLoption option, V value) {
        if (curl_easy_setopt(curl.get(), option, value) != CURLE_OK)
            throw std::bad_alloc();
    }

    const Server server;
    const bool connects_only;
    std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> curl;
    std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)> connect_to;
    std::array<char, CURL_ERROR_SIZE> details{};
};

RedirectAsker::RedirectAsker(std::unique_ptr<Handle> handle) : handle_(std::move(handle)) {}
RedirectAsker::RedirectAsker(RedirectAsker&& other) noexcept = default;
RedirectAsker::~RedirectAsker() = default;

Result<RedirectAsker> RedirectAsker::of(std::string_view server, bool connects_only) {
    return RedirectAsker(std::make_unique<Handle>(TRY(parse(server)), connects_only));
}

Result<SeenRedirect> RedirectAsker::ask(std::string_view host, std::string_view slashtag) {
    auto& handle = *handle_;
    auto url = fmt::format("{}://{}/", handle.server.scheme,
                           handle.connects_only ? host : std::string_view(handle.server.authority));
    append_uri_text(url, slashtag);
    SeenRedirect seen;
    handle.set(CURLOPT_URL, url.c_str());
    handle.set(CURLOPT_HEADERDATA, &seen);
    for (const bool with_body : {false, true}) { // there are servers that know no HEAD
        seen = {};
        handle.set(CURLOPT_NOBODY, with_body ? 0L : 1L);
        if (with_body)
            handle.set(CURLOPT_HTTPGET, 1L);
        handle.details[0] = '\0';
        if (const auto code = curl_easy_perform(handle.curl.get()); code != CURLE_OK)
            return unavailable(
                fmt::format("cannot ask {}: {}", url,
                            handle.details[0] != '\0' ? handle.details.data() : curl_easy_strerror(code)));
        curl_easy_getinfo(handle.curl.get(), CURLINFO_RESPONSE_CODE, &seen.status);
        if (seen.status != 405 && seen.status != 501)
            break;
    }
    return seen;
}

} // namespace slashpost::admin
