#include "app/config_values.h"

#include "core/base/ascii.h"
#include "core/base/email.h"
#include "core/base/host.h"
#include "core/base/local_host.h"
#include "core/base/text.h"
#include "core/base/url.h"
#include "http/server/client_address.h"
#include "storage/open.h"

#include <CLI/StringTools.hpp>
#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <limits>

namespace slashpost::app {

std::string Endpoint::text() const {
    const bool version_6 = address.find(':') != std::string::npos;
    return version_6 ? fmt::format("[{}]:{}", address, port) : fmt::format("{}:{}", address, port);
}

Endpoint Endpoint::seen_from_here() const {
    static constexpr std::array<std::string_view, 4> local{"0.0.0.0", "::", "127.0.0.1", "::1"};
    return {.address = std::ranges::find(local, address) != local.end() ? "localhost" : address,
            .port = port};
}

std::optional<std::uint64_t> parse_number(std::string_view text, std::uint64_t min, std::uint64_t max) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < min || value > max)
        return std::nullopt;
    return value;
}

std::optional<Endpoint> parse_endpoint(std::string_view text) {
    const auto colon = text.rfind(':');
    if (colon == std::string_view::npos)
        return std::nullopt;
    const auto port = parse_number(text.substr(colon + 1), 0, std::numeric_limits<std::uint16_t>::max());
    auto address = text.substr(0, colon);
    if (!port)
        return std::nullopt;
    Endpoint endpoint{.address = "localhost", .port = static_cast<std::uint16_t>(*port)};
    if (address == endpoint.address)
        return endpoint;
    std::array<unsigned char, sizeof(in6_addr)> raw{};
    int family = AF_INET;
    if (address.starts_with('[') && address.ends_with(']')) {
        address = address.substr(1, address.size() - 2);
        family = AF_INET6;
    }
    endpoint.address = std::string(address);
    if (inet_pton(family, endpoint.address.c_str(), raw.data()) != 1)
        return std::nullopt;
    return endpoint;
}

std::optional<std::string> parse_host(std::string_view text) { return normal_host(text); }

std::optional<std::string> parse_scheme(std::string_view text) {
    auto scheme = lower_ascii(text);
    return may_set_scheme(scheme) ? std::optional(std::move(scheme)) : std::nullopt;
}

namespace {

// What follows the first of these beginnings that the text has; nothing when it has none.
std::optional<std::string_view> behind(std::string_view text,
                                       std::initializer_list<std::string_view> schemes) {
    for (const auto scheme : schemes)
        if (text.starts_with(scheme))
            return text.substr(scheme.size());
    return std::nullopt;
}

bool is_host_and_port(std::string_view text) {
    const auto authority = split_authority(text);
    return authority && normal_host(authority->host).has_value();
}

} // namespace

std::optional<std::string> parse_public_url(std::string_view text) {
    while (text.ends_with('/'))
        text.remove_suffix(1);
    const auto rest = behind(text, {"http://", "https://"});
    if (!rest || text.find_first_of("?#@\\\"' ") != text.npos || !is_utf8(text) || has_control(text) ||
        !is_host_and_port(rest->substr(0, rest->find('/'))))
        return std::nullopt;
    return std::string(text);
}

std::optional<std::string> parse_smtp_url(std::string_view text) {
    const auto rest = behind(text, {"smtp://", "smtps://"});
    return rest && is_host_and_port(*rest) ? std::optional(std::string(text)) : std::nullopt;
}

std::optional<std::string> parse_acme_directory(std::string_view text) {
    if (text == "letsencrypt")
        return "https://acme-v02.api.letsencrypt.org/directory";
    const auto rest = behind(text, {"https://"});
    return rest && is_visible_ascii(text) && text.find_first_of("#@\\\"'") == text.npos &&
                   is_host_and_port(rest->substr(0, rest->find('/')))
               ? std::optional(std::string(text))
               : std::nullopt;
}

std::optional<std::string> parse_issuer(std::string_view text) {
    const auto rest = behind(text, {"https://", "http://"});
    const auto place = rest ? rest->substr(0, rest->find('/')) : std::string_view();
    const auto host = normal_host(place);
    const bool good = rest && host && is_visible_ascii(text) && text.find_first_of("?#@\\\"'") == text.npos &&
                      is_host_and_port(place) && (text.starts_with("https://") || is_local_host(*host));
    return good ? std::optional(std::string(text)) : std::nullopt;
}

std::optional<std::string> parse_store(std::string_view text) {
    return storage::is_address_elsewhere(text) ? std::optional(std::string(text)) : std::nullopt;
}

std::optional<std::string> parse_email(std::string_view text) {
    return is_email(text) ? std::optional(std::string(text)) : std::nullopt;
}

std::optional<std::string> parse_network(std::string_view text) {
    return http::TrustedProxies::normal_network(text);
}

std::optional<std::string> parse_robots_tag(std::string_view text) {
    constexpr std::size_t bytes_max = 200;
    const bool is_plain = std::ranges::all_of(
        text, [](char c) { return ascii::is_letter_or_digit(c) || std::string_view(" ,:-").contains(c); });
    return !text.empty() && text.size() <= bytes_max && is_plain ? std::optional(std::string(text))
                                                                 : std::nullopt;
}

std::optional<std::string> parse_login(std::string_view text) {
    return is_utf8(text) && !has_control(text) ? std::optional(std::string(text)) : std::nullopt;
}

std::optional<std::vector<std::string>> parse_list(std::string_view text, ParseItem parse) {
    std::vector<std::string> list;
    if (text.empty())
        return list;
    for (const auto& given : CLI::detail::split(std::string(text), ',')) {
        auto item = parse(trim(given));
        if (!item)
            return std::nullopt;
        list.push_back(std::move(*item));
    }
    return list.size() <= list_items_max ? std::optional(std::move(list)) : std::nullopt;
}

std::optional<std::uint64_t> parse_bytes(std::string_view text, std::uint64_t min, std::uint64_t max) {
    std::uint64_t unit = 1;
    for (const auto& [suffix, size] : {std::pair{"KiB", 1ULL << 10U}, std::pair{"MiB", 1ULL << 20U}}) {
        if (text.ends_with(suffix)) {
            unit = size;
            text.remove_suffix(3);
        }
    }
    const auto count = parse_number(text, 0, max / unit);
    if (!count || *count * unit < min)
        return std::nullopt;
    return *count * unit;
}

namespace {
constexpr std::array<std::pair<std::string_view, std::uint64_t>, 3> units_of_time{
    {{"min", 60}, {"h", 3600}, {"d", 86'400}}};
} // namespace

std::optional<std::uint64_t> parse_duration(std::string_view text, std::uint64_t min, std::uint64_t max) {
    for (const auto& [suffix, seconds] : units_of_time) {
        if (!text.ends_with(suffix))
            continue;
        text.remove_suffix(suffix.size());
        const auto count = parse_number(text, 0, max / seconds);
        return count && *count * seconds >= min ? std::optional(*count * seconds) : std::nullopt;
    }
    return std::nullopt;
}

std::string duration_text(std::uint64_t seconds) {
    auto unit = units_of_time.front();
    for (const auto& larger : units_of_time)
        if (seconds % larger.second == 0)
            unit = larger;
    return fmt::format("{}{}", seconds / unit.second, unit.first);
}

} // namespace slashpost::app
