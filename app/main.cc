// The program `slashpost`.
#include "app/cli.h"
#include "app/serve.h"

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
    namespace app = slashpost::app;
    // No other thread runs yet that could change the environment.
    const auto lookup = [](const char* name) { return std::getenv(name); };
    const auto invocation = app::read_command_line({argv + 1, static_cast<std::size_t>(argc - 1)}, lookup);
    switch (invocation.action) {
    case app::Invocation::Action::serve:
        return app::serve(invocation.config);
    case app::Invocation::Action::print:
        return std::fputs(invocation.text.c_str(), stdout) >= 0 ? 0 : 1;
    case app::Invocation::Action::complain:
        break;
    }
    std::fputs(invocation.text.c_str(), stderr);
    return app::exit_usage;
}
