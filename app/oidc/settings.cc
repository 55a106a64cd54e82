#include "app/oidc/settings.h"

#include "app/oidc/provider.h"
#include "app/setting_kinds.h"
#include "core/base/errors.h"

#include <fmt/format.h>

namespace slashpost::oidc {

namespace {

using app::Config;
using app::Setting;

constexpr long whole_seconds_max = 10; // somebody waits in front of their browser

Setting client_secret() {
    return {.name = "oidc-client-secret",
            .hint = "SECRET",
            .fallback = "",
            .bounds = "any text",
            .help = "What the provider has given this server to prove itself with. Better given with "
                    "--oidc-client-secret-file than as a flag, which everybody on the machine can see.",
            .set =
                [](Config& config, std::string_view text) {
                    config.oidc_client_secret = text;
                    return true;
                },
            .get = [](const Config& config) { return config.oidc_client_secret; },
            .is_secret = true};
}

// "https://sso.example.com/realms/main" -> "sso.example.com"
std::string host_in(std::string_view url) {
    const auto begin = url.find("//") + 2;
    return std::string(url.substr(begin, url.find_first_of("/:", begin) - begin));
}

} // namespace

std::vector<Setting> settings() {
    return {
        app::address("oidc-issuer", "URL", &Config::oidc_issuer, app::parse_issuer,
                     "an https address without a query as the provider writes it, or an http one of this "
                     "machine",
                     "The provider (OpenID Connect) that people may sign in to the dashboard with. It has to "
                     "send them back to /sign-in/provider there. Default: none."),
        app::address("oidc-client-id", "ID", &Config::oidc_client_id, app::parse_login,
                     "a name without control characters",
                     "As what the provider knows this server; needed with --oidc-issuer."),
        client_secret(),
        app::path(
            "oidc-client-secret-file", "FILE", "", &Config::oidc_client_secret_file,
            "The file that holds the secret of --oidc-client-id as its only line. Default: the provider "
            "asks for none."),
        app::address("oidc-name", "TEXT", &Config::oidc_name, app::parse_login,
                     "a name without control characters",
                     "What the provider is called on the page to sign in. Default: its host."),
        app::list("oidc-email-domains", "HOST,...", &Config::oidc_email_domains, app::parse_host,
                  "host names separated by commas",
                  "Only people whose e-mail address, as the provider has proved it, is at one of these hosts "
                  "sign in with it. Default: everybody whom it knows."),
        app::choice<bool>("oidc-link-by-email", "off or on", &Config::oidc_links_by_email,
                          {{"off", false}, {"on", true}}, 0,
                          "on: who comes from the provider for the first time gets the account that has "
                          "their proved e-mail address, unless it is an operator's. off: its owner connects "
                          "it while signed in. Needs --oidc-email-domains."),
        app::choice<bool>("oidc-newcomers", "off or on", &Config::oidc_admits_newcomers,
                          {{"off", false}, {"on", true}}, 0,
                          "on: who comes from the provider and has no account gets one; off: only who is "
                          "invited. Needs --oidc-email-domains."),
        app::path("oidc-ca", "FILE", "", &Config::oidc_ca,
                  "Certificates to trust at the provider, as PEM. Default: the system's."),
    };
}

Result<void> check_settings(const Config& config) {
    if (config.oidc_issuer.empty())
        return {};
    if (config.oidc_client_id.empty())
        return malformed("oidc-client-id: a provider is set with oidc-issuer, so give the name by which it "
                         "knows this server");
    const auto* const trusting = config.oidc_links_by_email     ? "oidc-link-by-email"
                                 : config.oidc_admits_newcomers ? "oidc-newcomers"
                                                                : nullptr;
    if (trusting != nullptr && config.oidc_email_domains.empty())
        return malformed(fmt::format("{}: it would let in everybody whom the provider knows, so give "
                                     "oidc-email-domains, or take it away",
                                     trusting));
    return {};
}

ProviderRules rules_of(const Config& config) {
    return {.email_domains = config.oidc_email_domains,
            .connects_by_email = config.oidc_links_by_email,
            .admits_newcomers = config.oidc_admits_newcomers};
}

std::unique_ptr<dashboard::Provider> provider_of(const Config& config, const Clock& clock, app::Log& log) {
    if (config.oidc_issuer.empty())
        return nullptr;
    const app::WebOptions web{.whom = "the provider to sign in with",
                              .ca_file = config.oidc_ca.string(),
                              .plain = config.oidc_issuer.starts_with("http://"),
                              .whole_max = whole_seconds_max};
    return std::make_unique<Provider>(
        ProviderOptions{.issuer = config.oidc_issuer,
                        .client_id = config.oidc_client_id,
                        .client_secret = config.oidc_client_secret,
                        .name = config.oidc_name.empty() ? host_in(config.oidc_issuer) : config.oidc_name,
                        .redirect_url = fmt::format("{}/sign-in/provider", config.dashboard_url())},
        clock, [web] { return app::make_web(web); },
        [&log](const std::string& reason) {
            log.warn("nobody signs in with the provider", {{"reason", reason}});
        });
}

} // namespace slashpost::oidc
