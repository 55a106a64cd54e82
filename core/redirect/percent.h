#pragma once
// Reading percent-encoded text byte by byte, without a copy of it.
#include <string_view>

namespace slashpost::redirect {

// The value of a hexadecimal digit, or -1.
constexpr int hex_value(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

// Whether `text` begins with an escape: '%' and two hexadecimal digits.
constexpr bool begins_with_escape(std::string_view text) {
    return text.size() >= 3 && text[0] == '%' && hex_value(text[1]) >= 0 && hex_value(text[2]) >= 0;
}

// Takes one byte off the front of `text`, which is not empty, undoing an escape. A '%' that begins none is
// itself.
constexpr char take_decoded(std::string_view& text) {
    const bool escape = begins_with_escape(text);
    const char c = escape ? static_cast<char>(hex_value(text[1]) << 4 | hex_value(text[2])) : text[0];
    text.remove_prefix(escape ? 3 : 1);
    return c;
}

} // namespace slashpost::redirect
