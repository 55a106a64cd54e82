#pragma once
// `slashpost-admin workspace ...`: look at workspaces, move them in and out of the states that only the
// operator does.
#include "app/admin/work.h"

namespace slashpost::admin {

void add_workspace_commands(CLI::App& program, const OnCommand& on);

} // namespace slashpost::admin
