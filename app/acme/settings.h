#pragma once
// The settings of certificates that the server gets by itself.
#include "app/config.h"

#include <vector>

namespace slashpost::acme {

std::vector<app::Setting> settings();

} // namespace slashpost::acme
