#pragma once
// What a byte is as a character of ASCII, whatever the locale says. Bytes beyond ASCII are in no class, and
// stay as they are. For text that is ASCII by rule; what people write is core/base/text.h's.
#include <algorithm>
#include <string_view>

namespace slashpost::ascii {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool is_letter(char c) { return is_lower(c) || is_upper(c); }
constexpr bool is_letter_or_digit(char c) { return is_letter(c) || is_digit(c); }

constexpr char lower(char c) { return is_upper(c) ? static_cast<char>(c + ('a' - 'A')) : c; }
constexpr char upper(char c) { return is_lower(c) ? static_cast<char>(c - ('a' - 'A')) : c; }

// A hexadecimal digit of either case.
constexpr bool is_hex_digit(char c) { return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'f'); }

// What a hexadecimal digit in the form that we write, without capitals, is worth; -1 for what is none.
constexpr int hex_value(char c) {
    if (is_digit(c))
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// At least one digit, and nothing else.
constexpr bool are_digits(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, is_digit);
}

} // namespace slashpost::ascii
