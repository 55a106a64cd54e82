#include "core/visitors/visitor.h"

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/visitors/languages.h"

#include <algorithm>
#include <arpa/inet.h>
#include <bit>
#include <optional>

namespace slashpost::redirect {

namespace {

constexpr std::size_t referrer_bytes_max = 1024;
constexpr std::array<std::uint8_t, 12> v4_prefix{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

// The host of an address without its scheme: what stands before the port, behind the user. Nothing when its
// end is not within sight.
std::optional<std::string_view> host_behind_scheme(std::string_view rest) {
    const auto seen = rest.substr(0, referrer_bytes_max);
    const auto end = seen.find_first_of("/?#\\");
    if (end == seen.npos && rest.size() > seen.size())
        return std::nullopt;
    auto host = seen.substr(0, end);
    if (const auto at = host.rfind('@'); at != host.npos)
        host.remove_prefix(at + 1);
    return host.substr(0, host.find(':'));
}

std::optional<std::string_view> referring_host(std::string_view referrer) {
    constexpr std::string_view http = "http:";
    constexpr std::string_view https = "https:";
    for (const auto scheme : {http, https})
        if (referrer.size() > scheme.size() + 2 && referrer.substr(scheme.size(), 2) == "//" &&
            std::ranges::equal(scheme, referrer.substr(0, scheme.size()), {}, {}, ascii::lower))
            return host_behind_scheme(referrer.substr(scheme.size() + 2));
    return std::nullopt;
}

// Without the dot at the end that names the root.
std::string_view without_root(std::string_view host) {
    return host.ends_with('.') ? host.substr(0, host.size() - 1) : host;
}

bool is_name(std::string_view host) {
    if (host.empty() || host.size() > 253)
        return false;
    while (!host.empty()) {
        const bool last = host.find('.') == host.npos;
        const auto label = take_until(host, '.');
        if (label.empty() || (!last && host.empty()) || !std::ranges::all_of(label, [](char c) {
                return ascii::is_letter_or_digit(c) || c == '-' || c == '_';
            }))
            return false;
    }
    return true;
}

bool same(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b, {}, ascii::lower, ascii::lower);
}

// "www.example.com" is "example.com"; "www.com" is a name of its own.
std::string_view without_www(std::string_view host) {
    if (host.size() > 4 && same(host.substr(0, 4), "www.") && host.find('.', 4) != host.npos)
        host.remove_prefix(4);
    return host;
}

} // namespace

Address Address::of(std::string_view text) noexcept {
    std::array<char, INET6_ADDRSTRLEN> ended{};
    Address address;
    if (text.empty() || text.size() >= ended.size())
        return address;
    std::ranges::copy(text, ended.begin());
    std::ranges::copy(v4_prefix, address.bytes.begin());
    address.known = ::inet_pton(AF_INET, ended.data(), &address.bytes[v4_prefix.size()]) == 1 ||
                    ::inet_pton(AF_INET6, ended.data(), address.bytes.data()) == 1;
    return address.known ? address : Address{};
}

bool Address::is_v4() const noexcept {
    return std::ranges::equal(v4_prefix, std::span(bytes).first<v4_prefix.size()>());
}

Address Address::network() const noexcept {
    Address network = *this;
    if (!is_v4())
        std::fill(network.bytes.begin() + 8, network.bytes.end(), std::uint8_t{0});
    return network;
}

std::string Address::text() const {
    std::array<char, INET6_ADDRSTRLEN> out{};
    if (known)
        ::inet_ntop(is_v4() ? AF_INET : AF_INET6, bytes.data() + (is_v4() ? v4_prefix.size() : 0), out.data(),
                    out.size());
    return out.data();
}

LanguageCode first_language(std::string_view accept_language) noexcept {
    const auto language = preferred_language(accept_language);
    auto code = LanguageCode::of(language.substr(0, language.find('-')));
    std::ranges::transform(code.bytes, code.bytes.begin(), ascii::lower);
    return code;
}

ReferrerHost referrer_host(std::string_view referrer, std::string_view own_host) noexcept {
    if (referrer.empty())
        return {};
    const auto found = referring_host(referrer);
    if (!found)
        return {};
    auto host = without_www(without_root(*found));
    if (!is_name(host) || same(host, without_www(without_root(own_host.substr(0, own_host.find(':'))))))
        return {};
    constexpr auto room = ReferrerHost{}.bytes.size();
    while (host.size() > room && host.find('.') != host.npos)
        host.remove_prefix(host.find('.') + 1);
    if (host.size() > room)
        return {};
    auto code = ReferrerHost::of(host);
    std::ranges::transform(code.bytes, code.bytes.begin(), ascii::lower);
    return code;
}

std::uint64_t VisitorHasher::hash(const Address& address, std::uint64_t agent_mark, Timestamp now) noexcept {
    if (!address.known)
        return 0;
    std::array<char, sizeof address.bytes + sizeof agent_mark> text{};
    std::ranges::copy(std::bit_cast<std::array<char, 16>>(address.bytes), text.begin());
    std::ranges::copy(std::bit_cast<std::array<char, 8>>(agent_mark), text.begin() + sizeof address.bytes);
    return std::max<std::uint64_t>(siphash(key_at(now), {text.data(), text.size()}), 1);
}

SipKey VisitorHasher::key_at(Timestamp now) noexcept {
    for (;;) {
        const auto version = version_.load(std::memory_order_acquire);
        const auto age = now.ms - made_at_ms_.load(std::memory_order_relaxed);
        const SipKey key{key_low_.load(std::memory_order_relaxed), key_high_.load(std::memory_order_relaxed)};
        std::atomic_thread_fence(std::memory_order_acquire);
        if (version % 2 != 0 || version != version_.load(std::memory_order_relaxed))
            continue; // another thread is at it, for some instructions
        // A clock that was set back by as much ends a key too.
        if (version != 0 && age < key_ms_ && age > -key_ms_)
            return key;
        renew(now);
    }
}

void VisitorHasher::renew(Timestamp now) noexcept {
    const std::lock_guard lock(renewing_);
    const auto age = now.ms - made_at_ms_.load(std::memory_order_relaxed);
    if (version_.load(std::memory_order_relaxed) != 0 && age < key_ms_ && age > -key_ms_)
        return; // another thread was quicker
    std::array<std::uint8_t, sizeof(SipKey)> bytes{};
    random_.fill(bytes);
    const auto key = std::bit_cast<SipKey>(bytes);
    version_.fetch_add(1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    made_at_ms_.store(now.ms, std::memory_order_relaxed);
    key_low_.store(key.low, std::memory_order_relaxed);
    key_high_.store(key.high, std::memory_order_relaxed);
    version_.fetch_add(1, std::memory_order_release);
}

} // namespace slashpost::redirect
