#pragma once
// `slashpost-admin application`: programs of others that may ask people for access (OAuth 2.0), for operators
// who register them for somebody, or take them away.
#include "app/admin/work.h"

namespace slashpost::admin {

void add_application_commands(CLI::App& program, const OnCommand& on);

} // namespace slashpost::admin
