#pragma once
// How commands join the command line: each adds its sub-commands and says what work a chosen one stands for.
#include "tools/admin/console.h"
#include "tools/admin/house.h"

#include <functional>

namespace CLI {
class App;
}

namespace slashpost::admin {

using Work = std::function<Result<int>(House&, Console&)>;
using OnCommand = std::function<void(CLI::App& command, Work work)>;

} // namespace slashpost::admin
