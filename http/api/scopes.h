#pragma once
// Which scope the token of an application needs for a call: the one table of that (scopes.cc). What a call
// does is said by its route's guard; what it is about, by its path.
#include "core/access/context.h"
#include "http/api/route.h"

#include <optional>
#include <string_view>
#include <vector>

namespace slashpost::api {

// What the calls of such paths need, of which the first row counts that fits.
struct ScopeRow {
    std::string_view begins, ends; // of the path below /v1; empty: whatever it is
    std::optional<AppScope> read;  // nothing: open to people and their keys only
    std::optional<AppScope> write; // of a guard with Access::write
};

// Nothing: the call is open to no application.
std::optional<AppScope> needed_scope(const Route& route);
// Whether a token with the scopes may be used for the call. What every key is open to, every token is.
bool may_call(const std::vector<AppScope>& scopes, const Route& route);
// What a token that may not is told (RFC 6750, 3.1).
std::unexpected<Error> scope_refused(const Route& route);
// The header WWW-Authenticate of that 403, with the scope, if there is one, and with the address of the
// metadata (http/api/resource_metadata.h) where there is a dashboard. `settings` may be null. `request` is
// what the caller sent: for a tool of an assistant, its message.
http::Header scope_challenge(const Route& route, const Settings* settings, const http::Request& request);

} // namespace slashpost::api
