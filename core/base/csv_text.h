#pragma once
// Writes comma-separated values (RFC 4180) that spreadsheets may open.
#include <initializer_list>
#include <string>
#include <string_view>

namespace slashpost {

// A row with its line end. A field that begins with = + - @, a tab or a carriage return, which spreadsheets
// would run as a formula, gets an apostrophe in front, and so does one whose apostrophe stands before these.
void append_csv_row(std::string& out, std::initializer_list<std::string_view> fields);

// What was given, of a field that append_csv_row wrote.
[[nodiscard]] std::string_view without_csv_apostrophe(std::string_view field);

} // namespace slashpost
