#pragma once
// What is given and not used, or not wisely given: words for the log at the start, each with what to do.
#include "app/config.h"

#include <string>
#include <vector>

namespace slashpost::app {

// A sentence for each setting that does nothing without another one, each variable of the environment that
// looks like a setting and is none, and each secret that others can read.
std::vector<std::string> warnings_of(const Config& config, const Layers& layers,
                                     const Environment& environment);

} // namespace slashpost::app
