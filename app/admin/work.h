#pragma once
// How commands join the command line: each adds its sub-commands and says what work a chosen one stands for.
#include "app/admin/admin_context.h"
#include "app/admin/console.h"

#include <filesystem>
#include <functional>
#include <string>

namespace CLI {
class App;
}

namespace slashpost::admin {

using Work = std::function<Result<int>(AdminContext&, Console&)>;
using OnCommand = std::function<void(CLI::App& command, Work work)>;
// Of a command that reads files: `open` opens them, unless it was done.
using OpenFiles = std::function<Result<void>()>;
using OnReading = std::function<void(CLI::App& command, OpenFiles open, Work work)>;

// Of a command that needs no store that is open.
using Errand = std::function<Result<int>(const std::filesystem::path& data, Console&)>;
using OnErrand = std::function<void(CLI::App& command, Errand errand)>;

// Of a command whose result goes into a file, if it names one: "-" is standard output.
using OnWriting = std::function<void(CLI::App& command, std::function<std::string()> file, Work work)>;

} // namespace slashpost::admin
