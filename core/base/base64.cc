#include "core/base/base64.h"

#include <algorithm>
#include <cstdint>

namespace slashpost {

namespace {

constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

} // namespace

std::string base64(std::string_view bytes) {
    std::string out;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t group = 0;
        for (std::size_t k = 0; k < 3; ++k)
            group = group << 8U | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
        for (std::size_t k = 0; k < 4; ++k)
            out += i + k <= bytes.size() ? digits[(group >> (18 - 6 * k)) & 63U] : '=';
    }
    return out;
}

std::optional<std::string> base64_decoded(std::string_view text) {
    std::string out;
    std::uint32_t group = 0, bits = 0;
    for (const char c : text.substr(0, text.find('='))) {
        const auto digit = digits.find(c);
        if (digit == digits.npos)
            return std::nullopt;
        group = (group << 6U | static_cast<std::uint32_t>(digit)) & 0xffffU;
        bits += 6;
        if (bits < 8)
            continue;
        bits -= 8;
        out += static_cast<char>(group >> bits & 0xffU);
    }
    if (base64(out) != text) // cut off, filled up wrongly, or with bits that belong to no byte
        return std::nullopt;
    return out;
}

std::string base64url(std::string_view bytes) {
    auto out = base64(bytes);
    while (out.ends_with('='))
        out.pop_back();
    std::ranges::replace(out, '+', '-');
    std::ranges::replace(out, '/', '_');
    return out;
}

std::optional<std::string> from_base64url(std::string_view text) {
    constexpr std::string_view url_digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    std::string out;
    std::uint32_t bits = 0;
    unsigned count = 0; // of the bits that belong to no byte yet
    for (const char c : text) {
        const auto digit = url_digits.find(c);
        if (digit == url_digits.npos)
            return std::nullopt;
        bits = bits << 6U | static_cast<std::uint32_t>(digit);
        count += 6;
        if (count < 8)
            continue;
        count -= 8;
        out += static_cast<char>(bits >> count & 0xffU);
        bits &= (1U << count) - 1;
    }
    // A digit too many, or one that says more than there is room for: there would be two texts for the same.
    return count < 6 && bits == 0 ? std::optional(std::move(out)) : std::nullopt;
}

} // namespace slashpost
