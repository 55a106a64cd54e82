#pragma once
// From which commit of the sources the program was built.
#include <string_view>

namespace slashpost {

// " (3f2a9c1d0b7e)", to stand behind the version; empty where the sources came without git and do not say it
// (CMakeLists.txt).
std::string_view commit_mark();

} // namespace slashpost
