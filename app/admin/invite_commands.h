#pragma once
// `slashpost-admin invite`: what is open, what became of the mails, and how somebody can accept without one.
#include "app/admin/work.h"

namespace slashpost::admin {

void add_invite_commands(CLI::App& program, const OnCommand& on);

} // namespace slashpost::admin
