#pragma once
// `slashpost-admin link ...`: what an operator does to one link.
#include "app/admin/work.h"

namespace slashpost::admin {

void add_link_commands(CLI::App& program, const OnCommand& on);

} // namespace slashpost::admin
