#pragma once
// How the text of a setting becomes a value: numbers within bounds, sizes, addresses, hosts, schemes, lists.
// Nothing is guessed: text that is not wholly of the form is refused. config.cc says what a value is for.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slashpost::app {

// Where to listen. `address` is a numeric IPv4 or IPv6 address without brackets; port 0 takes a free one.
struct Endpoint {
    std::string address = "127.0.0.1";
    std::uint16_t port = 0;
    bool operator==(const Endpoint&) const = default;
    // "127.0.0.1:8080", "[::1]:8080".
    [[nodiscard]] std::string text() const;
};

// Decimal digits only, min to max.
std::optional<std::uint64_t> parse_number(std::string_view text, std::uint64_t min, std::uint64_t max);
// "1048576", "512KiB", "1MiB".
std::optional<std::uint64_t> parse_bytes(std::string_view text, std::uint64_t min, std::uint64_t max);
// "127.0.0.1:8080", "[::1]:8080", "localhost:8080".
std::optional<Endpoint> parse_endpoint(std::string_view text);
// A host name, optionally with a port: letters, digits, dots and dashes only, since it goes into addresses.
bool is_host(std::string_view text);
// A lower-case scheme that a destination may have; those that run code in a browser never pass.
bool is_scheme(std::string_view text);
// "a, B" -> {"a", "b"}; nothing when an item does not pass or there are more than 64. Empty text: empty list.
std::optional<std::vector<std::string>> parse_list(std::string_view text, bool (*passes)(std::string_view));

} // namespace slashpost::app
