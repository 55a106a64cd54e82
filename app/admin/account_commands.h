#pragma once
// `slashpost-admin account ...` and `key ...`: who may use the API, and with which keys.
#include "app/admin/work.h"

namespace slashpost::admin {

void add_account_commands(CLI::App& program, const OnCommand& on);

} // namespace slashpost::admin
