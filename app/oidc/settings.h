#pragma once
// The settings of a provider that people may sign in with, and what follows from them.
#include "app/config.h"
#include "app/log.h"
#include "core/access/context.h"
#include "http/dashboard/provider.h"

#include <memory>
#include <vector>

namespace slashpost::oidc {

std::vector<app::Setting> settings();
// Fails with a sentence when they do not belong together.
Result<void> check_settings(const app::Config& config);
[[nodiscard]] ProviderRules rules_of(const app::Config& config);
// Null when there is none. `clock` and `log` outlive it.
[[nodiscard]] std::unique_ptr<dashboard::Provider> provider_of(const app::Config& config, const Clock& clock,
                                                               app::Log& log);

} // namespace slashpost::oidc
