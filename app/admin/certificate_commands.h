#pragma once
// `slashpost-admin certificates`: which names have one, from where and for how long, and what went wrong.
#include "app/admin/work.h"

namespace slashpost::admin {

void add_certificate_commands(CLI::App& program, const OnCommand& on);

} // namespace slashpost::admin
