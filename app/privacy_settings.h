#pragma once
// Rows of the table of settings: what is kept of visitors and of what was deleted, and for how long.
#include "app/config.h"

#include <vector>

namespace slashpost::app {

std::vector<Setting> privacy_settings();

} // namespace slashpost::app
