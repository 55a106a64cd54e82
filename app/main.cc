// The program `slashpost`.
#include "app/cli.h"
#include "app/serve.h"

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
    using namespace slashpost::app;
    const auto invocation = read_command_line({argv + 1, static_cast<std::size_t>(argc - 1)},
                                              [](const char* name) { return std::getenv(name); });
    switch (invocation.action) {
    case Invocation::Action::serve:
        return serve(invocation.config);
    case Invocation::Action::print:
        return std::fputs(invocation.text.c_str(), stdout) >= 0 ? 0 : 1;
    case Invocation::Action::complain:
        break;
    }
    std::fputs(invocation.text.c_str(), stderr);
    return exit_usage;
}
