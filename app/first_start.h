#pragma once
// What whoever starts the server is told: at the first start the key and how to use it, at every start which
// settings of domains come too late.
#include "app/installation.h"
#include "app/log.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace slashpost::app {

// To standard output, at once. False when nobody can have read it.
bool say(const std::string& text);

// "http://localhost:8080": where a browser on this machine reaches a server that listens there.
std::string base_url(std::string_view scheme, const std::string& address, std::uint16_t port);

// The ports that are listened on; `tls` is 0 when there is none.
struct Ports {
    std::uint16_t plain = 0;
    std::uint16_t tls = 0;
};
// What curl is to be told on this machine to reach the links of the API: its address, and the host that
// answers it, when not every one does. `has_certificate` says of hosts whether the plain port may lead to
// HTTPS; it may be empty.
std::string links_call(const Config& config, const Ports& ports,
                       const std::function<bool(std::string_view)>& has_certificate);

// In an empty store: account, domain and key, told to whoever started the server and to nobody else, or
// written to a file that is theirs. Fails, with nothing made, when that file cannot be made. `call` as
// links_call has it; `dashboard` is what addresses of the dashboard begin with, empty when there is none.
Result<void> install_if_new(const Config& config, Installation& installation, const std::string& call,
                            const std::string& dashboard, Log& log);

// What to do when --domain is given to a store that has other domains, or when visitors of other machines
// come to a store whose links are all on a name of this machine. Nothing when neither is so.
Result<std::optional<std::string>> domain_warning(const Config& config, data::Engine& engine);

// What to do when the store has domains on the host of the dashboard (core/ops/dashboard_host.h), which the
// server lets nobody make: they are older than --dashboard-host, or were restored. Nothing when there are
// none.
Result<std::optional<std::string>> dashboard_warning(const Config& config, const Settings& settings,
                                                     data::Engine& engine);

// Writes both warnings.
Result<void> warn_of_domains(const Config& config, Installation& installation, Log& log);

} // namespace slashpost::app
