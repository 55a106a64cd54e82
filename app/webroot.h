#pragma once
// The folder in which whoever asks for a certificate leaves what its authority looks for (--acme-webroot).
#include "app/config.h"
#include "core/base/result.h"

namespace slashpost::app {

// Makes the folder of the settings, if they name one: certbot --webroot wants it to be there. Fails with a
// sentence for the operator when it cannot be made or read.
Result<void> make_webroot(const Config& config);

} // namespace slashpost::app
