#pragma once
// Signing in on the word of a provider (OpenID Connect): whose account it is that somebody comes to. What the
// provider says was checked before (app/oidc).
//
// A person is known by issuer and subject, and by nothing else: whoever gets somebody's old address at the
// provider does not get their account. A first time leads to an account by its owner's consent, who connects
// it while signed in, or, where the operator lets it, by a proved e-mail address.
#include "core/ops/sessions.h"
#include "core/ops/sign_in.h"

namespace slashpost {

struct ProvenIdentity {
    std::string issuer;
    std::string subject;
    std::string email;              // of which the provider says that it is proved; empty: there is none
    std::string full_name;          // may be empty
    bool had_second_factor = false; // the provider says that it asked for one
};

struct ProviderSignIn {
    std::optional<OpenedSession> session;
    std::string token; // not empty: the account asks for its second factor, with which this signs in
};
// Fails as refused: EmailNotAllowed, AccountExists (and is not connected), NoAccount, AnotherIdentity,
// AccountSuspended. Whoever has an open invite to their proved address, or is a newcomer where those are let
// in, gets an account without a password.
Result<ProviderSignIn> sign_in_with_identity(SystemContext& system, const ProvenIdentity& who,
                                             const std::string& user_agent);

// Who the caller is at the provider; nothing: they have not said so.
Result<std::optional<Identity>> identity_of(Context& ctx);
// The caller's from now on, in place of one before. Fails as refused: EmailNotAllowed, or IdentityTaken when
// it is that of another account.
Result<void> connect_identity(Context& ctx, const ProvenIdentity& who);
// Fails as refused with NoPassword when there is no other way in, and as not found.
Result<void> disconnect_identity(Context& ctx);

} // namespace slashpost
