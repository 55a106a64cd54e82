#pragma once
// Which addresses this server connects to for a tenant: those of the public internet that are not this
// machine's own, and those that the operator allows (--webhook-allow).
#include "http/server/client_address.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <vector>

namespace slashpost::app {

// Immutable; safe to use from any thread.
class Reachable {
  public:
    // Networks in the form of parse_network.
    explicit Reachable(const std::vector<std::string>& allowed) : allowed_(allowed) {}

    // Whether to connect there. `address` is what the system's connect() will be given: whatever a name meant
    // a moment ago does not matter. Only IPv4 and IPv6, and the ports 443, 80 and those from 1024 on.
    [[nodiscard]] bool covers(const sockaddr* address) const;
    // Of a host in the form of browser_host: true for a name, whose addresses are looked at when they are
    // known.
    [[nodiscard]] bool covers_host(std::string_view host) const;

  private:
    [[nodiscard]] bool covers(const redirect::Address& address) const;

    http::TrustedProxies allowed_;
};

} // namespace slashpost::app
