#include "app/admin/doctor.h"

#include "app/admin/commands.h"
#include "core/base/errors.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>

namespace slashpost::admin {

Result<int> doctor(AdminContext& context, Console& console) {
    if (!context.examine)
        return refused("NoServer", "server",
                       "no server runs on this folder; start it, and it will tell what it knows");
    const auto findings = context.examine();
    for (const bool is_bad : {true, false})
        for (const auto& finding : findings)
            if (finding.is_bad == is_bad)
                TRY(console.write(fmt::format("{}  {}\n      {}\n", is_bad ? "mend" : "hint", finding.what,
                                              finding.remedy)));
    const bool is_well = std::ranges::none_of(findings, &ServerFinding::is_bad);
    TRY(console.write(is_well ? "nothing has to be mended\n" : ""));
    console.note("whether ports are open from outside can only be seen from there");
    return is_well ? exit_good : exit_findings;
}

void add_doctor_command(CLI::App& program, const OnCommand& on) {
    auto& command = *program.add_subcommand(
        "doctor", "Ask a running server what is wrong with it and around it, and what mends that.");
    command.footer(
        "Looks at its settings, disk, limits, clock, domains (DNS and certificates), countries and backups.\n"
        "Example: slashpost-admin --data ./data doctor");
    on(command, doctor);
}

} // namespace slashpost::admin
