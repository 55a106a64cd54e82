#pragma once
// How the text of a setting becomes a value: numbers within bounds, sizes, addresses, hosts, schemes, lists.
// Nothing is guessed: text that is not wholly of the form is refused. settings.cc says what a value is for.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slashpost::app {

// Where to listen. `address` is a numeric IPv4 or IPv6 address without brackets, or "localhost" for both
// loopbacks; port 0 takes a free one.
struct Endpoint {
    std::string address = "localhost";
    std::uint16_t port = 0;
    bool operator==(const Endpoint&) const = default;
    // "127.0.0.1:8080", "[::1]:8080".
    [[nodiscard]] std::string text() const;
    // What a browser on this machine calls it: of all addresses, and of the loopbacks, "localhost".
    [[nodiscard]] Endpoint seen_from_here() const;
};

// Decimal digits only, min to max.
std::optional<std::uint64_t> parse_number(std::string_view text, std::uint64_t min, std::uint64_t max);
// "1048576", "512KiB", "1MiB".
std::optional<std::uint64_t> parse_bytes(std::string_view text, std::uint64_t min, std::uint64_t max);
// Seconds: "30min", "1h", "2d".
std::optional<std::uint64_t> parse_duration(std::string_view text, std::uint64_t min, std::uint64_t max);
// The shortest such text of whole minutes.
std::string duration_text(std::uint64_t seconds);
// "127.0.0.1:8080", "[::1]:8080", "localhost:8080".
std::optional<Endpoint> parse_endpoint(std::string_view text);
// The normal form of a host name, with its port unless that is 80 or 443 (core/base/host.h).
std::optional<std::string> parse_host(std::string_view text);
// A scheme in lower case that a destination may have; those that run code in a browser never pass.
std::optional<std::string> parse_scheme(std::string_view text);
// "https://Api.example.com/" -> "https://Api.example.com": an http or https address without user, query and
// fragment.
std::optional<std::string> parse_public_url(std::string_view text);
// "smtp://mail.example.com:587": scheme, host and perhaps port, nothing else.
std::optional<std::string> parse_smtp_url(std::string_view text);
// The directory of a certificate authority: an https address without user and fragment; "letsencrypt" is that
// of Let's Encrypt.
std::optional<std::string> parse_acme_directory(std::string_view text);
// The issuer of a provider of OpenID Connect as it stands: an https address without user, query and fragment,
// or an http one of this machine.
std::optional<std::string> parse_issuer(std::string_view text);
// An address of a store, without a password.
std::optional<std::string> parse_store(std::string_view text);
std::optional<std::string> parse_email(std::string_view text);
// "10.0.0.0/8", "2001:db8::/32" or a lone address, in normal form; never the network of everybody.
std::optional<std::string> parse_network(std::string_view text);
// Of a header that search engines read: "noindex, nofollow", in ASCII letters, digits and " ,:-", at most 200
// characters.
std::optional<std::string> parse_robots_tag(std::string_view text);
std::optional<std::string> parse_login(std::string_view text); // without control characters
// "a, B" -> {"a", "b"}; nothing when an item cannot be read or there are too many. Empty text: empty list.
inline constexpr std::size_t list_items_max = 64;
using ParseItem = std::optional<std::string> (*)(std::string_view);
std::optional<std::vector<std::string>> parse_list(std::string_view text, ParseItem parse);

} // namespace slashpost::app
