#include "core/base/percent.h"

#include <algorithm>
#include <array>
#include <charconv>
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

void append_escape(std::string& out, char c) {
    static constexpr std::string_view digits = "0123456789ABCDEF";
    const auto byte = static_cast<unsigned char>(c);
    out.append({'%', digits[byte >> 4], digits[byte & 15]});
}

// The byte of the escape that `text` begins with.
std::optional<unsigned char> leading_escape(std::string_view text) {
    unsigned char byte = 0;
    if (text.size() < 3 || text[0] != '%' ||
        std::from_chars(&text[1], &text[1] + 2, byte, 16).ptr != &text[1] + 2)
        return std::nullopt;
    return byte;
}

} // namespace

bool is_uri_character(char c) { return uri_characters[static_cast<unsigned char>(c)]; }

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
    for (const char c : text)
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || marks.contains(c))
            out += c;
        else
            append_escape(out, c);
}

void append_uri_text(std::string& out, std::string_view text) {
    for (; !text.empty(); text.remove_prefix(1))
        if (is_uri_character(text.front()) || leading_escape(text))
            out += text.front();
        else
            append_escape(out, text.front());
}

} // namespace slashpost
