#pragma once
// The configuration file: how it is written, so that what is in it is what is used.
//
// A line is `name = value`. White space around both is not part of them; everything else is, a '#' too: it
// begins a comment at the beginning of a line only. A value in quotation marks is what stands between them:
//   "..."   with \" \\ \n \r \t for a quotation mark, a backslash, and ends of lines and tabs
//   '...'   as it stands
// So a value is put in quotes when it begins with one, or begins or ends with a space.
#include "app/config.h"

namespace slashpost::app {

struct ConfigFile {
    Layer values;
    std::map<std::string, std::string, std::less<>> places; // by name: "slashpost.conf, line 3"
};

// Fails on a file that cannot be read or has more than a MiB, and with file and line on a line that is not of
// the form, a section, an unknown name, with the one that may be meant, and a name given twice.
Result<ConfigFile> read_config_file(const std::filesystem::path& path);

// `value` in quotation marks, as read_config_file reads it.
std::string in_quotes(std::string_view value);

} // namespace slashpost::app
