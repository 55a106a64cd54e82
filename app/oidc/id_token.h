#pragma once
// ID tokens of OpenID Connect Core 1.0: a JWS (RFC 7515) in which a provider says who has signed in.
#include "app/oidc/json_text.h"
#include "app/oidc/web_keys.h"
#include "core/base/time.h"

#include <string>
#include <string_view>

namespace slashpost::oidc {

inline constexpr std::size_t id_token_bytes_max = std::size_t{32} * 1024;
inline constexpr std::int64_t clock_leeway_seconds = 60; // that our clocks may differ
inline constexpr std::int64_t token_age_seconds_max = 10LL * 60;

// "What the provider says is not right: ...": refused with ProviderFailed.
std::unexpected<Error> wrong(std::string_view what);

// A token whose signature nobody has looked at.
struct IdToken {
    Algorithm algorithm = Algorithm::rs256;
    std::string key_id; // may be empty
    std::string text;   // that is signed
    std::string signature;
    json::object claims;
};
// Fails as wrong, also for every algorithm but those of web_keys.h.
Result<IdToken> read_id_token(std::string_view token);

struct Expected {
    std::string issuer;
    std::string client_id;
    std::string nonce;
    Timestamp now;
};
// Everything that has to be looked at: the signature, who says it, to whom, about whom, when, and for which
// question of ours. Fails as wrong.
Result<void> check_id_token(const IdToken& token, const WebKeys& keys, const Expected& expected);

} // namespace slashpost::oidc
