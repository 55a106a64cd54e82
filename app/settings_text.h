#pragma once
// What people read of the settings, made from their table: for --help, for the manual, for a file to begin
// with.
#include "app/admin/manual.h"
#include "app/config.h"

#include <string>

namespace slashpost::app {

// Where settings are given, which place wins, how the file is written; signals and exit codes.
extern const char* const how_settings_are_given;

// What a setting does, what it may be, and its default.
[[nodiscard]] std::string meaning_of(const Setting& setting);

// The manual page slashpost.conf(5).
[[nodiscard]] std::string settings_page(const admin::ManualHead& head);

// A configuration file with every setting as a comment: what it means and, on a line of its own behind '#',
// its default, or what a value looks like where there is none that is the same on every machine. Alike
// wherever it is made.
[[nodiscard]] std::string settings_as_comments();

} // namespace slashpost::app
