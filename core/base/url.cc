#include "core/base/url.h"

#include "core/base/ascii.h"
#include "core/base/errors.h"
#include "core/base/host.h"
#include "core/base/hostless.h"
#include "core/base/percent.h"
#include "core/base/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>

namespace slashpost {

namespace {

// Those a browser reads leniently ("special schemes"; file, the sixth, is never ours).
constexpr std::array<std::string_view, 5> lenient_schemes{"http", "https", "ftp", "ws", "wss"};
constexpr std::array<std::string_view, 8> refused_schemes{
    "about", "blob", "data", "file", "filesystem", "javascript", "vbscript", "view-source"};
// With nothing behind them that a redirect could lead to.
constexpr std::array<std::string_view, 14> useless_schemes{
    "chrome",        "chrome-extension", "cid", "edge",     "jar", "mhtml", "mid",
    "moz-extension", "ms-its",           "res", "resource", "urn", "ws",    "wss"};

bool is_scheme_character(char c) { return ascii::is_letter_or_digit(c) || c == '+' || c == '-' || c == '.'; }

// How the parts of an address are told apart: leniently or by the letter.
enum class Style { lenient, generic };

struct Parts {
    std::string_view userinfo;  // before the '@'
    std::string_view authority; // host and port
    std::string_view rest;      // path, query and fragment
};

// Splits what follows "scheme:". Lenient: any number of slashes (or none) and backslashes lead to the host,
// and a backslash ends it, too. Generic: exactly two slashes, or there is no host.
std::optional<Parts> split(std::string_view text, Style style) {
    if (style == Style::lenient)
        text.remove_prefix(std::min(text.find_first_not_of("/\\"), text.size()));
    else if (text.starts_with("//"))
        text.remove_prefix(2);
    else
        return std::nullopt;
    const auto end = std::min(text.find_first_of(style == Style::lenient ? "/\\?#" : "/?#"), text.size());
    Parts out{.userinfo = {}, .authority = text.substr(0, end), .rest = text.substr(end)};
    if (const auto at = out.authority.rfind('@'); at != std::string_view::npos) {
        out.userinfo = out.authority.substr(0, at);
        out.authority.remove_prefix(at + 1);
    }
    return out;
}

// A host after a scheme that browsers know nothing about: nearly anything; names no place on the Internet.
std::optional<std::string> generic_host(std::string_view host) {
    if (host.starts_with('['))
        return browser_host(host);
    if (host.empty() || host.find_first_of(std::string_view("\0\t\n\r #/:<>?@[\\]^|", 17)) != host.npos)
        return std::nullopt;
    std::string out;
    append_uri_text(out, host);
    return out;
}

// The host as it is stored: as given if a URI can carry that and every client reads it alike.
void append_host(std::string& out, std::string_view given, std::string_view read) {
    append_uri_text(out, std::ranges::all_of(given, is_uri_character) ? given : read);
}

// Path, query and fragment. In a lenient path a backslash is a slash, in the other parts it is escaped.
void append_rest(std::string& out, std::string_view rest, Style style) {
    const auto path_end = std::min(rest.find_first_of("?#"), rest.size());
    auto path = rest.substr(0, path_end);
    if (style == Style::lenient) {
        for (std::size_t at = 0; (at = path.find('\\')) != path.npos; path.remove_prefix(at + 1)) {
            append_uri_text(out, path.substr(0, at));
            out += '/';
        }
    }
    append_uri_text(out, path);
    append_uri_text(out, rest.substr(path_end));
}

// The first sentence against `text` in "is not a valid URL: ...", or what it is.
std::expected<Destination, std::string> read(std::string_view text,
                                             std::span<const std::string> more_schemes) {
    if (!is_utf8(text))
        return std::unexpected("it is not UTF-8");
    if (text.find_first_of("\t\r\n") != text.npos)
        return std::unexpected("it must not hold tabs or line breaks");

    const auto given_scheme = text.substr(0, std::min(text.find(':'), text.size()));
    const auto scheme = lower_ascii(given_scheme);
    const auto web = scheme == "http" || scheme == "https";
    if (!web && !(std::ranges::find(more_schemes, scheme) != more_schemes.end() && may_allow_scheme(scheme)))
        return std::unexpected(more_schemes.empty() ? "it must begin with http:// or https://"
                                                    : fmt::format("its scheme must be http, https, {}",
                                                                  fmt::join(more_schemes, ", ")));
    if (given_scheme.size() == text.size())
        return std::unexpected("it must begin with a scheme such as https://");

    const auto behind_scheme = text.substr(given_scheme.size() + 1);
    if (names_no_host(scheme)) {
        TRY(check_hostless(scheme, behind_scheme));
        Destination out;
        out.stored.append(given_scheme).append(":");
        append_uri_text(out.stored, behind_scheme);
        return out;
    }

    const auto style =
        std::ranges::find(lenient_schemes, scheme) != lenient_schemes.end() ? Style::lenient : Style::generic;
    const auto parts = split(behind_scheme, style);
    if (!parts || parts->authority.empty())
        return std::unexpected("it must name a host");
    if (!parts->userinfo.empty() && parts->userinfo != ":") // a browser drops an empty name and password
        return std::unexpected("it must not hold a user name or a password");
    const auto authority = split_authority(parts->authority);
    if (!authority)
        return std::unexpected("its port must be a number up to 65535");
    const auto host = style == Style::lenient ? browser_host(authority->host) : generic_host(authority->host);
    if (!host)
        return std::unexpected("its host is not valid");

    Destination out;
    out.stored.reserve(text.size() + 16);
    out.stored.append(given_scheme).append("://");
    append_host(out.stored, authority->host, *host);
    out.stored += parts->authority.substr(authority->host.size()); // the port as given, with its colon
    append_rest(out.stored, parts->rest, style);
    out.host = host_and_port(*host, authority->port_number());
    return out;
}

} // namespace

bool may_allow_scheme(std::string_view scheme) {
    return !scheme.empty() && ascii::is_letter(scheme.front()) &&
           std::ranges::all_of(scheme, is_scheme_character) &&
           std::ranges::find(refused_schemes, lower_ascii(scheme)) == refused_schemes.end();
}

std::string readable_address(std::string_view stored) {
    const auto colon = stored.find("://");
    if (colon == stored.npos)
        return percent_decoded(stored);
    const auto authority_end = std::min(stored.find_first_of("/?#", colon + 3), stored.size());
    const auto authority = stored.substr(0, authority_end);
    const auto host_begin = std::max(authority.rfind('@') + 1, colon + 3); // npos + 1 is 0
    const auto host = authority.substr(host_begin);
    const auto name = host.substr(0, host.rfind(':'));
    auto out = percent_decoded(stored.substr(0, host_begin));
    out += unicode_host(name);
    out += percent_decoded(stored.substr(host_begin + name.size()));
    return out;
}

bool may_set_scheme(std::string_view scheme) {
    return may_allow_scheme(scheme) &&
           std::ranges::find(useless_schemes, lower_ascii(scheme)) == useless_schemes.end();
}

std::expected<Destination, FieldError> destination(std::string_view property, std::string_view given,
                                                   std::span<const std::string> more_schemes,
                                                   std::size_t bytes_max) {
    const auto text = trim(given);
    if (text.empty())
        return std::unexpected(required_field(property));
    const auto too_long = [&] { return std::unexpected(invalid_length(property, 1, bytes_max)); };
    if (text.size() > destination_bytes_max)
        return too_long();
    auto out = read(text, more_schemes);
    if (!out)
        return std::unexpected(invalid_format(property, fmt::format("is not a valid URL: {}", out.error())));
    if (out->stored.size() > bytes_max)
        return too_long();
    return std::move(*out);
}

} // namespace slashpost
