#pragma once
// The file of countries that the operator has set, with what is new of it in the log.
#include "app/config.h"
#include "app/geo/country_file.h"
#include "app/log.h"

#include <memory>

namespace slashpost::app {

// Null when none is set. `log` outlives it.
std::unique_ptr<geo::CountryFile> countries_of(const Config& config, Log& log);

} // namespace slashpost::app
