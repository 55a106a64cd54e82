#pragma once
// Bytes of rows as tests write them down.
#include "core/data/key.h"

#include <string>
#include <string_view>

namespace slashpost {

// Of pairs of hexadecimal digits; spaces between them mean nothing.
inline data::Bytes from_hex(std::string_view hex) {
    data::Bytes out;
    std::string digits;
    for (const char c : hex)
        if (c != ' ')
            digits += c;
    for (std::size_t i = 0; i < digits.size(); i += 2)
        out += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
    return out;
}

// The id that ends with this digit, all others being 0.
template <class I>
I id(char last) {
    return *I::parse("0000000000000000000000000000000" + std::string(1, last));
}

// What such an id has before its last byte.
inline constexpr std::string_view zeros = "000000000000000000000000000000";

} // namespace slashpost
