#include "app/options.h"

#include "http/server/client_address.h"

#include <algorithm>
#include <chrono>

namespace slashpost::app {

namespace {

void log_news(Log& log, const http::CertificateNews& news) {
    switch (news.kind) {
    case http::CertificateNews::Kind::loaded:
        return log.info("certificate loaded", {{"certificate", news.folder}});
    case http::CertificateNews::Kind::removed:
        return log.info("certificate removed", {{"certificate", news.folder}});
    case http::CertificateNews::Kind::broken:
        return log.error("certificate is broken; the one before, if any, stays in use",
                         {{"certificate", news.folder}, {"reason", news.reason}});
    }
}

http::HttpsRules https_rules(const Config& config, const http::Certificates* certificates,
                             const acme::Challenges& challenges) {
    using Redirect = http::HttpsRules::Redirect;
    Redirect redirect = Redirect::off;
    if (config.https_redirect != HttpsRedirect::off)
        redirect = config.https_redirect == HttpsRedirect::on ? Redirect::on : Redirect::on_loopback_too;
    http::HttpsRules rules{.redirect = redirect,
                           .certificates = certificates,
                           .https_port = config.https_port,
                           .acme_webroot = config.acme_webroot,
                           .find_challenge = {}};
    if (config.orders_certificates())
        rules.find_challenge = [&challenges](std::string_view token) {
            return challenges.find(ChallengeKind::http, token);
        };
    return rules;
}

} // namespace

std::unique_ptr<http::Certificates> certificates_of(const Config& config, Log& log,
                                                    const acme::Challenges& challenges) {
    if (!config.tls_listen && !config.dashboard_tls_listen)
        return nullptr;
    http::Certificates::Options options{
        .folder = config.certificates,
        .default_host = config.domain_or_default(),
        .report = [&log](const http::CertificateNews& news) { log_news(log, news); },
        .find_challenge = {}};
    if (config.orders_certificates())
        options.find_challenge = [&challenges](std::string_view host) {
            return challenges.find(ChallengeKind::tls_alpn, host);
        };
    return std::make_unique<http::Certificates>(std::move(options));
}

acme::IssuerOptions issuer_options(const Config& config, std::uint16_t http_port) {
    return {.directory = config.acme,
            .email = config.acme_email,
            .method = acme::method_for(config.acme_challenge, {.http_port = http_port, .has_tls = true})};
}

std::vector<admin::OperatorCertificate> admin_certificates(const http::Certificates& certificates) {
    std::vector<admin::OperatorCertificate> out;
    for (const auto& item : certificates.of_operator())
        out.push_back({.folder = item.folder,
                       .names = item.certificate->names(),
                       .not_after = {std::int64_t{item.certificate->expires()} * 1000}});
    return out;
}

std::function<bool(std::string_view)> certificate_check(const Config& config,
                                                        const http::Certificates* certificates) {
    if (!config.tls_listen)
        return {};
    return [certificates](std::string_view host) { return certificates->current()->covers(host); };
}

http::ServerOptions server_options(const Config& config, api::Api& api, const api::Mcp& mcp,
                                   const http::KeyAccounts& key_accounts,
                                   const http::Certificates* certificates, const InheritedSockets& sockets,
                                   const acme::Challenges& challenges) {
    http::ServerOptions options{
        .address = config.listen.address,
        .port = config.listen.port,
        .inherited = sockets.of("listen"),
        .io_threads = config.io_threads,
        .api_hosts = config.api_hosts,
        .tls = {},
        .https_rules = https_rules(config, config.tls_listen ? certificates : nullptr, challenges),
        .trusted_proxies = config.trusted_proxies,
        .robots_tag = config.robots_tag,
        .limits = {}};
    options.api_refusal_headers = [&api] { return api.common_headers(); };
    options.key_accounts = &key_accounts;
    options.admit_body = [&api, &mcp](const http::Request& head) {
        return api::Mcp::takes(head) ? mcp.admit_body(head) : api.admit_body(head);
    };
    if (config.tls_listen)
        options.tls = {.address = config.tls_listen->address,
                       .port = config.tls_listen->port,
                       .inherited = sockets.of("tls-listen"),
                       .certificates = certificates,
                       .hsts_seconds = config.hsts_seconds};
    auto& limits = options.limits;
    limits.body_bytes_max = config.body_bytes_max;
    limits.bodies_bytes_per_holder =
        std::max<std::size_t>(limits.bodies_bytes_per_holder, config.body_bytes_max);
    limits.bodies_bytes_max = std::max(limits.bodies_bytes_max, 4 * limits.bodies_bytes_per_holder);
    limits.connections_per_address = config.connections_per_address;
    options.limits.workers = config.workers;
    options.limits.visitor_workers = std::max(config.workers / 4, 1U);
    options.limits.stop_grace = std::chrono::seconds(config.shutdown_grace_seconds);
    return options;
}

dashboard::Options dashboard_options(const Config& config, const http::Certificates* certificates,
                                     const InheritedSockets& sockets) {
    dashboard::Options options{.address = config.dashboard_listen->address,
                               .port = config.dashboard_listen->port,
                               .inherited = sockets.of("dashboard-listen"),
                               .host = config.dashboard_host,
                               .tls = {},
                               .trusted_proxies = config.trusted_proxies,
                               .body_bytes_max = config.body_bytes_max,
                               .shows_outside_images = config.outside_images};
    if (config.dashboard_tls_listen)
        options.tls = {.called = "dashboard-tls-listen",
                       .address = config.dashboard_tls_listen->address,
                       .port = config.dashboard_tls_listen->port,
                       .inherited = sockets.of("dashboard-tls-listen"),
                       .certificates = certificates,
                       .hsts_seconds = config.hsts_seconds};
    return options;
}

std::function<bool(const redirect::Address&)> ignored_visitors(const Config& config) {
    if (config.ignored_networks.empty())
        return {};
    return [networks = http::TrustedProxies(config.ignored_networks)](const redirect::Address& visitor) {
        return networks.cover(visitor);
    };
}

dns::TxtResolver::Options resolver_options(const Config& config) {
    // A look-up holds up a worker, and half of them are for others.
    dns::TxtResolver::Options options{.server = {}, .lookups_max = static_cast<int>(config.workers + 1) / 2};
    if (auto server = config.dns_server) {
        if (server->address == "localhost")
            server->address = "127.0.0.1";
        options.server = server->text();
    }
    return options;
}

PageReader::Options page_options(const Config& config) {
    // Reading a page holds up a worker, as a look-up does; a quarter of them are for neither.
    return {.pages_max = std::clamp<std::size_t>(config.workers / 4, 1, PageReader::pages_max)};
}

} // namespace slashpost::app
