#pragma once
// The command line of `slashpost`: serve, config, help, version. Decides what is to be done and with which
// configuration; serve.cc does it. Everything that can be wrong with an argument is found here.
#include "app/config.h"

#include <span>
#include <string>
#include <vector>

namespace slashpost::app {

struct Invocation {
    enum class Action {
        serve,   // run the server with `config`
        print,   // write `text` to standard output and leave with success
        complain // write `text` to standard error and leave with exit_usage
    };
    Action action = Action::complain;
    Config config;
    std::string text;
    std::vector<std::string> warnings; // sentences; of what is configured and not used (config_warnings.h)
};

inline constexpr int exit_usage = 2;

// `arguments` without the program's name. `sockets` are addresses that win over every other word, by setting.
// Help is broken at the width of the terminal.
Invocation read_command_line(std::span<const char* const> arguments, const Environment& environment,
                             const Layer& sockets = {});

} // namespace slashpost::app
