#pragma once
// Scripts with which a shell completes the words of a program: its commands and flags, from the same table as
// --help. Values of flags are completed where they are files (FILE) or folders (DIR).
#include <string>

namespace CLI {
class App;
}

namespace slashpost::admin {

// For bash, to be read by it or to lie where bash-completion looks for it.
[[nodiscard]] std::string bash_completion(const CLI::App& program);
// For zsh, as the function _PROGRAM.
[[nodiscard]] std::string zsh_completion(const CLI::App& program);

} // namespace slashpost::admin
