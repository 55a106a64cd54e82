#pragma once
// The command line of `slashpost`: serve, config, --help, --version. Decides what is to be done and with
// which configuration; serve.cc does it. Everything that can be wrong with an argument is found here.
#include "app/config.h"

#include <functional>
#include <span>
#include <string>

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
};

inline constexpr int exit_usage = 2;

// `arguments` without the program's name; `lookup` as in read_environment.
Invocation read_command_line(std::span<const char* const> arguments,
                             const std::function<const char*(const char*)>& lookup);

} // namespace slashpost::app
