// The program `slashpost`.
#include "app/admin/standard_streams.h"
#include "app/cli.h"
#include "app/inherited_sockets.h"
#include "app/serve.h"
#include "app/supervisor.h"

#include <cstdio>
#include <fmt/format.h>
#include <string_view>
#include <unistd.h>

// Read by jemalloc when the program begins (app/CMakeLists.txt). Few arenas, and no large pieces kept by each
// thread, as most wait most of the time. What nobody uses waits ten milliseconds for who needs it again: a
// search that gets its pages anew from the system takes half as long again. Large pieces go back at once:
// what a fold of many clicks takes is needed for a moment only.
extern "C" {
extern const char* malloc_conf;
// NOLINTNEXTLINE(*-global-variables): jemalloc's
const char* malloc_conf =
    "narenas:2,lg_tcache_max:13,dirty_decay_ms:10,muzzy_decay_ms:0,oversize_threshold:524288";
}

namespace {

slashpost::app::Environment environment_of(const char* const* variables) {
    slashpost::app::Environment environment;
    for (; *variables != nullptr; ++variables) {
        const std::string_view variable = *variables;
        const auto equals = variable.find('=');
        if (equals != variable.npos)
            environment.emplace(variable.substr(0, equals), variable.substr(equals + 1));
    }
    return environment;
}

} // namespace

int main(int argc, char** argv) {
    namespace app = slashpost::app;
    if (!slashpost::guard_standard_streams())
        return 1;
    const auto environment = environment_of(environ); // no other thread runs yet that could change it
    const auto sockets = app::InheritedSockets::take(environment, ::getpid());
    if (!sockets.has_value()) {
        std::fputs(fmt::format("slashpost: {}\n", sockets.error().message).c_str(), stderr);
        return app::exit_usage;
    }
    const auto invocation = app::read_command_line({argv + 1, static_cast<std::size_t>(argc - 1)},
                                                   environment, sockets->addresses());
    switch (invocation.action) {
    case app::Invocation::Action::serve:
        return app::serve(invocation.config, invocation.warnings, *sockets,
                          app::Supervisor(environment, ::getpid()));
    case app::Invocation::Action::print:
        for (const auto& warning : invocation.warnings)
            std::fputs(fmt::format("slashpost: warning: {}\n", warning).c_str(), stderr);
        return std::fputs(invocation.text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0 ? 0 : 1;
    case app::Invocation::Action::complain:
        break;
    }
    std::fputs(invocation.text.c_str(), stderr);
    return app::exit_usage;
}
