#include "app/admin/import/cells.h"

#include "core/base/percent.h"
#include "core/base/text.h"
#include "core/base/zones.h"

#include <algorithm>
#include <boost/json.hpp>
#include <charconv>
#include <fmt/format.h>

namespace slashpost::admin {

namespace {

constexpr std::string_view digits = "0123456789";
constexpr std::size_t seconds_digits_max = 11; // of a number that is not yet one of milliseconds
constexpr std::size_t number_digits_max = 14;
constexpr std::size_t shown_bytes_max = 80;

bool is_number(std::string_view text) { return !text.empty() && text.find_first_not_of(digits) == text.npos; }

std::optional<Timestamp> read_unix_time(std::string_view number) {
    if (number.size() > number_digits_max)
        return std::nullopt;
    std::int64_t value = 0;
    std::from_chars(number.data(), number.data() + number.size(), value);
    return Timestamp{number.size() <= seconds_digits_max ? value * 1000 : value};
}

bool take_end(std::string& text, std::string_view end) {
    if (!text.ends_with(end))
        return false;
    text.resize(text.size() - end.size());
    return true;
}

// The forms of offsets that the wire does not have, in its own: " UTC", " +0000", "+00".
std::string with_plain_offset(std::string_view given) {
    std::string text(given);
    if (take_end(text, " UTC") || take_end(text, " GMT") || take_end(text, "UTC"))
        return text + "Z";
    const auto sign = text.find_last_of("+-");
    if (sign == text.npos || text.find(':') == text.npos || sign < text.find(':'))
        return text;
    if (text.size() == sign + 3)
        text += ":00";
    if (text[sign - 1] == ' ')
        text.erase(sign - 1, 1);
    return text;
}

// Those of a JSON array; nothing when it is none.
std::optional<std::vector<std::string>> names_of_json(std::string_view text) {
    boost::system::error_code error;
    const auto value = boost::json::parse(text, error);
    if (error || !value.is_array())
        return std::nullopt;
    std::vector<std::string> out;
    for (const auto& name : value.get_array()) {
        if (!name.is_string())
            return std::nullopt;
        out.emplace_back(trim(std::string_view(name.get_string())));
    }
    std::erase(out, "");
    return out;
}

} // namespace

bool is_null(std::string_view text) { return text == "NULL" || text == "\\N"; }

std::optional<Timestamp> read_time(std::string_view text, std::string_view zone) {
    text = trim(text);
    if (is_number(text))
        return read_unix_time(text);
    const auto written = parse_written_time(with_plain_offset(text));
    if (!written)
        return std::nullopt;
    if (written->names_offset || zone.empty())
        return written->time;
    return moment_shown(zone, written->time);
}

std::optional<std::int64_t> read_whole(std::string_view text) {
    std::string number;
    for (const char c : trim(text))
        if (c != ',' && c != ' ')
            number += c;
    const bool negative = number.starts_with('-');
    if (negative)
        number.erase(0, 1);
    const auto point = std::min(number.find('.'), number.size());
    if (number.find_first_not_of('0', std::min(point + 1, number.size())) != number.npos)
        return std::nullopt;
    number.resize(point);
    if (!is_number(number))
        return std::nullopt;
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    return error != std::errc{} || (negative && value != 0) ? -1 : value;
}

std::vector<std::string> tag_names(std::string_view text) {
    text = trim(text);
    if (text.starts_with('['))
        if (auto names = names_of_json(text))
            return *std::move(names);
    if (text.starts_with('{') && text.ends_with('}'))
        text = text.substr(1, text.size() - 2);
    const char separator = text.contains('|') ? '|' : ',';
    std::vector<std::string> out;
    while (!text.empty()) {
        const auto end = std::min(text.find(separator), text.size());
        if (const auto name = trim(text.substr(0, end)); !name.empty())
            out.emplace_back(name);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out;
}

ShortAddress split_short_address(std::string_view text) {
    text = trim(text);
    if (const auto scheme = text.find("://"); scheme != text.npos)
        text.remove_prefix(scheme + 3);
    text = text.substr(0, text.find_first_of("?#"));
    const auto slash = text.find('/');
    ShortAddress out{.domain = std::string(text.substr(0, slash)), .slashtag = {}};
    if (slash == text.npos)
        return out;
    auto path = text.substr(slash);
    while (path.starts_with('/'))
        path.remove_prefix(1);
    while (path.ends_with('/'))
        path.remove_suffix(1);
    // Letters beyond ASCII are escaped in addresses.
    out.slashtag = percent_decoded(path);
    if (!is_utf8(out.slashtag))
        out.slashtag = path;
    return out;
}

std::string shown(std::string_view text) {
    auto beginning = text.substr(0, shown_bytes_max);
    while (beginning.size() < text.size() && !beginning.empty() && !is_utf8(beginning))
        beginning.remove_suffix(1);
    if (!is_utf8(beginning))
        return "?";
    std::string out(beginning);
    for (std::size_t i = 0; i < out.size(); ++i) {
        const auto byte = static_cast<unsigned char>(out[i]);
        const bool begins_control =
            byte == 0xc2 && static_cast<unsigned char>(out[i + 1]) < 0xa0; // U+0080 on
        if (begins_control)
            out.replace(i, 2, 1, ' ');
        else if (byte < ' ' || byte == 0x7f)
            out[i] = ' ';
    }
    return out + (beginning.size() < text.size() ? "..." : "");
}

std::string in_quotes(std::string_view text) { return fmt::format("'{}'", shown(text)); }

} // namespace slashpost::admin
