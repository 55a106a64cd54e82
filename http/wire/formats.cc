#include "http/wire/formats.h"

#include "core/base/any_script.h"
#include "core/base/ascii.h"
#include "core/base/email.h"
#include "core/base/percent.h"
#include "core/base/text.h"
#include "core/base/time.h"

#include <boost/json/parse.hpp>

#include <algorithm>

namespace slashpost::wire::formats {

namespace {

bool is_hex_color(std::string_view text) {
    if (text.starts_with('#'))
        text.remove_prefix(1);
    return text.size() == 6 && std::ranges::all_of(text, ascii::is_hex_digit);
}

bool is_open_graph_type(std::string_view text) {
    constexpr std::string_view marks = "._:-";
    return !text.empty() && text.size() <= 100 && ascii::is_letter_or_digit(text.front()) &&
           std::ranges::all_of(
               text, [&](char c) { return ascii::is_letter_or_digit(c) || marks.find(c) != marks.npos; });
}

bool is_locale(std::string_view text) {
    const auto language = text.substr(0, text.find_first_of("_-"));
    if (language.size() < 2 || language.size() > 3 || !std::ranges::all_of(language, ascii::is_lower))
        return false;
    text.remove_prefix(language.size());
    for (int parts = 0; !text.empty(); ++parts) {
        text.remove_prefix(1);
        const auto part = text.substr(0, text.find_first_of("_-"));
        if (parts == 2 || part.size() < 2 || part.size() > 8 ||
            !std::ranges::all_of(part, ascii::is_letter_or_digit))
            return false;
        text.remove_prefix(part.size());
    }
    return true;
}

bool is_json(std::string_view text) {
    boost::system::error_code error;
    const auto value = boost::json::parse(without_byte_order_mark(text), error);
    return !error && value.is_structured();
}

bool is_event_name(std::string_view text) {
    constexpr std::string_view marks = "_.-";
    return !text.empty() && text.size() <= 64 && std::ranges::all_of(text, [&](char c) {
        return ascii::is_lower(c) || ascii::is_digit(c) || marks.find(c) != marks.npos;
    });
}

bool is_date(std::string_view text) { return parse_day(text).has_value(); }

bool is_date_or_time(std::string_view text) { return parse_iso(text).has_value(); }

Rule of(const Format& format) {
    return {[&format](Rules& rules) { rules.format = &format; }};
}

constexpr Format slashtag_format{.name = "",
                                 // What of ASCII it cannot have: not all readers of patterns know scripts.
                                 .pattern = R"(^[^\x00-,.:-@\[-^`{-\x7f]+$)",
                                 .message =
                                     "must match ^[a-zA-Z0-9_-]+$, or be letters and digits of any script, "
                                     "_, - and / where its domain allows them",
                                 .check = are_words};
constexpr Format hex_color_format{.name = "",
                                  .pattern = "^#?[0-9a-fA-F]{6}$",
                                  .message = "must be a hex colour such as ff8800",
                                  .check = is_hex_color};
constexpr Format uri_format{.name = "uri", .pattern = "", .message = "", .check = nullptr};
constexpr Format email_format{
    .name = "email", .pattern = "", .message = "must be an e-mail address", .check = is_email};
constexpr Format open_graph_type_format{.name = "",
                                        .pattern = "^[a-zA-Z0-9][a-zA-Z0-9._:-]{0,99}$",
                                        .message = "must be a type such as website",
                                        .check = is_open_graph_type};
constexpr Format locale_format{.name = "",
                               .pattern = "^[a-z]{2,3}([_-][a-zA-Z0-9]{2,8}){0,2}$",
                               .message = "must be a locale such as en_US",
                               .check = is_locale};
constexpr Format json_format{
    .name = "", .pattern = "", .message = "must be the text of a JSON object or array", .check = is_json};
constexpr Format event_name_format{.name = "",
                                   .pattern = "^[a-z0-9_.-]{1,64}$",
                                   .message = "must be a name such as purchase",
                                   .check = is_event_name};
constexpr Format parameter_name_format{.name = "",
                                       .pattern = "^[a-zA-Z0-9._~-]{1,40}$",
                                       .message = "must be a name such as sp_click",
                                       .check = is_parameter_name};
constexpr Format date_format{
    .name = "date", .pattern = "", .message = "must be a date such as 2026-01-31", .check = is_date};
constexpr Format date_or_time_format{
    .name = "",
    .pattern = "",
    .message = "must be a date such as 2026-01-31 or a time such as 2026-01-31T09:00:00.000Z",
    .check = is_date_or_time};

} // namespace

const Rule slashtag = of(slashtag_format);
const Rule hex_color = of(hex_color_format);
const Rule uri = of(uri_format);
const Rule email = of(email_format);
const Rule open_graph_type = of(open_graph_type_format);
const Rule locale = of(locale_format);
const Rule json = of(json_format);
const Rule event_name = of(event_name_format);
const Rule parameter_name = of(parameter_name_format);
const Rule date = of(date_format);
const Rule date_or_time = of(date_or_time_format);

} // namespace slashpost::wire::formats
