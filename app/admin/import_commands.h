#pragma once
// `slashpost-admin import ...`: bring in links that were made elsewhere.
#include "app/admin/link_import.h"
#include "app/admin/work.h"

#include <memory>

namespace slashpost::admin {

// `folder`, set when the arguments are read, is what a relative path of a file begins at.
void add_import_commands(CLI::App& program, const std::shared_ptr<std::filesystem::path>& folder,
                         const OnReading& on);

} // namespace slashpost::admin
