#pragma once
// `slashpost-admin backup ...` and `restore-backup`.
#include "app/admin/work.h"

#include <filesystem>
#include <memory>

namespace slashpost::admin {

// `folder`, set when the arguments are read, is what a relative path begins at.
void add_backup_commands(CLI::App& program, const std::shared_ptr<std::filesystem::path>& folder,
                         const OnReading& on, const OnErrand& on_errand);

} // namespace slashpost::admin
