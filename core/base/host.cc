#include "core/base/host.h"

#include "core/base/ascii.h"
#include "core/base/icu.h"
#include "core/base/percent.h"
#include "core/base/text.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <unicode/uidna.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

namespace slashpost {

namespace {

constexpr std::uint16_t http_port = 80, https_port = 443;
constexpr std::size_t name_length_max = 253, label_length_max = 63; // RFC 1035, without the last dot
// Of a name that has to be read by UTS 46, which takes time in the square of its length. No longer one has a
// form that DNS knows.
constexpr std::size_t unicode_bytes_max = name_length_max * 4;

// What a name may not hold even to a browser ("forbidden domain code point").
bool is_forbidden(char c) {
    static constexpr std::string_view marks = "#/:<>?@[\\]^|%";
    return static_cast<unsigned char>(c) <= 0x20 || c == 0x7f || marks.find(c) != marks.npos;
}

std::vector<std::string_view> split_labels(std::string_view name) {
    std::vector<std::string_view> labels;
    for (std::size_t dot = 0; (dot = name.find('.')) != name.npos; name.remove_prefix(dot + 1))
        labels.push_back(name.substr(0, dot));
    labels.push_back(name);
    return labels;
}

const UIDNA* uts46() {
    static const UIDNA* const idna = [] {
        UErrorCode error = U_ZERO_ERROR;
        const auto* opened =
            uidna_openUTS46(UIDNA_CHECK_BIDI | UIDNA_CHECK_CONTEXTJ | UIDNA_NONTRANSITIONAL_TO_ASCII, &error);
        need_success(error);
        return opened;
    }();
    return idna;
}

// "Domain to ASCII" of the URL Standard, not strict: lengths, empty labels and the places of hyphens are
// DNS's business.
std::optional<std::string> domain_to_ascii(std::string_view name) {
    constexpr std::uint32_t no_matter = UIDNA_ERROR_EMPTY_LABEL | UIDNA_ERROR_LABEL_TOO_LONG |
                                        UIDNA_ERROR_DOMAIN_NAME_TOO_LONG | UIDNA_ERROR_LEADING_HYPHEN |
                                        UIDNA_ERROR_TRAILING_HYPHEN | UIDNA_ERROR_HYPHEN_3_4;
    std::string out(2 * name.size() + 64, '\0');
    for (;;) {
        UIDNAInfo info = UIDNA_INFO_INITIALIZER;
        UErrorCode error = U_ZERO_ERROR;
        const auto size =
            uidna_nameToASCII_UTF8(uts46(), name.data(), static_cast<std::int32_t>(name.size()), out.data(),
                                   static_cast<std::int32_t>(out.size()), &info, &error);
        if (U_FAILURE(error) && error != U_BUFFER_OVERFLOW_ERROR)
            return std::nullopt;
        const auto fits = error != U_BUFFER_OVERFLOW_ERROR;
        out.resize(static_cast<std::size_t>(size));
        if (!fits)
            continue;
        if ((info.errors & ~no_matter) != 0)
            return std::nullopt;
        return out;
    }
}

bool needs_uts46(std::string_view name) {
    return std::ranges::any_of(name, [](char c) { return static_cast<unsigned char>(c) >= 0x80; }) ||
           std::ranges::any_of(split_labels(name), [](std::string_view label) {
               return lower_ascii(label.substr(0, 4)) == "xn--";
           });
}

// A part of an IPv4 address: decimal, octal ("017") or hexadecimal ("0xf", "0x"). Nothing when it is no
// number; a number that does not fit is 2^32.
std::optional<std::uint64_t> ipv4_number(std::string_view part) {
    constexpr std::uint64_t too_large = std::uint64_t{1} << 32;
    if (part.empty())
        return std::nullopt;
    int base = 10;
    if (part.starts_with("0x") || part.starts_with("0X")) {
        part.remove_prefix(2);
        base = 16;
    } else if (part.size() > 1 && part.front() == '0') {
        part.remove_prefix(1);
        base = 8;
    }
    if (part.empty())
        return 0;
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value, base);
    if (end != part.data() + part.size())
        return std::nullopt;
    return error == std::errc::result_out_of_range ? too_large : std::min(value, too_large);
}

// The parts of `name` if it can only be an IPv4 address, which a last label that is a number decides.
std::optional<std::vector<std::string_view>> ipv4_parts(std::string_view name) {
    if (name.ends_with('.'))
        name.remove_suffix(1);
    const auto last = name.substr(name.rfind('.') + 1); // npos + 1 is 0
    if (last.empty() || !(std::ranges::all_of(last, ascii::is_digit) || ipv4_number(last)))
        return std::nullopt;
    return split_labels(name);
}

// "127.1" is 127.0.0.1: the last number fills the bytes that the others leave.
std::optional<std::string> ipv4_address(const std::vector<std::string_view>& parts) {
    if (parts.size() > 4)
        return std::nullopt;
    std::uint64_t address = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto number = ipv4_number(parts[i]);
        const auto is_last = i + 1 == parts.size();
        if (!number || *number >= (is_last ? std::uint64_t{1} << 8 * (4 - i) : 256))
            return std::nullopt;
        address |= *number << (is_last ? 0 : 8 * (3 - i));
    }
    return fmt::format("{}.{}.{}.{}", address >> 24, address >> 16 & 255, address >> 8 & 255, address & 255);
}

std::optional<std::string> ipv6_address(std::string_view bracketed) {
    if (bracketed.size() < 2 || bracketed.back() != ']')
        return std::nullopt;
    const std::string address(bracketed.substr(1, bracketed.size() - 2));
    in6_addr bytes{};
    if (address.find('\0') != address.npos || ::inet_pton(AF_INET6, address.c_str(), &bytes) != 1)
        return std::nullopt;
    std::array<char, INET6_ADDRSTRLEN> printed{};
    return fmt::format("[{}]", ::inet_ntop(AF_INET6, &bytes, printed.data(), printed.size()));
}

// A label that DNS, certificates and every client take.
bool is_plain_label(std::string_view label) {
    const auto plain = [](char c) { return ascii::is_digit(c) || ascii::is_lower(c) || c == '-'; };
    return !label.empty() && label.size() <= label_length_max && label.front() != '-' &&
           label.back() != '-' && std::ranges::all_of(label, plain);
}

} // namespace

std::optional<std::uint16_t> Authority::port_number() const {
    std::uint16_t number = 0;
    const auto end = port.data() + port.size();
    if (port.empty() || std::from_chars(port.data(), end, number).ptr != end)
        return std::nullopt;
    return number;
}

std::optional<Authority> split_authority(std::string_view text) {
    const auto host_end = text.starts_with('[') ? std::min(text.find(']'), text.size()) : 0;
    const auto colon = std::min(text.find(':', host_end), text.size());
    Authority out{.host = text.substr(0, colon), .port = text.substr(std::min(colon + 1, text.size()))};
    const auto zeros = std::min(out.port.find_first_not_of('0'), out.port.size());
    if (!std::ranges::all_of(out.port, ascii::is_digit))
        return std::nullopt;
    if (const auto value = out.port.substr(zeros); value.size() > 5 || (value.size() == 5 && value > "65535"))
        return std::nullopt;
    return out;
}

std::optional<std::string> browser_host(std::string_view host) {
    if (host.starts_with('['))
        return ipv6_address(host);
    auto name = host.find('%') == host.npos ? std::string(host) : percent_decoded(host);
    if (!is_utf8(name))
        return std::nullopt;
    const bool is_unicode = needs_uts46(name);
    if (is_unicode && name.size() > unicode_bytes_max)
        return std::nullopt;
    auto ascii = is_unicode ? domain_to_ascii(name) : lower_ascii(name);
    if (!ascii || ascii->empty() || std::ranges::any_of(*ascii, is_forbidden))
        return std::nullopt;
    if (const auto parts = ipv4_parts(*ascii))
        return ipv4_address(*parts);
    return ascii;
}

std::optional<std::string> normal_host(std::string_view given) {
    const auto authority = split_authority(given);
    if (!authority || authority->host.find('%') != std::string_view::npos)
        return std::nullopt;
    auto host = browser_host(authority->host);
    if (!host)
        return std::nullopt;
    auto out = host_and_port(*host, authority->port_number());
    if (host->starts_with('['))
        return out;
    if (host->ends_with('.'))
        host->pop_back();
    if (host->size() > name_length_max || !std::ranges::all_of(split_labels(*host), is_plain_label))
        return std::nullopt;
    return out;
}

std::string unicode_host(std::string_view host) {
    if (host.size() > unicode_bytes_max || !needs_uts46(host))
        return std::string(host);
    std::string out(4 * host.size() + 64, '\0'); // a letter of punycode stands for one character at most
    UIDNAInfo info = UIDNA_INFO_INITIALIZER;
    UErrorCode error = U_ZERO_ERROR;
    const auto size =
        uidna_nameToUnicodeUTF8(uts46(), host.data(), static_cast<std::int32_t>(host.size()), out.data(),
                                static_cast<std::int32_t>(out.size()), &info, &error);
    if (U_FAILURE(error))
        return std::string(host);
    out.resize(static_cast<std::size_t>(size));
    return out;
}

std::string host_and_port(std::string_view host, std::optional<std::uint16_t> port) {
    if (host.size() > 1 && host.ends_with('.'))
        host.remove_suffix(1);
    if (!port || *port == http_port || *port == https_port)
        return std::string(host);
    return fmt::format("{}:{}", host, *port);
}

} // namespace slashpost
