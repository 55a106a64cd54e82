#pragma once
// What the parts of the server are given of its settings.
#include "app/acme/challenges.h"
#include "app/acme/issuer.h"
#include "app/admin/admin_context.h"
#include "app/config.h"
#include "app/dns/txt_resolver.h"
#include "app/hooks/page_reader.h"
#include "app/inherited_sockets.h"
#include "app/log.h"
#include "http/api/dispatch.h"
#include "http/api/mcp.h"
#include "http/dashboard/dashboard.h"
#include "http/server/certificates.h"
#include "http/server/server.h"

#include <functional>
#include <memory>
#include <string_view>

namespace slashpost::app {

// Null when nothing is served with TLS. `log` and `challenges` must outlive it.
[[nodiscard]] std::unique_ptr<http::Certificates> certificates_of(const Config& config, Log& log,
                                                                  const acme::Challenges& challenges);

// Of a server that gets certificates by itself and listens for plain HTTP at `http_port`.
[[nodiscard]] acme::IssuerOptions issuer_options(const Config& config, std::uint16_t http_port);

// What domains say of their encryption: whether a certificate covers the host. Empty when links are not
// served with TLS. `certificates` must outlive it.
[[nodiscard]] std::function<bool(std::string_view)> certificate_check(const Config& config,
                                                                      const http::Certificates* certificates);

// Those of the operator's folder, as the admin tool lists them.
[[nodiscard]] std::vector<admin::OperatorCertificate>
admin_certificates(const http::Certificates& certificates);

// All but `config` must outlive the server.
[[nodiscard]] http::ServerOptions server_options(const Config& config, api::Api& api, const api::Mcp& mcp,
                                                 const http::KeyAccounts& key_accounts,
                                                 const http::Certificates* certificates,
                                                 const InheritedSockets& sockets,
                                                 const acme::Challenges& challenges);

// Of a configuration that has a dashboard. `certificates` and `sockets` must outlive the dashboard.
[[nodiscard]] dashboard::Options dashboard_options(const Config& config,
                                                   const http::Certificates* certificates,
                                                   const InheritedSockets& sockets);

// Whose visits are no clicks, as the redirector asks (core/redirect/redirector.h). Empty: nobody's.
[[nodiscard]] std::function<bool(const redirect::Address&)> ignored_visitors(const Config& config);

[[nodiscard]] dns::TxtResolver::Options resolver_options(const Config& config);
[[nodiscard]] PageReader::Options page_options(const Config& config);

} // namespace slashpost::app
