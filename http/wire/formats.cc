#include "http/wire/formats.h"

#include "core/base/email.h"
#include "core/base/time.h"

#include <algorithm>

namespace slashpost::wire::formats {

namespace {

bool is_letter_or_digit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool is_hex_digit(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool is_slashtag(std::string_view text) {
    return !text.empty() &&
           std::ranges::all_of(text, [](char c) { return is_letter_or_digit(c) || c == '_' || c == '-'; });
}

bool is_hex_color(std::string_view text) {
    if (text.starts_with('#'))
        text.remove_prefix(1);
    return text.size() == 6 && std::ranges::all_of(text, is_hex_digit);
}

bool is_date(std::string_view text) { return parse_day(text).has_value(); }

Rule of(const Format& format) {
    return {[&format](Rules& rules) { rules.format = &format; }};
}

constexpr Format slashtag_format{.name = "",
                                 .pattern = "^[a-zA-Z0-9_-]+$",
                                 .message = "must match ^[a-zA-Z0-9_-]+$",
                                 .check = is_slashtag};
constexpr Format hex_color_format{.name = "",
                                  .pattern = "^#?[0-9a-fA-F]{6}$",
                                  .message = "must be a hex colour such as ff8800",
                                  .check = is_hex_color};
constexpr Format uri_format{.name = "uri", .pattern = "", .message = "", .check = nullptr};
constexpr Format email_format{
    .name = "email", .pattern = "", .message = "must be an e-mail address", .check = is_email};
constexpr Format date_format{
    .name = "date", .pattern = "", .message = "must be a date such as 2026-01-31", .check = is_date};

} // namespace

const Rule slashtag = of(slashtag_format);
const Rule hex_color = of(hex_color_format);
const Rule uri = of(uri_format);
const Rule email = of(email_format);
const Rule date = of(date_format);

} // namespace slashpost::wire::formats
