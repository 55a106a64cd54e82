#pragma once
// What a browser keeps while its person is away at the provider: sealed, so that it says nothing to who has
// it, and nobody but this installation makes one. What was asked of the provider follows from it, so the
// answer to one browser's question is worth nothing in another browser.
#include "core/access/context.h"

namespace slashpost {

inline constexpr std::int64_t provider_visit_seconds = 15LL * 60;

struct ProviderVisit {
    std::string secret; // 64 hexadecimal characters
    AccountId connects; // whose account the person there is connected with; empty: they sign in
    Timestamp begun_at;

    // As base64url of 32 bytes each, none of which tells of another one.
    [[nodiscard]] std::string state() const;    // goes to the provider and comes back with the person
    [[nodiscard]] std::string nonce() const;    // comes back in what the provider has signed
    [[nodiscard]] std::string verifier() const; // of PKCE (RFC 7636): shown to the provider at the end
};

struct BegunVisit {
    ProviderVisit visit;
    std::string sealed; // base64url, for a cookie
};
Result<BegunVisit> begin_provider_visit(SystemContext& system, AccountId connects);
// Nothing when this installation did not make it, or more than provider_visit_seconds ago.
Result<std::optional<ProviderVisit>> open_provider_visit(SystemContext& system, std::string_view sealed);

} // namespace slashpost
