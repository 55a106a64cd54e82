#include "app/oidc/provider.h"

#include "core/base/base64.h"
#include "core/base/email.h"
#include "core/base/errors.h"
#include "core/base/percent.h"
#include "core/base/secret.h"
#include "core/base/text.h"

#include <array>
#include <fmt/format.h>
#include <utility>

namespace slashpost::oidc {

namespace {

using app::WebAnswer;
using app::WebRequest;

constexpr std::int64_t kept_seconds = 3600;
constexpr std::int64_t keys_again_seconds = 60; // between two looks for a key that is not there
constexpr std::size_t address_bytes_max = 2048;
constexpr std::size_t words_max = 100;

using Parameter = std::pair<std::string_view, std::string_view>;

// "a=1&b=2"
template <std::size_t count>
std::string form_of(const std::array<Parameter, count>& parameters) {
    std::string out;
    for (const auto& [name, value] : parameters) {
        out += fmt::format("{}{}=", out.empty() ? "" : "&", name);
        append_uri_value(out, value);
    }
    return out;
}

std::string basic(std::string_view user, std::string_view password) {
    std::string both; // each as in a form (RFC 6749, 2.3.1)
    append_uri_value(both, user);
    both += ':';
    append_uri_value(both, password);
    return "Basic " + base64(both);
}

// The code of an error as it may be shown; it came from elsewhere.
std::string shown(std::string_view code) {
    return code.size() <= words_max && is_visible_ascii(code) ? std::string(code) : std::string();
}

// The person has shown more than a password (RFC 8176).
bool had_second_factor(const json::object& claims) {
    if (list_has(claims, "amr", "mfa"))
        return true;
    constexpr std::array<std::string_view, 4> things{"otp", "hwk", "swk", "sc"};
    bool has_thing = false;
    for (const auto thing : things)
        has_thing = has_thing || list_has(claims, "amr", thing);
    return has_thing && list_has(claims, "amr", "pwd");
}

} // namespace

template <class T>
Result<T> Provider::told(Result<T> outcome) {
    if (!outcome.has_value() && on_trouble_)
        on_trouble_(outcome.error().message);
    return outcome;
}

// A document may name plain addresses only where the operator has.
bool Provider::may_be_asked(std::string_view url) const {
    const bool plain = options_.issuer.starts_with("http://");
    return (url.starts_with("https://") || (plain && url.starts_with("http://"))) &&
           url.size() <= address_bytes_max && is_visible_ascii(url) && url.find('#') == url.npos;
}

Result<WebAnswer> Provider::send(const WebRequest& request) { return make_web_()->send(request, {}); }

Result<Provider::Document> Provider::read_document(std::string_view text) const {
    const auto object = parse_object(text);
    if (!object)
        return wrong("it publishes no document of OpenID Connect");
    if (text_of(*object, "issuer") != options_.issuer)
        return wrong(fmt::format("its document is that of another issuer than {}", options_.issuer));
    Document out{.authorization = text_of(*object, "authorization_endpoint"),
                 .token = text_of(*object, "token_endpoint"),
                 .keys = text_of(*object, "jwks_uri"),
                 .user_info = text_of(*object, "userinfo_endpoint")};
    if (!may_be_asked(out.authorization) || !may_be_asked(out.token) || !may_be_asked(out.keys) ||
        (!out.user_info.empty() && !may_be_asked(out.user_info)))
        return wrong("its document lacks an address, or has one that is not https");
    constexpr std::string_view ways = "token_endpoint_auth_methods_supported";
    out.takes_secret_in_header = !object->contains(ways) || list_has(*object, ways, "client_secret_basic");
    out.names_itself = is_true(*object, "authorization_response_iss_parameter_supported");
    return out;
}

Result<std::shared_ptr<const Provider::Document>> Provider::document() {
    const auto now = clock_.now();
    {
        const std::lock_guard lock(mutex_);
        if (document_.value && now < document_.since.plus_seconds(kept_seconds))
            return document_.value;
    }
    std::string_view base = options_.issuer;
    if (base.ends_with('/'))
        base.remove_suffix(1);
    const auto answer = TRY(send({.method = WebRequest::Method::get,
                                  .url = fmt::format("{}/.well-known/openid-configuration", base),
                                  .body = {}}));
    if (answer.status != 200)
        return unavailable(fmt::format("The provider does not say where to sign in: there is nothing at "
                                       "{}/.well-known/openid-configuration (HTTP status {}).",
                                       base, answer.status));
    auto read = std::make_shared<const Document>(TRY(read_document(answer.body)));
    const std::lock_guard lock(mutex_);
    document_ = {.value = read, .since = now};
    return read;
}

Result<std::shared_ptr<const WebKeys>> Provider::keys_for(const Document& document, const IdToken& token) {
    const auto now = clock_.now();
    {
        const std::lock_guard lock(mutex_);
        const bool is_kept = keys_.value && now < keys_.since.plus_seconds(kept_seconds);
        // A key that is not there may be one that the provider has just begun to use.
        if (is_kept && (keys_.value->has(token.key_id, token.algorithm) ||
                        now < keys_.since.plus_seconds(keys_again_seconds)))
            return keys_.value;
    }
    const auto answer = TRY(send({.method = WebRequest::Method::get, .url = document.keys, .body = {}}));
    auto read = WebKeys::read(answer.body);
    if (answer.status != 200 || !read.has_value())
        return unavailable(
            fmt::format("The provider does not publish its keys (HTTP status {}).", answer.status));
    auto keys = std::make_shared<const WebKeys>(std::move(*read));
    const std::lock_guard lock(mutex_);
    keys_ = {.value = keys, .since = now};
    return keys;
}

Result<std::string> Provider::address_for(const ProviderVisit& visit) {
    const auto there = TRY(told(document()));
    const auto challenge = base64url(sha256(visit.verifier()));
    const auto state = visit.state(), nonce = visit.nonce();
    return fmt::format("{}{}{}", there->authorization,
                       there->authorization.find('?') == std::string::npos ? '?' : '&',
                       form_of(std::array<Parameter, 8>{{{"response_type", "code"},
                                                         {"client_id", options_.client_id},
                                                         {"redirect_uri", options_.redirect_url},
                                                         {"scope", "openid email profile"},
                                                         {"state", state},
                                                         {"nonce", nonce},
                                                         {"code_challenge", challenge},
                                                         {"code_challenge_method", "S256"}}}));
}

Result<Provider::Tokens> Provider::exchange(const Document& document, const ProviderVisit& visit,
                                            const std::string& code) {
    const auto verifier = visit.verifier();
    WebRequest request{.method = WebRequest::Method::post,
                       .url = document.token,
                       .body = form_of(std::array<Parameter, 5>{{{"grant_type", "authorization_code"},
                                                                 {"code", code},
                                                                 {"redirect_uri", options_.redirect_url},
                                                                 {"code_verifier", verifier},
                                                                 {"client_id", options_.client_id}}}),
                       .content_type = "application/x-www-form-urlencoded"};
    if (!options_.client_secret.empty() && document.takes_secret_in_header)
        request.authorization = basic(options_.client_id, options_.client_secret);
    else if (!options_.client_secret.empty())
        request.body += "&" + form_of(std::array<Parameter, 1>{{{"client_secret", options_.client_secret}}});
    const auto answer = TRY(send(request));
    const auto said = parse_object(answer.body);
    if (answer.status >= 500)
        return unavailable(fmt::format("The provider is in trouble (HTTP status {}).", answer.status));
    if (answer.status != 200 || !said)
        return wrong(fmt::format("it does not take the code that it has given (HTTP status {} {})",
                                 answer.status, said ? shown(text_of(*said, "error")) : std::string()));
    return Tokens{.id_token = text_of(*said, "id_token"), .access_token = text_of(*said, "access_token")};
}

Result<json::object> Provider::ask_for_email(const Document& document, const std::string& access_token,
                                             const json::object& claims) {
    if (claims.contains("email") || document.user_info.empty() || access_token.empty() ||
        !is_visible_ascii(access_token))
        return claims;
    const auto answer = TRY(send({.method = WebRequest::Method::get,
                                  .url = document.user_info,
                                  .body = {},
                                  .authorization = "Bearer " + access_token}));
    const auto said = answer.status == 200 ? parse_object(answer.body) : std::nullopt;
    if (!said)
        return wrong(fmt::format("it does not tell your e-mail address (HTTP status {})", answer.status));
    if (text_of(*said, "sub") != text_of(claims, "sub"))
        return wrong("it tells the e-mail address of somebody else (sub)");
    auto out = claims; // what is signed counts
    for (const auto& member : *said)
        if (!out.contains(member.key()))
            out[member.key()] = member.value();
    return out;
}

Result<ProvenIdentity> Provider::redeem_checked(const ProviderVisit& visit,
                                                const dashboard::ProviderAnswer& answer) {
    const auto there = TRY(document());
    if ((there->names_itself || !answer.issuer.empty()) && answer.issuer != options_.issuer)
        return wrong("another provider has sent you back (iss)");
    const auto tokens = TRY(exchange(*there, visit, answer.code));
    const auto token = TRY(read_id_token(tokens.id_token));
    const auto keys = TRY(keys_for(*there, token));
    TRY(check_id_token(token, *keys,
                       {.issuer = options_.issuer,
                        .client_id = options_.client_id,
                        .nonce = visit.nonce(),
                        .now = clock_.now()}));
    const auto claims = TRY(ask_for_email(*there, tokens.access_token, token.claims));
    ProvenIdentity out{.issuer = options_.issuer,
                       .subject = text_of(token.claims, "sub"),
                       .email = text_of(claims, "email"),
                       .full_name = text_of(claims, "name"),
                       .had_second_factor = had_second_factor(token.claims)};
    if (!is_true(claims, "email_verified") || !is_email(out.email))
        out.email.clear();
    return out;
}

Result<ProvenIdentity> Provider::redeem(const ProviderVisit& visit, const dashboard::ProviderAnswer& answer) {
    return told(redeem_checked(visit, answer));
}

} // namespace slashpost::oidc
