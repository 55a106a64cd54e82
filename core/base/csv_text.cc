#include "core/base/csv_text.h"

#include <algorithm>

namespace slashpost {

namespace {

constexpr std::string_view formula_beginnings = "=+-@\t\r";

// Of the apostrophes in front.
std::string_view behind_apostrophes(std::string_view field) {
    field.remove_prefix(std::min(field.find_first_not_of('\''), field.size()));
    return field;
}

bool needs_apostrophe(std::string_view field) {
    const auto rest = behind_apostrophes(field);
    return !rest.empty() && formula_beginnings.contains(rest.front());
}

void append_field(std::string& out, std::string_view field) {
    const bool is_quoted =
        field.find_first_of(",\"\r\n") != field.npos || field.starts_with(' ') || field.ends_with(' ');
    if (is_quoted)
        out += '"';
    if (needs_apostrophe(field))
        out += '\'';
    for (const char c : field) {
        if (c == '"')
            out += '"';
        out += c;
    }
    if (is_quoted)
        out += '"';
}

} // namespace

void append_csv_row(std::string& out, std::initializer_list<std::string_view> fields) {
    bool is_first = true;
    for (const auto field : fields) {
        if (!is_first)
            out += ',';
        is_first = false;
        append_field(out, field);
    }
    out += "\r\n";
}

std::string_view without_csv_apostrophe(std::string_view field) {
    return field.starts_with('\'') && needs_apostrophe(field) ? field.substr(1) : field;
}

} // namespace slashpost
