#pragma once
// What a visitor asked for, taken apart without allocating: which host, and which slashtag on it.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace slashpost {
struct SlashtagRules;
} // namespace slashpost

namespace slashpost::redirect {

// Longer ones cannot be found; what a domain allows is shorter by far.
inline constexpr std::size_t slashtag_bytes_max = 255;

// Room for the normal form of what is looked up.
using AddressBuffer = std::array<char, 264>;

// The Host header in the form in which domains are registered, as far as a host in a header can need it:
// lower case, without a trailing dot, without port 80 or 443. Empty when it cannot be a domain's name.
[[nodiscard]] std::string_view visited_host(std::string_view host, AddressBuffer& buffer);

enum class PathKind {
    slashtag,                // or what could be one
    below,                   // one with a slash and more behind it (core/redirect/below.h)
    slashtag_and_parameters, // one with "&utm_source=x" glued to it, where "?" was meant
    preview,                 // one with "+" behind it
    qr_code,                 // one with ".qr" behind it
    home,                    // "/", or nothing but punctuation
    robots,                  // "/robots.txt"
    favicon,                 // "/favicon.ico"
    well_known,              // "/.well-known" and all below
    other, // nothing that this server could ever have: more slashes, characters outside the pattern
};

enum class Case : std::uint8_t { ignored, minded };

// What the slashtags of a domain look like, as far as it says how one is looked up.
struct SlashtagForm {
    Case letters = Case::ignored;
    bool any_script =
        false; // they may have letters of all scripts, and slashes within (SlashtagCharset::unicode)
    bool operator==(const SlashtagForm&) const = default;
    static SlashtagForm of(const SlashtagRules& rules);
};

struct VisitedPath {
    PathKind kind = PathKind::other;
    std::string_view slashtag; // in `buffer`, in the form in which it is stored; without what is behind it
    // As sent: with slashtag_and_parameters those, without the "&" in front; with `below` what is behind the
    // slash.
    std::string_view rest;
};

// `path` is still percent-encoded. Undoes the encoding of characters that a slashtag may have. What mail
// programs and chats glue to an address is no part of it: repeated slashes in front of it, punctuation and
// white space behind it, invisible characters anywhere (wire "The visitor's side"). No slashtag has any of
// those, so nothing that exists is hidden by this. The kind is never `below`: what is, is `other`.
[[nodiscard]] VisitedPath visited_path(std::string_view path, SlashtagForm form, AddressBuffer& buffer);

} // namespace slashpost::redirect
