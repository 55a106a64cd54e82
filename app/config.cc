#include "app/config.h"

#include "app/config_values.h"
#include "app/machine.h"
#include "core/base/errors.h"
#include "core/base/percent.h"
#include "core/redirect/redirector.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <thread>

namespace slashpost::app {

namespace {

std::unexpected<Error> complaint(std::string message) { return malformed(std::move(message)); }

template <class T>
Setting number(std::string_view name, std::string fallback, T Config::* member, std::uint64_t min,
               std::uint64_t max, std::string_view bounds, std::string_view help) {
    return {name,
            "N",
            std::move(fallback),
            bounds,
            help,
            [=](Config& config, std::string_view text) {
                const auto value = parse_number(text, min, max);
                if (value)
                    config.*member = static_cast<T>(*value);
                return value.has_value();
            },
            [=](const Config& config) { return std::to_string(config.*member); }};
}

Setting endpoint(std::string_view name, std::string fallback, Endpoint Config::* member,
                 std::string_view help) {
    return {name,
            "ADDRESS:PORT",
            std::move(fallback),
            "a numeric address (or localhost) and a port, for example 127.0.0.1:8080 or [::]:80",
            help,
            [=](Config& config, std::string_view text) {
                const auto value = parse_endpoint(text);
                if (value)
                    config.*member = *value;
                return value.has_value();
            },
            [=](const Config& config) { return (config.*member).text(); }};
}

Setting list(std::string_view name, std::string_view hint, std::vector<std::string> Config::* member,
             ParseItem parse, std::string_view bounds, std::string_view help) {
    return {name,
            hint,
            "",
            bounds,
            help,
            [=](Config& config, std::string_view text) {
                auto value = parse_list(text, parse);
                if (value)
                    config.*member = std::move(*value);
                return value.has_value();
            },
            [=](const Config& config) { return fmt::format("{}", fmt::join(config.*member, ",")); }};
}

template <class E>
Setting choice(std::string_view name, std::string_view bounds, E Config::* member,
               std::vector<std::pair<std::string_view, E>> values, std::size_t fallback,
               std::string_view help) {
    std::string fallback_text(values.at(fallback).first);
    return {name,
            "WORD",
            std::move(fallback_text),
            bounds,
            help,
            [=](Config& config, std::string_view text) {
                for (const auto& [word, value] : values) {
                    if (word == text) {
                        config.*member = value;
                        return true;
                    }
                }
                return false;
            },
            [=](const Config& config) {
                for (const auto& [word, value] : values) {
                    if (value == config.*member)
                        return std::string(word);
                }
                return std::string{};
            }};
}

Setting data_folder() {
    return {"data",
            "DIR",
            "./data",
            "a path that is not empty",
            "The folder of the store. Made when missing; only one server may use it.",
            [](Config& config, std::string_view text) {
                config.data = text;
                return !text.empty();
            },
            [](const Config& config) { return config.data.string(); }};
}

Setting tls_endpoint() {
    return {"tls-listen",
            "ADDRESS:PORT",
            "",
            "a numeric address (or localhost) and a port, for example 0.0.0.0:443, or nothing",
            "Where the same is served over HTTPS. Default: nowhere.",
            [](Config& config, std::string_view text) {
                config.tls_listen = parse_endpoint(text);
                return text.empty() || config.tls_listen.has_value();
            },
            [](const Config& config) { return config.tls_listen ? config.tls_listen->text() : ""; }};
}

Setting path(std::string_view name, std::string_view hint, std::string fallback,
             std::filesystem::path Config::* member, std::string_view help) {
    return {name,
            hint,
            std::move(fallback),
            "a path",
            help,
            [=](Config& config, std::string_view text) {
                config.*member = text;
                return true;
            },
            [=](const Config& config) { return (config.*member).string(); }};
}

std::vector<Setting> https_settings() {
    return {
        tls_endpoint(),
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
        path("acme-webroot", "DIR", "", &Config::acme_webroot,
             "What certbot is given with --webroot-path: /.well-known/acme-challenge/ is served from it."),
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

Setting domain() {
    return {"domain",
            "HOST[:PORT]",
            "",
            "a host name, with a port when that is not 80 or 443, for example go.example.com",
            "The first short domain, made on the first start. Default: localhost:PORT of --listen.",
            [](Config& config, std::string_view text) {
                config.domain = parse_host(text).value_or("");
                return text.empty() || !config.domain.empty();
            },
            [](const Config& config) { return config.domain; }};
}

Setting address(std::string_view name, std::string_view hint, std::string Config::* member,
                std::optional<std::string> (*parse)(std::string_view), std::string_view bounds,
                std::string_view help) {
    return {name,
            hint,
            "",
            bounds,
            help,
            [=](Config& config, std::string_view text) {
                const auto value = text.empty() ? std::optional<std::string>("") : parse(text);
                config.*member = value.value_or("");
                return value.has_value();
            },
            [=](const Config& config) { return config.*member; }};
}

Setting smtp_password() {
    return {"smtp-password",
            "SECRET",
            "",
            "any text",
            "The password of --smtp-user. Better set in the environment or the file than as a flag.",
            [](Config& config, std::string_view text) {
                config.smtp_password = text;
                return true;
            },
            [](const Config& config) { return config.smtp_password; },
            true};
}

Setting click_id_parameter() {
    return {
        "click-id-parameter",
        "NAME",
        std::string(redirect::default_click_id_parameter),
        "1 to 40 letters, digits, or -._~",
        "The parameter that carries a click id to the destination in workspaces that track conversions and "
        "name no other.",
        [](Config& config, std::string_view text) {
            config.click_id_parameter = text;
            return is_parameter_name(text);
        },
        [](const Config& config) { return config.click_id_parameter; }};
}

Setting body_limit() {
    return {"body-limit",
            "BYTES",
            "1MiB",
            "1KiB to 64MiB, for example 1048576, 512KiB or 1MiB",
            "The largest request body; a larger one is answered with 413.",
            [](Config& config, std::string_view text) {
                const auto value = parse_bytes(text, 1ULL << 10U, 64ULL << 20U);
                config.body_bytes_max = value.value_or(0);
                return value.has_value();
            },
            [](const Config& config) { return std::to_string(config.body_bytes_max); }};
}

Setting dns_server() {
    return {"dns-server",
            "ADDRESS:PORT",
            "",
            "a numeric address (or localhost) and a port, for example 192.0.2.53:53 or [::1]:5353",
            "Where the TXT records of domains are looked up. Default: the system's servers.",
            [](Config& config, std::string_view text) {
                config.dns_server = parse_endpoint(text);
                return text.empty() || (config.dns_server && config.dns_server->port != 0);
            },
            [](const Config& config) { return config.dns_server ? config.dns_server->text() : ""; }};
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
        path("smtp-ca", "FILE", "", &Config::smtp_ca,
             "Certificates to trust at the mail server, as PEM. Default: the system's."),
    };
}

std::vector<Setting> make_settings() {
    const auto core_count = std::clamp(std::thread::hardware_concurrency(), 1U, 256U);
    const auto cores = std::to_string(core_count);
    const auto workers = std::to_string(std::max(4 * core_count, 8U));
    const auto redirect_cache = std::to_string(std::clamp<std::uint64_t>(memory_mb() / 16, 64, 65'536));
    std::vector<Setting> all{
        data_folder(),
        endpoint("listen", "localhost:8080", &Config::listen, "Where the API and the redirects are served."),
        endpoint("ops-listen", "localhost:8081", &Config::ops_listen,
                 "Where /healthz, /readyz and /metrics are served. Keep it private."),
        domain(),
        list("api-host", "HOST,...", &Config::api_hosts, parse_host, "host names separated by commas",
             "The only hosts that answer the API under /v1/. Default: every host."),
        list("destination-schemes", "SCHEME,...", &Config::destination_schemes, parse_scheme,
             "schemes in lower case separated by commas; never javascript, data, vbscript or file",
             "Schemes that destinations may have besides http and https."),
        number("io-threads", cores, &Config::io_threads, 1, 256, "1 to 256",
               "Threads that serve connections and redirects. Default: one per core."),
        number("workers", workers, &Config::workers, 1, 1024, "1 to 1024",
               "Threads that run API calls; more than cores, as some read from the disk or ask the DNS. "
               "Default: four per core, at least 8."),
        number("rate-limit", "6000", &Config::rate_limit, 0, 2'147'483'647, "0 to 2147483647",
               "API requests per key and period; 0 switches the limit off."),
        number("rate-period", "60", &Config::rate_period_seconds, 1, 86'400, "1 to 86400",
               "The period of --rate-limit in seconds."),
        body_limit(),
        number("cache-mb", "8", &Config::cache_mb, 8, 1'048'576, "8 to 1048576",
               "Memory for the store's block cache in MiB."),
        number("redirect-cache-mb", redirect_cache, &Config::redirect_cache_mb, 1, 65'536, "1 to 65536",
               "Memory for short addresses that are visited often, in MiB at most; a million take about 80. "
               "Default: a sixteenth of the memory that there is, at least 64."),
        choice<data::Durability>(
            "durability", "synced or relaxed", &Config::durability,
            {{"synced", data::Durability::synced}, {"relaxed", data::Durability::relaxed}}, 0,
            "synced: an answered write survives a power cut. relaxed: it may take the last half minute."),
        number("fold-interval-ms", "700", &Config::fold_interval_ms, 20, 10'000, "20 to 10000",
               "How often clicks are folded into the totals while the API is used, in milliseconds. "
               "Otherwise that waits for the statistics."),
        number("rollup-interval-ms", "5000", &Config::rollup_interval_ms, 20, 60'000, "20 to 60000",
               "How often clicks are folded into statistics, in milliseconds; longer costs less. "
               "Sooner when very many come, but later while visitors keep the processors busy."),
        number("quarantine-days", "30", &Config::quarantine_days, 0, 3650, "0 to 3650",
               "Days for which a deleted link's slashtag stays closed to other workspaces."),
        number("bulk-limit", "10", &Config::bulk_links_max, 1, 1000, "1 to 1000",
               "Links in one POST /v1/links/bulk. A PUT may have 100, or as many as this if that is more."),
        click_id_parameter(),
        dns_server(),
        number("shutdown-grace", "10", &Config::shutdown_grace_seconds, 0, 3600, "0 to 3600",
               "Seconds that requests in flight get to finish after SIGTERM."),
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
    for (auto more : {mail_settings(), visitor_settings(), https_settings()})
        all.insert(all.begin() + 3, std::make_move_iterator(more.begin()),
                   std::make_move_iterator(more.end()));
    return all;
}

const Setting* find_setting(std::string_view name) {
    const auto all = settings();
    const auto found = std::ranges::find(all, name, &Setting::name);
    return found == all.end() ? nullptr : &*found;
}

struct Given {
    std::string_view text;
    std::string source;
};

Given given(const Setting& setting, const Layers& layers) {
    if (const auto it = layers.flags.find(setting.name); it != layers.flags.end())
        return {it->second, fmt::format("flag --{}", setting.name)};
    if (const auto it = layers.environment.find(setting.name); it != layers.environment.end())
        return {it->second, fmt::format("environment variable {}", setting.environment_name())};
    if (const auto it = layers.file.find(setting.name); it != layers.file.end())
        return {it->second, "configuration file"};
    return {setting.fallback, "default"};
}

} // namespace

std::string Config::domain_or_default() const {
    return domain.empty() ? fmt::format("localhost:{}", listen.port) : domain;
}

std::string Config::api_url() const {
    if (!public_url.empty())
        return fmt::format("{}/v1", public_url);
    if (!api_hosts.empty())
        return fmt::format("https://{}/v1", api_hosts.front());
    return fmt::format("http://{}/v1", domain_or_default());
}

std::string Setting::environment_name() const {
    std::string text = "SLASHPOST_";
    for (const char c : name)
        text += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return text;
}

std::span<const Setting> settings() {
    static const auto table = make_settings();
    return table;
}

Result<Layer> read_config_file(const std::filesystem::path& path) {
    std::ifstream stream(path);
    if (!stream || std::filesystem::is_directory(path))
        return complaint(fmt::format("cannot read the configuration file {}; check the path and its rights",
                                     path.string()));
    CLI::ConfigBase reader;
    reader.arrayBounds('{', '}'); // so that [::]:80 and lists with commas stay one value
    Layer layer;
    for (const auto& item : reader.from_config(stream)) {
        if (!item.parents.empty())
            return complaint(fmt::format("{}: sections are not known here; write plain 'name = value' lines",
                                         path.string()));
        if (!find_setting(item.name))
            return complaint(fmt::format("{}: '{}' is not a setting; 'slashpost serve --help' lists them all",
                                         path.string(), item.name));
        if (item.inputs.size() != 1 || layer.contains(item.name))
            return complaint(
                fmt::format("{}: '{}' is given twice; keep one of the lines", path.string(), item.name));
        layer.emplace(item.name, item.inputs.front());
    }
    return layer;
}

Layer read_environment(const std::function<const char*(const char*)>& lookup) {
    Layer layer;
    for (const auto& setting : settings()) {
        const char* value = lookup(setting.environment_name().c_str());
        if (value != nullptr && *value != '\0')
            layer.emplace(setting.name, value);
    }
    return layer;
}

Result<Config> make_config(const Layers& layers) {
    Config config;
    for (const auto& setting : settings()) {
        const auto [text, source] = given(setting, layers);
        if (!setting.set(config, text))
            return complaint(fmt::format("{}: '{}' is not valid ({}); give {}", setting.name, text, source,
                                         setting.bounds));
    }
    if (!config.smtp_url.empty() && config.smtp_from.empty())
        return complaint(
            "smtp-from: a mail server is set with smtp-url, so give the sender's e-mail address");
    return config;
}

std::string describe(const Config& config, const Layers& layers) {
    std::string text;
    for (const auto& setting : settings()) {
        const auto value = setting.get(config);
        const bool hidden = setting.is_secret && !value.empty();
        text += fmt::format("{}{} = {:<{}} # {}\n", hidden ? "# " : "", setting.name,
                            fmt::format("\"{}\"", hidden ? "(not shown)" : value), 34 - setting.name.size(),
                            given(setting, layers).source);
    }
    return text;
}

} // namespace slashpost::app
