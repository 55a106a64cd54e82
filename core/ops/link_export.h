#pragma once
// Links as rows of a file that leaves: comma-separated, with columns that `slashpost-admin import` reads.
#include "core/ops/links.h"

#include <string>
#include <string_view>

namespace slashpost {

// The first row.
void append_export_header(std::string& out);
void append_export_row(std::string& out, const LinkDetails& details);

} // namespace slashpost
