#pragma once
// `slashpost-admin plan ...` and `account set ...`: what accounts may do, and how much of it.
#include "app/admin/work.h"

namespace slashpost::admin {

// `accounts` is the command "account", which gets "set".
void add_plan_commands(CLI::App& program, CLI::App& accounts, const OnCommand& on);

} // namespace slashpost::admin
