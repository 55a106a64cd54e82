#include "core/redirect/address.h"

#include "core/base/percent.h"

#include <algorithm>

namespace slashpost::redirect {

namespace {

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

// Interface 2.1: ^[a-zA-Z0-9_-]+$
constexpr bool in_slashtags(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

// What a path asks for when behind its slashtag comes `mark` and then `rest`. No slashtag has a "+", a "." or
// a slash, so nothing is hidden by it.
PathKind kind_behind_slashtag(char mark, std::string_view rest) {
    while (rest.ends_with('/'))
        rest.remove_suffix(1);
    if (mark == '/' && rest.empty())
        return PathKind::slashtag;
    if (mark == '+' && rest.empty())
        return PathKind::preview;
    for (const char expected : std::string_view("qr"))
        if (mark != '.' || rest.empty() || lower(take_percent_decoded(rest)) != expected)
            return PathKind::other;
    return rest.empty() ? PathKind::qr_code : PathKind::other;
}

} // namespace

std::string_view visited_host(std::string_view host, AddressBuffer& buffer) {
    // The colon before the port, not one within an IPv6 address in brackets.
    const auto colon = host.find(':', host.starts_with('[') ? host.find(']') : 0);
    auto name = host.substr(0, colon);
    auto port = colon == host.npos ? std::string_view() : host.substr(colon);
    if (name.ends_with('.'))
        name.remove_suffix(1);
    if (port == ":" || port == ":80" || port == ":443")
        port = {};
    if (name.size() + port.size() > buffer.size())
        return {};
    auto* end = std::ranges::transform(name, buffer.data(), lower).out;
    end = std::ranges::copy(port, end).out;
    return {buffer.data(), end};
}

VisitedPath visited_path(std::string_view path, Case letters, AddressBuffer& buffer) {
    if (path == "/" || path.empty())
        return {.kind = PathKind::home};
    if (path == "/robots.txt")
        return {.kind = PathKind::robots};
    if (path == "/favicon.ico")
        return {.kind = PathKind::favicon};
    if (path == "/.well-known" || path.starts_with("/.well-known/"))
        return {.kind = PathKind::well_known};

    if (!path.starts_with('/'))
        return {.kind = PathKind::other};
    path.remove_prefix(1);
    if (path.ends_with('/'))
        path.remove_suffix(1);
    auto kind = PathKind::slashtag;
    std::size_t length = 0;
    while (!path.empty()) {
        const char c = take_percent_decoded(path);
        if (!in_slashtags(c)) {
            if (c == '/' && length == 0) // a repeated one
                continue;
            kind = kind_behind_slashtag(c, path);
            break;
        }
        if (length == slashtag_bytes_max)
            return {.kind = PathKind::other};
        buffer[length++] = letters == Case::ignored ? lower(c) : c;
    }
    if (length == 0 || kind == PathKind::other)
        return {.kind = PathKind::other};
    return {.kind = kind, .slashtag = {buffer.data(), length}};
}

} // namespace slashpost::redirect
