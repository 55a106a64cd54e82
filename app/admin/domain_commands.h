#pragma once
// `slashpost-admin domain ...`: the host names under which links live, and which workspaces may use them.
#include "app/admin/work.h"

namespace slashpost::admin {

void add_domain_commands(CLI::App& program, const OnCommand& on);

} // namespace slashpost::admin
