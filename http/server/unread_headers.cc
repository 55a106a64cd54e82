#include "http/server/unread_headers.h"

#include <algorithm>
#include <array>
#include <boost/beast/core/string.hpp>

namespace slashpost::http {

namespace {

constexpr std::size_t short_bytes_max = 1024;

constexpr std::array<std::string_view, 14> read_here{
    "host",    "connection",   "content-length",  "transfer-encoding",
    "expect",  "user-agent",   "accept",          "accept-language",
    "referer", "forwarded",    "x-forwarded-for", "x-forwarded-proto",
    "apikey",  "authorization"};

bool is_allowed(char c) { return (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f) || c == '\t'; }

// How many bytes of `line`, a header without its line end or the beginning of one, are to be left out behind
// the first `name`.
std::size_t unread_bytes(std::string_view line, std::size_t name) {
    if (name >= line.size() || line.front() == ' ' || line.front() == '\t')
        return 0;
    auto value = line.substr(name + 1);
    if (value.ends_with('\r'))
        value.remove_suffix(1);
    if (!is_passed_over(line.substr(0, name), value) || !std::ranges::all_of(value, is_allowed))
        return 0;
    return value.size();
}

} // namespace

bool is_passed_over(std::string_view name, std::string_view value) {
    return value.size() > short_bytes_max && std::ranges::none_of(read_here, [&](std::string_view read) {
               return boost::beast::iequals(name, read);
           });
}

std::size_t drop_unread_values(std::span<char> head) {
    const std::string_view bytes(head.data(), head.size());
    const auto line_end = bytes.find('\n'); // of the request line
    auto at = line_end == std::string_view::npos ? bytes.size() : line_end + 1;
    auto* out = head.data() + at;
    while (at < bytes.size()) {
        const auto end = std::min(bytes.find('\n', at), bytes.size());
        const auto line = bytes.substr(at, end - at);
        const auto name = line.find(':');
        const auto dropped = unread_bytes(line, name);
        const auto next = std::min(end + 1, bytes.size());
        if (dropped > 0)
            out = std::copy_n(line.data(), name + 1, out);
        const auto rest = at + (dropped > 0 ? name + 1 + dropped : 0);
        out = std::copy_n(bytes.data() + rest, next - rest, out);
        at = next;
    }
    return static_cast<std::size_t>(out - head.data());
}

} // namespace slashpost::http
