#pragma once
// Everything the server knows about itself as Prometheus families, for the ops listener.
#include "app/acme/issuer.h"
#include "app/installation.h"
#include "http/api/dispatch.h"
#include "http/dashboard/health.h"
#include "http/server/certificates.h"
#include "http/server/ops.h"
#include "http/server/server.h"

#include <filesystem>

namespace slashpost::app {

// `certificates` is null without HTTPS, `issuer` where the server gets none by itself.
http::Families collect_metrics(const Installation& installation, const api::Api& api,
                               const http::Server& server, const http::Certificates* certificates,
                               const acme::Issuer* issuer);

// The same for the operators' page, without whether it is ready. `data` is the folder with the data.
dashboard::Health health_of(const Installation& installation, const http::Certificates* certificates,
                            const std::filesystem::path& data);

} // namespace slashpost::app
