#include "app/acme/settings.h"

#include "app/setting_kinds.h"

namespace slashpost::acme {

using app::address, app::choice, app::Config, app::parse_acme_directory, app::parse_email, app::path,
    app::Setting;

namespace {

Setting directory() {
    return {
        .name = "acme",
        .hint = "off|letsencrypt|URL",
        .fallback = "off",
        .bounds = "off, letsencrypt, or the https address of an authority's directory",
        .help = "The certificate authority that the server gets a certificate from, by ACME, for every "
                "verified domain that has none in --certificates. Naming one accepts its terms of "
                "service.",
        .set =
            [](Config& config, std::string_view text) {
                const bool is_off = text.empty() || text == "off";
                config.acme = is_off ? "" : parse_acme_directory(text).value_or("");
                return is_off || !config.acme.empty();
            },
        .get = [](const Config& config) { return config.acme.empty() ? std::string("off") : config.acme; }};
}

} // namespace

std::vector<Setting> settings() {
    return {
        directory(),
        address("acme-email", "ADDRESS", &Config::acme_email, parse_email, "an e-mail address",
                "Where the authority of --acme may write to. Default: it is told none."),
        path("acme-ca", "FILE", "", &Config::acme_ca,
             "Certificates to trust at the authority of --acme, as PEM, when it is one of your own. Default: "
             "the system's."),
        choice<Method>(
            "acme-challenge", "auto, http-01 or tls-alpn-01", &Config::acme_challenge,
            {{"auto", Method::automatic}, {"http-01", Method::http_01}, {"tls-alpn-01", Method::tls_alpn_01}},
            0,
            "How the authority sees that a domain is ours: over HTTP at port 80 or over TLS at "
            "port 443, which have to lead to this server. auto: HTTP when --listen has port "
            "80, else TLS."),
    };
}

} // namespace slashpost::acme
