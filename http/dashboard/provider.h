#pragma once
// The provider that people may sign in with (OpenID Connect), as far as the dashboard has to do with it;
// app/oidc is the one that speaks with it.
#include "core/ops/identities.h"
#include "core/ops/provider_visits.h"

#include <string>

namespace slashpost::dashboard {

// What the provider has sent a browser back with.
struct ProviderAnswer {
    std::string code;
    std::string issuer; // who says that it sent it (RFC 9207); empty: it did not say
};

// Safe to use from any thread. Both calls may ask the provider over the network, within bounded time; they
// fail as unavailable when it does not answer, and as refused with ProviderFailed when what it says is wrong.
class Provider {
  public:
    virtual ~Provider() = default;

    // As people know it.
    [[nodiscard]] virtual const std::string& name() const = 0;
    // Where the browser goes to be asked who its person is.
    virtual Result<std::string> address_for(const ProviderVisit& visit) = 0;
    // Who came back. Everything that the provider says was checked.
    virtual Result<ProvenIdentity> redeem(const ProviderVisit& visit, const ProviderAnswer& answer) = 0;
};

} // namespace slashpost::dashboard
