#pragma once
// What an admin command works with, whether it runs in the tool on a folder of its own or inside the server.
#include "core/access/service.h"
#include "core/data/engine.h"

#include <functional>

namespace slashpost::admin {

struct House {
    data::Engine& engine;
    Service& service; // writes go through it, so that a running server's memory follows them
    const Clock& clock;
    // When it returns, every click in the journal is in the store.
    std::function<Result<void>()> fold_clicks;
};

} // namespace slashpost::admin
