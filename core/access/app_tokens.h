#pragma once
// The texts that applications of others show: codes, access tokens and refresh tokens
// (core/model/application.h). Each says which grant it is of, and has 256 random bits, of which the grant has
// a hash.
//
//   spa_ | id of the grant, 32 characters | 64 characters
#include "core/base/random.h"
#include "core/base/result.h"
#include "core/data/engine.h"
#include "core/model/application.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slashpost {

enum class AppTokenKind : std::uint8_t { code, access, refresh };

std::string make_app_token(AppTokenKind kind, GrantId grant, Random& random);
// Whose it says that it is; nothing for what has not the form of that kind.
std::optional<GrantId> grant_of_token(AppTokenKind kind, std::string_view text);

// Whether it is the grant's access token or the one before, and good at `now`.
bool opens(const Grant& grant, std::string_view access_token, Timestamp now);
// What the present access token may: all that the grant may, or less.
const std::vector<AppScope>& present_scopes(const Grant& grant);
// What an access token of the grant may, this one or the one before; for a token that `opens`.
const std::vector<AppScope>& scopes_of(const Grant& grant, std::string_view access_token);

// The application, unless who registered it is not let in any more; nothing when there is none.
Result<std::optional<Application>> application_in_force(data::View& view, ApplicationId id);

} // namespace slashpost
