#include "http/dashboard/token_calls.h"

#include "core/base/base64.h"
#include "core/base/percent.h"
#include "core/base/text.h"
#include "core/ops/grants.h"
#include "http/wire/decode.h"

#include <boost/json.hpp>

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace slashpost::dashboard {

namespace json = boost::json;

namespace {

constexpr std::string_view token_path = "/connect/token", revocation_path = "/connect/revocation",
                           introspection_path = "/connect/introspect",
                           metadata_path = "/.well-known/oauth-authorization-server";

std::unexpected<AppRefusal> refuse(std::string_view code, std::string_view description) {
    return std::unexpected(AppRefusal{.code = std::string(code), .description = std::string(description)});
}

http::Reply reply(unsigned status, std::string body) {
    http::Reply out{.status = status,
                    .headers = {{"Access-Control-Allow-Origin", "*"}, {"Cache-Control", "no-store"}},
                    .body = std::move(body)};
    if (!out.body.empty())
        out.headers.push_back({"Content-Type", "application/json"});
    return out;
}

http::Reply refusal_reply(const AppRefusal& refusal, bool by_header) {
    const bool who = refusal.code == "invalid_client";
    auto out = reply(
        who ? 401 : 400,
        json::serialize(json::object{{"error", refusal.code}, {"error_description", refusal.description}}));
    if (who && by_header)
        out.headers.push_back({"WWW-Authenticate", "Basic realm=\"slashpost\""});
    return out;
}

// What a form says, each parameter once.
class Form {
  public:
    explicit Form(wire::Tree tree) : tree_(std::move(tree)) {}
    [[nodiscard]] std::string at(std::string_view name) const {
        const auto values = wire::texts_at(tree_, {name});
        return values.size() == 1 ? std::string(values.front()) : std::string();
    }
    [[nodiscard]] bool repeats(std::string_view name) const {
        return wire::texts_at(tree_, {name}).size() > 1;
    }

  private:
    wire::Tree tree_;
};

constexpr std::array<std::string_view, 9> parameters{"grant_type",    "code",          "redirect_uri",
                                                     "client_id",     "client_secret", "code_verifier",
                                                     "refresh_token", "token",         "scope"};

Result<OrRefusal<Form>> read_form(const http::Request& request) {
    const auto type = request.header("content-type").value_or("");
    if (lower_ascii(trim(type.substr(0, type.find(';')))) != "application/x-www-form-urlencoded")
        return OrRefusal<Form>(refuse("invalid_request", "Send a form: application/x-www-form-urlencoded."));
    auto tree = wire::parse_form(request.body);
    if (!tree.has_value())
        return OrRefusal<Form>(refuse("invalid_request", "The form cannot be read."));
    Form form(*std::move(tree));
    if (std::ranges::any_of(parameters, [&](std::string_view name) { return form.repeats(name); }))
        return OrRefusal<Form>(refuse("invalid_request", "The form says something twice."));
    return OrRefusal<Form>(std::move(form));
}

// Who it says that it is.
struct Names {
    std::string id, secret;
};

std::optional<Names> read_basic(std::string_view header) {
    constexpr std::string_view scheme = "basic ";
    if (lower_ascii(header.substr(0, scheme.size())) != scheme)
        return std::nullopt;
    const auto text = base64_decoded(trim(header.substr(scheme.size())));
    const auto colon = text ? text->find(':') : std::string::npos;
    if (colon == std::string::npos)
        return Names{};
    return Names{.id = percent_decoded(text->substr(0, colon)),
                 .secret = percent_decoded(text->substr(colon + 1))};
}

OrRefusal<Names> read_names(const http::Request& request, const Form& form) {
    Names posted{.id = form.at("client_id"), .secret = form.at("client_secret")};
    const auto header = request.header("authorization");
    if (!header)
        return posted;
    auto basic = read_basic(*header);
    if (!basic)
        return refuse("invalid_client", "Only Basic is known in the header Authorization.");
    if (!posted.secret.empty() || (!posted.id.empty() && posted.id != basic->id))
        return refuse("invalid_request", "Say who you are in one way only.");
    return *std::move(basic);
}

json::object tokens_json(const IssuedTokens& tokens) {
    json::object out{{"access_token", tokens.access},
                     {"token_type", "Bearer"},
                     {"expires_in", tokens.expires_in_seconds},
                     {"scope", scope_text(tokens.scopes)}};
    if (!tokens.refresh.empty())
        out["refresh_token"] = tokens.refresh;
    return out;
}

Result<OrRefusal<http::Reply>> give_tokens(SystemContext& system, const Application& application,
                                           const Form& form) {
    const auto kind = form.at("grant_type");
    if (kind != "authorization_code" && kind != "refresh_token")
        return OrRefusal<http::Reply>(
            kind.empty() ? refuse("invalid_request", "grant_type is missing.")
                         : refuse("unsupported_grant_type",
                                  "grant_type must be authorization_code or refresh_token."));
    const auto tokens =
        kind == "refresh_token"
            ? TRY(refresh_tokens(system, application, form.at("refresh_token"), form.at("scope")))
            : TRY(exchange_code(system, application,
                                {.code = form.at("code"),
                                 .redirect = form.at("redirect_uri"),
                                 .verifier = form.at("code_verifier")}));
    if (!tokens.has_value())
        return OrRefusal<http::Reply>(std::unexpected(tokens.error()));
    return OrRefusal<http::Reply>(reply(200, json::serialize(tokens_json(*tokens))));
}

Result<OrRefusal<http::Reply>> introspect(SystemContext& system, const Application& application,
                                          const Form& form) {
    if (!application.keeps_secret())
        return OrRefusal<http::Reply>(
            refuse("invalid_client", "Only an application with a secret may look at tokens."));
    const auto facts = TRY(look_at_token(system, application, form.at("token")));
    json::object out{{"active", facts.has_value()}};
    if (facts) {
        out["scope"] = scope_text(facts->scopes);
        out["client_id"] = application.id.hex();
        out["username"] = facts->username;
        out["sub"] = facts->account.hex();
        out["exp"] = facts->ends_at.ms / 1000;
        out["token_type"] = facts->is_refresh ? "refresh_token" : "Bearer";
        out["iss"] = system.tools.settings.dashboard_url;
    }
    return OrRefusal<http::Reply>(reply(200, json::serialize(out)));
}

} // namespace

bool TokenCalls::takes(std::string_view path) {
    return path == token_path || path == revocation_path || path == introspection_path ||
           path == metadata_path;
}

Result<http::Reply> TokenCalls::answer(const http::Request& request, std::string_view path) {
    const bool reads = request.method == http::Method::get || request.method == http::Method::head;
    const bool shows = path == metadata_path;
    if (request.method == http::Method::options) { // a page of an application asks before it sends
        auto out = reply(204, {});
        out.headers.push_back(
            {"Access-Control-Allow-Methods", shows ? "GET, HEAD, OPTIONS" : "POST, OPTIONS"});
        out.headers.push_back({"Access-Control-Allow-Headers", "authorization, content-type"});
        return out;
    }
    if (shows ? !reads : request.method != http::Method::post) {
        auto out = reply(405, {});
        out.headers.push_back({"Allow", shows ? "GET, HEAD, OPTIONS" : "POST, OPTIONS"});
        return out;
    }
    if (shows)
        return metadata();
    auto answered = TRY(post(request, path));
    return answered.has_value()
               ? *std::move(answered)
               : refusal_reply(answered.error(), request.header("authorization").has_value());
}

Result<OrRefusal<http::Reply>> TokenCalls::post(const http::Request& request, std::string_view path) {
    const auto form = TRY(read_form(request));
    if (!form.has_value())
        return OrRefusal<http::Reply>(std::unexpected(form.error()));
    const auto names = read_names(request, *form);
    if (!names.has_value())
        return OrRefusal<http::Reply>(std::unexpected(names.error()));
    return service_.run_as_operator([&](SystemContext& system) -> Result<OrRefusal<http::Reply>> {
        const auto application = TRY(identify_application(system.txn, names->id, names->secret));
        if (!application)
            return OrRefusal<http::Reply>(
                refuse("invalid_client", "client_id and client_secret are not those of an application."));
        if (path == token_path)
            return give_tokens(system, *application, *form);
        if (path == introspection_path)
            return introspect(system, *application, *form);
        TRY(revoke_app_token(system, *application, form->at("token")));
        return OrRefusal<http::Reply>(reply(200, {}));
    });
}

http::Reply TokenCalls::metadata() const {
    json::array scopes;
    for (const auto& [name, scope] : app_scopes)
        scopes.emplace_back(name);
    const auto& base = settings_.dashboard_url;
    const json::array methods{"none", "client_secret_basic", "client_secret_post"};
    return reply(200, json::serialize(json::object{
                          {"issuer", base},
                          {"authorization_endpoint", fmt::format("{}/connect/authorize", base)},
                          {"token_endpoint", fmt::format("{}{}", base, token_path)},
                          {"revocation_endpoint", fmt::format("{}{}", base, revocation_path)},
                          {"introspection_endpoint", fmt::format("{}{}", base, introspection_path)},
                          {"scopes_supported", std::move(scopes)},
                          {"response_types_supported", json::array{"code"}},
                          {"response_modes_supported", json::array{"query", "form_post"}},
                          {"grant_types_supported", json::array{"authorization_code", "refresh_token"}},
                          {"code_challenge_methods_supported", json::array{"S256"}},
                          {"token_endpoint_auth_methods_supported", methods},
                          {"revocation_endpoint_auth_methods_supported", methods},
                          {"introspection_endpoint_auth_methods_supported",
                           json::array{"client_secret_basic", "client_secret_post"}},
                          {"authorization_response_iss_parameter_supported", true}}));
}

} // namespace slashpost::dashboard
