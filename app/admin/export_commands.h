#pragma once
// `slashpost-admin export ...`: links and statistics as files for other programs.
#include "app/admin/work.h"

namespace slashpost::admin {

void add_export_commands(CLI::App& program, const OnWriting& on);

} // namespace slashpost::admin
