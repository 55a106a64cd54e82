#include "core/base/percent.h"

#include "core/base/ascii.h"

#include <algorithm>
#include <array>
#include <optional>

namespace slashpost {

namespace {

constexpr auto uri_characters = [] {
    std::array<bool, 256> table{};
    for (const char c : std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                         "-._~:/?#[]@!$&'()*+,;="))
        table[static_cast<unsigned char>(c)] = true;
    return table;
}();

// What each character is worth as a digit of an escape; 16: it is none.
constexpr auto hex_values = [] {
    std::array<unsigned char, 256> table{};
    table.fill(16);
    for (unsigned char i = 0; i < 10; ++i)
        table[static_cast<unsigned char>('0' + i)] = i;
    for (unsigned char i = 0; i < 6; ++i)
        table[static_cast<unsigned char>('a' + i)] = table[static_cast<unsigned char>('A' + i)] =
            static_cast<unsigned char>(10 + i);
    return table;
}();

constexpr std::size_t escape_bytes = 3;

char* write_escape(char* at, char c) {
    static constexpr std::string_view digits = "0123456789ABCDEF";
    const auto byte = static_cast<unsigned char>(c);
    *at++ = '%';
    *at++ = digits[byte >> 4];
    *at++ = digits[byte & 15];
    return at;
}

// Appends what `write(at)` writes from `at` on, no more than `bytes_max`; it answers the end.
template <class Write>
void append_written(std::string& out, std::size_t bytes_max, Write&& write) {
    const auto before = out.size();
    out.resize(before + bytes_max);
    out.resize(static_cast<std::size_t>(write(out.data() + before) - out.data()));
}

// The byte of the escape that `text` begins with.
std::optional<unsigned char> leading_escape(std::string_view text) {
    if (text.size() < escape_bytes || text[0] != '%')
        return std::nullopt;
    const auto high = hex_values[static_cast<unsigned char>(text[1])],
               low = hex_values[static_cast<unsigned char>(text[2])];
    if ((high | low) > 15)
        return std::nullopt;
    return static_cast<unsigned char>(high << 4 | low);
}

} // namespace

bool is_uri_character(char c) { return uri_characters[static_cast<unsigned char>(c)]; }

bool is_uri_text(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return uri_characters[static_cast<unsigned char>(c)]; });
}

bool is_parameter_name(std::string_view text) {
    constexpr std::size_t length_max = 40;
    constexpr std::string_view reserved = ":/?#[]@!$&'()*+,;=";
    return !text.empty() && text.size() <= length_max && std::ranges::all_of(text, [&](char c) {
        return is_uri_character(c) && reserved.find(c) == reserved.npos;
    });
}

std::string percent_decoded(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty())
        out += take_percent_decoded(text);
    return out;
}

char take_percent_decoded(std::string_view& text) {
    const auto byte = leading_escape(text);
    const char c = byte ? static_cast<char>(*byte) : text.front();
    text.remove_prefix(byte ? 3 : 1);
    return c;
}

void append_uri_value(std::string& out, std::string_view text) {
    constexpr std::string_view marks = "-._~";
    append_written(out, escape_bytes * text.size(), [&](char* at) {
        for (const char c : text)
            if (ascii::is_letter_or_digit(c) || marks.contains(c))
                *at++ = c;
            else
                at = write_escape(at, c);
        return at;
    });
}

void append_uri_text(std::string& out, std::string_view text) {
    const auto is_plain = [](char c) { return uri_characters[static_cast<unsigned char>(c)]; };
    const auto plain = static_cast<std::size_t>(std::ranges::find_if_not(text, is_plain) - text.begin());
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty())
        return;
    append_written(out, escape_bytes * text.size(), [&](char* at) {
        for (; !text.empty(); text.remove_prefix(1))
            if (is_plain(text.front()) || leading_escape(text))
                *at++ = text.front();
            else
                at = write_escape(at, text.front());
        return at;
    });
}

} // namespace slashpost
