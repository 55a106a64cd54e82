// The table of settings, a function for each topic of the help.
#include "app/acme/settings.h"
#include "app/backup_settings.h"
#include "app/config.h"
#include "app/machine.h"
#include "app/oidc/settings.h"
#include "app/privacy_settings.h"
#include "app/setting_kinds.h"
#include "core/base/percent.h"
#include "core/redirect/redirector.h"

#include <algorithm>
#include <iterator>
#include <thread>

namespace slashpost::app {

namespace {

Setting domain() {
    return {.name = "domain",
            .hint = "HOST[:PORT]",
            .fallback = "",
            .bounds = "a host name, with a port when that is not 80 or 443, for example go.example.com",
            .help = "The first short domain, made on the first start. Default: localhost:PORT of --listen.",
            .set =
                [](Config& config, std::string_view text) {
                    config.domain = parse_host(text).value_or("");
                    return text.empty() || !config.domain.empty();
                },
            .get = [](const Config& config) { return config.domain; }};
}

std::vector<Setting> first_start_settings() {
    return {
        domain(),
        path("first-key-file", "FILE", "", &Config::first_key_file,
             "Where the first start writes the API key, for its user only, instead of showing it. The file "
             "must "
             "not be there yet."),
    };
}

Setting body_limit() {
    return {.name = "body-limit",
            .hint = "BYTES",
            .fallback = "1MiB",
            .bounds = "1KiB to 64MiB, for example 1048576, 512KiB or 1MiB",
            .help = "The largest request body; a larger one is answered with 413.",
            .set =
                [](Config& config, std::string_view text) {
                    const auto value = parse_bytes(text, 1ULL << 10U, 64ULL << 20U);
                    config.body_bytes_max = value.value_or(0);
                    return value.has_value();
                },
            .get = [](const Config& config) { return std::to_string(config.body_bytes_max); }};
}

Setting dashboard_listen() {
    return {.name = "dashboard-listen",
            .hint = "ADDRESS:PORT",
            .fallback = "localhost:8082",
            .bounds = "a numeric address (or localhost) and a port, for example 127.0.0.1:8082, or off",
            .help = "Where the dashboard is served, which is never where short links are. off: nowhere.",
            .set =
                [](Config& config, std::string_view text) {
                    const bool is_off = text.empty() || text == "off";
                    config.dashboard_listen = is_off ? std::nullopt : parse_endpoint(text);
                    return is_off || config.dashboard_listen;
                },
            .get =
                [](const Config& config) {
                    return config.dashboard_listen ? config.dashboard_listen->text() : std::string("off");
                }};
}

Setting dashboard_host() {
    return {.name = "dashboard-host",
            .hint = "HOST",
            .fallback = "",
            .bounds = "a host name, with a port when that is not 443, for example links.example.com",
            .help = "The only host that answers the dashboard, which browsers then open over HTTPS: with "
                    "--dashboard-tls-listen, or behind a proxy. Default: the names of this machine only.",
            .set =
                [](Config& config, std::string_view text) {
                    config.dashboard_host = parse_host(text).value_or("");
                    return text.empty() || !config.dashboard_host.empty();
                },
            .get = [](const Config& config) { return config.dashboard_host; }};
}

std::vector<Setting> dashboard_settings() {
    return {
        dashboard_listen(),
        dashboard_host(),
        optional_endpoint(
            "dashboard-tls-listen",
            "a numeric address (or localhost) and a port, for example 0.0.0.0:8443, or nothing",
            &Config::dashboard_tls_listen, true,
            "Where the dashboard is served over HTTPS, with the certificate of --dashboard-host "
            "among --certificates. Default: nowhere."),
        choice<bool>("outside-images", "off or on", &Config::outside_images, {{"off", false}, {"on", true}},
                     0,
                     "on: the dashboard shows avatars from the https addresses that people gave, whose hosts "
                     "learn who looks. off: initials."),
    };
}

std::vector<Setting> http_settings() {
    const auto core_count = std::clamp(std::thread::hardware_concurrency(), 1U, 256U);
    const auto workers = std::max(4 * core_count, 8U);
    return {
        endpoint("listen", "localhost:8080", &Config::listen, "Where the API and the redirects are served."),
        endpoint("ops-listen", "localhost:8081", &Config::ops_listen,
                 "Where /healthz, /readyz and /metrics are served. Keep it private."),
        list("api-host", "HOST,...", &Config::api_hosts, parse_host, "host names separated by commas",
             "The only hosts that answer the API under /v1/. Default: every host."),
        number("io-threads", std::to_string(core_count), &Config::io_threads, 1, 256, "1 to 256",
               "Threads that serve connections and redirects. Default: one per core."),
        number(
            "workers", std::to_string(workers), &Config::workers, 1, 1024, "1 to 1024",
            "Threads that run API calls; more than cores, as some read from the disk or ask the DNS. "
            "A quarter as many more make pages and codes for visitors. Default: four per core, at least 8."),
        number(
            "connections-per-address", "0", &Config::connections_per_address, 0, 1'048'576, "0 to 1048576",
            "Connections of one address (IPv6: /64) at once; one more ends its idlest. Trusted proxies may "
            "have any number. 0: a quarter of all that there is room for, at least 64."),
        number("rate-limit", "6000", &Config::rate_limit, 0, 2'147'483'647, "0 to 2147483647",
               "API requests per key and period; 0 switches the limit off."),
        number("rate-period", "60", &Config::rate_period_seconds, 1, 86'400, "1 to 86400",
               "The period of --rate-limit in seconds."),
        body_limit(),
        number("shutdown-grace", "10", &Config::shutdown_grace_seconds, 0, 3600, "0 to 3600",
               "Seconds that requests in flight get to finish after SIGTERM."),
    };
}

std::vector<Setting> https_settings() {
    return {
        optional_endpoint(
            "tls-listen", "a numeric address (or localhost) and a port, for example 0.0.0.0:443, or nothing",
            &Config::tls_listen, true, "Where the same is served over HTTPS. Default: nowhere."),
        path("certificates", "DIR", "/etc/letsencrypt/live", &Config::certificates,
             "Certificates for --tls-listen as certbot leaves them: HOST/fullchain.pem and HOST/privkey.pem; "
             "those of the folder `default`, if any, for visitors that name no host. Changes are seen within "
             "seconds."),
        choice<HttpsRedirect>(
            "https-redirect", "off, on or all", &Config::https_redirect,
            {{"off", HttpsRedirect::off}, {"on", HttpsRedirect::on}, {"all", HttpsRedirect::all}}, 0,
            "on: the plain port sends visitors of hosts that have a certificate to HTTPS; all: those of "
            "localhost too."),
        number("https-port", "0", &Config::https_port, 0, 65'535, "0 to 65535",
               "The port that visitors are sent to, when it is not the one of --tls-listen."),
        number("hsts", "0", &Config::hsts_seconds, 0, 63'072'000, "0 to 63072000",
               "Seconds for which browsers shall use nothing but HTTPS (Strict-Transport-Security); 0: no "
               "word."),
        choice<PublicScheme>("public-scheme", "auto or https", &Config::public_scheme,
                             {{"auto", PublicScheme::automatic}, {"https", PublicScheme::https}}, 0,
                             "The scheme in QR codes and previews. auto: https where this server has a "
                             "certificate for the host, "
                             "or a trusted proxy says that the visit came by it; https: always."),
        path("acme-webroot", "DIR", "", &Config::acme_webroot,
             "What certbot is given with --webroot-path: /.well-known/acme-challenge/ is served from it."),
    };
}

Setting click_id_parameter() {
    return {.name = "click-id-parameter",
            .hint = "NAME",
            .fallback = std::string(redirect::default_click_id_parameter),
            .bounds = "1 to 40 letters, digits, or -._~",
            .help = "The parameter that carries a click id to the destination in workspaces that track "
                    "conversions and name no other.",
            .set =
                [](Config& config, std::string_view text) {
                    config.click_id_parameter = text;
                    return is_parameter_name(text);
                },
            .get = [](const Config& config) { return config.click_id_parameter; }};
}

std::vector<Setting> link_settings() {
    return {
        list("destination-schemes", "SCHEME,...", &Config::destination_schemes, parse_scheme,
             "schemes in lower case separated by commas; none that runs or shows something inside the "
             "browser, "
             "as javascript, data and file, or that no link leads to, as ws and cid",
             "Schemes that destinations may have besides http and https: those of apps, such as myapp, and "
             "mailto, tel, sms, geo, magnet, spotify and the like, which name no host."),
        number("quarantine-days", "30", &Config::quarantine_days, 0, 3650, "0 to 3650",
               "Days for which a deleted link's slashtag stays closed to other workspaces."),
        number("event-days", "30", &Config::event_days, 1, 3650, "1 to 3650",
               "Days for which it is kept what was done in a workspace and to a link, and by whom."),
        number("bulk-limit", "10", &Config::bulk_links_max, 1, 1000, "1 to 1000",
               "Links in one POST /v1/links/bulk. A PUT may have 100, or as many as this if that is more."),
        click_id_parameter(),
        optional_endpoint(
            "dns-server",
            "a numeric address (or localhost) and a port, for example 192.0.2.53:53 or [::1]:5353",
            &Config::dns_server, false,
            "Where the TXT records of domains are looked up. Default: the system's servers."),
    };
}

std::vector<Setting> webhook_settings() {
    return {
        list("webhook-allow", "CIDR,...", &Config::webhook_networks, parse_network,
             "networks or addresses separated by commas, for example 10.1.0.0/16,fd00::/8; never all (/0)",
             "Where webhooks may be sent besides the public internet. Default: no private, local or other "
             "special address, and none of this machine."),
        choice<bool>("webhook-http", "off or on", &Config::webhooks_plain, {{"off", false}, {"on", true}}, 0,
                     "on: addresses of webhooks may be http, which everybody on the way can read."),
        number("webhook-limit", "10", &Config::webhooks_max, 0, 1000, "0 to 1000",
               "Webhooks that one workspace may have."),
    };
}

std::vector<Setting> visitor_settings() {
    return {
        path("geoip", "FILE", "", &Config::geoip,
             "A MaxMind-format file of countries by address, as tools/geoip-update fetches one. Changes are "
             "seen within seconds. Default: nobody's country is known."),
        list("trusted-proxies", "CIDR,...", &Config::trusted_proxies, parse_network,
             "networks or addresses separated by commas, for example 10.0.0.0/8,2001:db8::1; never all (/0)",
             "Proxies whose Forwarded and X-Forwarded-For say who the client is. Default: nobody is "
             "believed."),
    };
}

Setting data_folder() {
    return {.name = "data",
            .hint = "DIR",
            .fallback = "./data",
            .bounds = "a path that is not empty",
            .help = "The folder of the store. Made when missing; only one server may use it.",
            .set =
                [](Config& config, std::string_view text) {
                    config.data = text;
                    return !text.empty();
                },
            .get = [](const Config& config) { return config.data.string(); }};
}

std::vector<Setting> store_settings() {
    const auto redirect_cache = std::clamp<std::uint64_t>(memory_mb() / 16, 64, 65'536);
    return {
        data_folder(),
        address("store", "URL", &Config::store, parse_store,
                "an address like postgres://USER@HOST/NAME without a password, which PGPASSWORD or the file "
                ".pgpass tells",
                "Where the store lies, when it is not in the data folder: a database of PostgreSQL 13 or "
                "later, which "
                "somebody else keeps alive. Several servers may use it, each with a data folder of its own, "
                "where clicks that are not counted yet, the lock and the socket of slashpost-admin stay."),
        choice<bool>(
            "on-store-error", "reopen or exit", &Config::leaves_on_store_error,
            {{"reopen", false}, {"exit", true}}, 0,
            "When the store takes no writes any more, as after an error of the disk. reopen: it is opened "
            "again as soon as the disk takes writes, and redirects go on. exit: the server stops after "
            "ten seconds, with exit code 1, for whoever starts it again."),
        choice<bool>("accept-loss", "off or on", &Config::accepts_loss, {{"off", false}, {"on", true}}, 0,
                     "on: the server starts although its log or journal is damaged, without what cannot be "
                     "read; the damaged files are kept beside. For one start, when it was refused."),
        choice<data::Durability>(
            "durability", "synced or relaxed", &Config::durability,
            {{"synced", data::Durability::synced}, {"relaxed", data::Durability::relaxed}}, 0,
            "synced: an answered write survives a power cut. relaxed: it may take the last half minute."),
        number("cache-mb", "8", &Config::cache_mb, 8, 1'048'576, "8 to 1048576",
               "Memory for the store's block cache in MiB."),
        number("redirect-cache-mb", std::to_string(redirect_cache), &Config::redirect_cache_mb, 1, 65'536,
               "1 to 65536",
               "Memory for short addresses that are visited often, in MiB at most; a million take about 180. "
               "Default: a sixteenth of the memory that there is, at least 64."),
        number("fold-interval-ms", "700", &Config::fold_interval_ms, 20, 60'000, "20 to 60000",
               "How soon clicks are in totals and statistics, in milliseconds; later costs less."),
    };
}

Setting smtp_password() {
    return {.name = "smtp-password",
            .hint = "SECRET",
            .fallback = "",
            .bounds = "any text",
            .help =
                "The password of --smtp-user. Better given with --smtp-password-file than as a flag, which "
                "everybody on the machine can see.",
            .set =
                [](Config& config, std::string_view text) {
                    config.smtp_password = text;
                    return true;
                },
            .get = [](const Config& config) { return config.smtp_password; },
            .is_secret = true};
}

std::vector<Setting> people_settings() {
    return {
        choice<ByToken>("invites-by-token", "auto, on or off", &Config::invites_by_token,
                        {{"auto", ByToken::automatic}, {"on", ByToken::on}, {"off", ByToken::off}}, 0,
                        "on: an account without an e-mail address may accept an invite by the token that was "
                        "given out for "
                        "it; off: only the account that has the address may. auto: on without --smtp-url."),
        choice<AddTeammates>(
            "add-teammates", "invite or direct", &Config::add_teammates,
            {{"invite", AddTeammates::invite}, {"direct", AddTeammates::direct}}, 0,
            "What becomes of an account that an admin adds to a workspace, unless both work together in "
            "another one: invite, and it accepts or not; or direct, a teammate at once."),
    };
}

std::vector<Setting> mail_settings() {
    return {
        address("public-url", "URL", &Config::public_url, parse_public_url,
                "an http or https address without a query, for example https://api.example.com",
                "What addresses in mails begin with. Default: https and the first --api-host, or http and "
                "--domain."),
        address("smtp-url", "URL", &Config::smtp_url, parse_smtp_url,
                "smtp://HOST[:PORT] or smtps://HOST[:PORT]",
                "The mail server that takes invites. Without one, whoever invites gets the address to accept "
                "at."),
        address("smtp-from", "ADDRESS", &Config::smtp_from, parse_email, "an e-mail address",
                "The sender of mails; needed with --smtp-url."),
        address("smtp-user", "NAME", &Config::smtp_user, parse_login, "a name without control characters",
                "The name to log in with at the mail server. Default: no login."),
        smtp_password(),
        path("smtp-password-file", "FILE", "", &Config::smtp_password_file,
             "The file that holds the password of --smtp-user as its only line."),
        path("smtp-ca", "FILE", "", &Config::smtp_ca,
             "Certificates to trust at the mail server, as PEM. Default: the system's."),
        choice<bool>(
            "smtp-insecure", "off or on", &Config::smtp_insecure, {{"off", false}, {"on", true}}, 0,
            "on: mails and the password are sent without TLS where the mail server has none, and to "
            "whatever certificate it shows. off: only over TLS with a good certificate, but for smtp:// to "
            "localhost, 127.0.0.1 and [::1]."),
    };
}

std::vector<Setting> log_settings() {
    return {
        choice<LogLevel>("log-level", "debug, info, warn or error", &Config::log_level,
                         {{"debug", LogLevel::debug},
                          {"info", LogLevel::info},
                          {"warn", LogLevel::warn},
                          {"error", LogLevel::error}},
                         1, "The least important lines that are still written to standard error."),
        choice<LogFormat>("log-format", "text or json", &Config::log_format,
                          {{"text", LogFormat::text}, {"json", LogFormat::json}}, 0,
                          "One line per event, as key=value text or as JSON."),
    };
}

std::vector<Setting> make_settings() {
    std::vector<Setting> all;
    const auto add = [&](std::string_view topic, std::vector<Setting> rows) {
        for (auto& row : rows)
            row.topic = topic;
        std::ranges::move(rows, std::back_inserter(all));
    };
    add("First start", first_start_settings());
    add("HTTP", http_settings());
    add("HTTPS", https_settings());
    add("HTTPS", acme::settings());
    add("Dashboard", dashboard_settings());
    add("Dashboard", oidc::settings());
    add("Links and domains", link_settings());
    add("Webhooks", webhook_settings());
    add("Visitors", visitor_settings());
    add("Privacy", privacy_settings());
    add("Store", store_settings());
    add("Backups", backup_settings());
    add("People", people_settings());
    add("Mail", mail_settings());
    add("Log", log_settings());
    return all;
}

} // namespace

std::span<const Setting> settings() {
    static const auto table = make_settings();
    return table;
}

} // namespace slashpost::app
