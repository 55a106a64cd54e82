#pragma once
// The server from its first to its last moment: store, API, redirects, operations, admin socket, signals.
#include "app/config.h"
#include "app/inherited_sockets.h"
#include "app/supervisor.h"

namespace slashpost::app {

// Runs until SIGTERM or SIGINT. Answers the exit code: 0 after an orderly stop, 1 when it could not start or
// something was left undone. `warnings` go to the log first. `sockets` are those that the
// configuration was made with. To be called before any thread is started.
int serve(const Config& config, std::span<const std::string> warnings, const InheritedSockets& sockets,
          Supervisor supervisor);

} // namespace slashpost::app
