#pragma once
// What whoever starts the server is told: at the first start the key and how to use it, at every start which
// settings of domains come too late.
#include "app/log.h"
#include "app/site.h"

#include <string>
#include <string_view>

namespace slashpost::app {

// To standard output, at once. False when nobody can have read it.
bool say(const std::string& text);

// "http://localhost:8080": where a browser on this machine reaches a server that listens there.
std::string base_url(std::string_view scheme, const std::string& address, std::uint16_t port);

// In an empty store: account, domain and key, told to whoever started the server and to nobody else. `url` is
// where this machine reaches the server.
Result<void> install_if_new(const Config& config, Site& site, const std::string& url, Log& log);

// What to do when --domain is given to a store that has other domains, or when visitors of other machines
// come to a store whose links are all on a name of this machine. Nothing when neither is so.
Result<std::optional<std::string>> domain_warning(const Config& config, data::Engine& engine);

} // namespace slashpost::app
