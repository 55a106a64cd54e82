#pragma once
// Rows of the table of settings: backups that the server makes.
#include "app/config.h"

#include <vector>

namespace slashpost::app {

std::vector<Setting> backup_settings();

} // namespace slashpost::app
