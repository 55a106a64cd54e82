#pragma once
// A command of slashpost-admin as it would be typed, on a stocked world.
#include "app/admin/cli.h"
#include "app/admin/run.h"
#include "tests/app/admin/stocked_world.h"

namespace slashpost::test {

struct Run {
    int code = 0;
    std::string output;
    std::string notes;
};

inline Run run(StockedWorld& world, const std::vector<std::string>& arguments) {
    const auto job = admin::read_arguments(arguments, nullptr);
    INFO(job.text);
    REQUIRE(job.kind == admin::Job::Kind::run);
    RememberingConsole console;
    const int code = admin::run_job(job, world.plain.context, console);
    std::string notes;
    for (const auto& note : console.notes)
        notes += note + "\n";
    return {.code = code, .output = console.output, .notes = notes};
}

} // namespace slashpost::test
