#include "app/oidc/id_token.h"

#include "core/base/base64.h"
#include "core/base/errors.h"
#include "core/base/secret.h"

#include <fmt/format.h>

namespace slashpost::oidc {

namespace {

constexpr std::size_t subject_bytes_max = 255; // Core 1.0, 2

// Seconds since 1970 of a number, which may have a fraction (RFC 7519, 2); nothing for what is none.
std::optional<std::int64_t> seconds_of(const json::object& claims, std::string_view name) {
    constexpr double seconds_max = 1e11; // the year 5138
    const auto* const value = claims.if_contains(name);
    if (value == nullptr || !value->is_number())
        return std::nullopt;
    const auto seconds = value->to_number<double>();
    return seconds >= 0 && seconds <= seconds_max ? std::optional(static_cast<std::int64_t>(seconds))
                                                  : std::nullopt;
}

Result<void> check_audience(const json::object& claims, const std::string& client_id) {
    const auto* const audience = claims.if_contains("aud");
    const bool is_list = audience != nullptr && audience->is_array();
    if (is_list ? !list_has(claims, "aud", client_id) : text_of(claims, "aud") != client_id)
        return wrong("it is for another application (aud)");
    // Of several, it has to say which one asked.
    const bool names_party = claims.contains("azp");
    if ((names_party && text_of(claims, "azp") != client_id) ||
        (!names_party && is_list && audience->get_array().size() > 1))
        return wrong("another application has asked for it (azp)");
    return {};
}

Result<void> check_times(const json::object& claims, Timestamp now) {
    const auto ends = seconds_of(claims, "exp"), begins = seconds_of(claims, "iat");
    const auto second = now.ms / 1000;
    if (!ends || *ends + clock_leeway_seconds <= second)
        return wrong("it has expired (exp); look whether the clocks of both are right");
    if (!begins || *begins > second + clock_leeway_seconds ||
        *begins + token_age_seconds_max + clock_leeway_seconds <= second)
        return wrong("it was made in the future or too long ago (iat); look whether the clocks are right");
    const auto not_before = seconds_of(claims, "nbf");
    if (claims.contains("nbf") && (!not_before || *not_before > second + clock_leeway_seconds))
        return wrong("it does not hold yet (nbf)");
    return {};
}

} // namespace

std::unexpected<Error> wrong(std::string_view what) {
    return refused("ProviderFailed", "session",
                   fmt::format("What the provider says is not right: {}.", what));
}

Result<IdToken> read_id_token(std::string_view token) {
    const auto first = token.find('.'), last = token.rfind('.');
    if (token.size() > id_token_bytes_max || first == token.npos || first == last)
        return wrong("it sends no signed token");
    IdToken out{.key_id = {}, .text = std::string(token.substr(0, last)), .signature = {}, .claims = {}};
    const auto header = from_base64url(token.substr(0, first));
    const auto payload = from_base64url(token.substr(first + 1, last - first - 1));
    const auto signature = from_base64url(token.substr(last + 1));
    const auto said = header ? parse_object(*header) : std::nullopt;
    auto claims = payload ? parse_object(*payload) : std::nullopt;
    if (!said || !claims || !signature)
        return wrong("it sends a token that cannot be read");
    const auto algorithm = algorithm_named(text_of(*said, "alg"));
    if (!algorithm)
        return wrong("its token is signed in a way that is not taken (alg): only RS256, ES256 and EdDSA are");
    if (said->contains("crit"))
        return wrong("its token asks for more than is known here (crit)");
    out.algorithm = *algorithm;
    out.key_id = text_of(*said, "kid");
    out.signature = *signature;
    out.claims = std::move(*claims);
    return out;
}

Result<void> check_id_token(const IdToken& token, const WebKeys& keys, const Expected& expected) {
    if (!keys.verify(token.key_id, token.algorithm, token.text, token.signature))
        return wrong("its token is not signed with its key");
    const auto& claims = token.claims;
    if (text_of(claims, "iss") != expected.issuer)
        return wrong("another provider has made it (iss)");
    TRY(check_audience(claims, expected.client_id));
    TRY(check_times(claims, expected.now));
    if (!equal_in_constant_time(text_of(claims, "nonce"), expected.nonce))
        return wrong("it answers another question (nonce)");
    const auto subject = text_of(claims, "sub");
    if (subject.empty() || subject.size() > subject_bytes_max)
        return wrong("it does not say who you are (sub)");
    return {};
}

} // namespace slashpost::oidc
