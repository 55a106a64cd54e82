#pragma once
// `slashpost-admin doctor`: what a running server knows to be wrong with itself and around it.
#include "app/admin/admin_context.h"
#include "app/admin/work.h"

namespace slashpost::admin {

// What is wrong, worst first, each with what mends it. Answers exit_findings when something has to be mended;
// a mere hint is no such thing. Fails when no server runs.
Result<int> doctor(AdminContext& context, Console& console);
void add_doctor_command(CLI::App& program, const OnCommand& on);

} // namespace slashpost::admin
