#include "app/config_warnings.h"

#include "app/secret_file.h"
#include "core/base/suggest.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace slashpost::app {

namespace {

constexpr std::string_view variable_prefix = "SLASHPOST_";

// Variables that others of the project read: the command line, its clients, its tests and its benchmarks.
constexpr std::array<std::string_view, 8> variables_of_others{
    "SLASHPOST_CONFIG", "SLASHPOST_KEY",  "SLASHPOST_BASE",  "SLASHPOST_PROGRAMS",
    "SLASHPOST_ACCEPT", "SLASHPOST_SEED", "SLASHPOST_KILLS", "SLASHPOST_BENCH"};

// What Kubernetes and the links of Docker tell of a service that is called slashpost.
bool is_of_containers(std::string_view name, std::string_view value) {
    return name.starts_with("SLASHPOST_SERVICE_") || name.starts_with("SLASHPOST_PORT_") ||
           name.starts_with("SLASHPOST_ENV_") || value.starts_with("tcp://") || value.starts_with("udp://");
}

void add_unknown_variables(std::vector<std::string>& out, const Environment& environment) {
    // Without what all of them begin with, which would make them alike.
    std::vector<std::string> known;
    known.reserve(settings().size());
    for (const auto& setting : settings())
        known.push_back(setting.environment_name().substr(variable_prefix.size()));
    const std::vector<std::string_view> views(known.begin(), known.end());
    for (const auto& [name, value] : environment) {
        if (!name.starts_with(variable_prefix))
            continue;
        const auto rest = std::string_view(name).substr(variable_prefix.size());
        if (std::ranges::find(views, rest) != views.end() ||
            std::ranges::find(variables_of_others, name) != variables_of_others.end() ||
            is_of_containers(name, value))
            continue;
        const auto guess = nearest(rest, views);
        out.push_back(fmt::format("the environment variable {} is no setting and does nothing; {}", name,
                                  guess ? fmt::format("do you mean {}{}?", variable_prefix, *guess)
                                        : "take it away, or see --help"));
    }
}

bool has_tls(const Config& config) {
    return config.tls_listen.has_value() || config.dashboard_tls_listen.has_value();
}
bool redirects_to_tls(const Config& config) { return config.tls_listen.has_value(); }
bool asks_authority(const Config& config) { return !config.acme.empty(); }
bool has_dashboard(const Config& config) { return config.dashboard_listen.has_value(); }
bool has_provider(const Config& config) { return !config.oidc_issuer.empty(); }
bool makes_backups(const Config& config) { return !config.backup_to.empty(); }
bool sends_mail(const Config& config) { return !config.smtp_url.empty(); }

// A setting that does nothing unless another one is set.
struct Dependent {
    std::string_view name;
    std::string_view needed;
    bool (*is_there)(const Config&);
};
constexpr auto dependents = std::to_array<Dependent>({
    {"acme", "tls-listen", redirects_to_tls},
    {"acme-ca", "acme", asks_authority},
    {"acme-challenge", "acme", asks_authority},
    {"acme-email", "acme", asks_authority},
    {"backup-every", "backup-to", makes_backups},
    {"backup-keep", "backup-to", makes_backups},
    {"certificates", "tls-listen", has_tls},
    {"dashboard-host", "dashboard-listen", has_dashboard},
    {"dashboard-tls-listen", "dashboard-listen", has_dashboard},
    {"https-redirect", "tls-listen", redirects_to_tls},
    {"hsts", "tls-listen", has_tls},
    {"https-port", "https-redirect", [](const Config& c) { return c.https_redirect != HttpsRedirect::off; }},
    {"oidc-ca", "oidc-issuer", has_provider},
    {"oidc-client-id", "oidc-issuer", has_provider},
    {"oidc-client-secret", "oidc-issuer", has_provider},
    {"oidc-client-secret-file", "oidc-issuer", has_provider},
    {"oidc-email-domains", "oidc-issuer", has_provider},
    {"oidc-issuer", "dashboard-listen", has_dashboard},
    {"oidc-link-by-email", "oidc-issuer", has_provider},
    {"oidc-name", "oidc-issuer", has_provider},
    {"oidc-newcomers", "oidc-issuer", has_provider},
    {"outside-images", "dashboard-listen", has_dashboard},
    {"rate-period", "rate-limit", [](const Config& c) { return c.rate_limit > 0; }},
    {"smtp-from", "smtp-url", sends_mail},
    {"smtp-user", "smtp-url", sends_mail},
    {"smtp-password", "smtp-url", sends_mail},
    {"smtp-password-file", "smtp-url", sends_mail},
    {"smtp-ca", "smtp-url", sends_mail},
    {"smtp-insecure", "smtp-url", sends_mail},
    {"smtp-user", "smtp-password",
     [](const Config& c) { return !sends_mail(c) || !c.smtp_password.empty(); }},
    {"smtp-password", "smtp-user", [](const Config& c) { return !sends_mail(c) || !c.smtp_user.empty(); }},
    {"smtp-password-file", "smtp-user",
     [](const Config& c) { return !sends_mail(c) || !c.smtp_user.empty(); }},
});

bool has_default(const Setting& setting, const Config& config) {
    Config other;
    return setting.set(other, setting.fallback) && setting.get(other) == setting.get(config);
}

void add_unused(std::vector<std::string>& out, const Config& config, const Layers& layers) {
    for (const auto& dependent : dependents) {
        const auto all = settings();
        const auto setting = std::ranges::find(all, dependent.name, &Setting::name);
        const auto value = given(*setting, layers);
        if (value.by == Given::By::nobody || has_default(*setting, config) || dependent.is_there(config))
            continue;
        out.push_back(fmt::format("{} ({}) does nothing without {}; give that too, or take {} away",
                                  dependent.name, value.place, dependent.needed, dependent.name));
    }
}

void add_open_secrets(std::vector<std::string>& out, const Config& config, const Layers& layers) {
    bool in_configuration_file = false;
    for (const auto& setting : settings()) {
        if (!setting.is_secret || setting.get(config).empty())
            continue;
        const auto file_name = fmt::format("{}-file", setting.name);
        const auto all = settings();
        const auto file = std::ranges::find(all, file_name, &Setting::name)->get(config);
        const auto by = given(setting, layers).by;
        if (!file.empty()) {
            if (auto warning = check_rights(file))
                out.push_back(fmt::format("{}: {}", file_name, *warning));
        } else if (by == Given::By::flag) {
            out.push_back(
                fmt::format("{} is given as a flag, which everybody on this machine can see; give --{} "
                            "with the path of a file instead",
                            setting.name, file_name));
        }
        in_configuration_file |= file.empty() && by == Given::By::file;
    }
    if (in_configuration_file && !layers.file_path.empty())
        if (auto warning = check_rights(layers.file_path))
            out.push_back(std::move(*warning));
}

} // namespace

std::vector<std::string> warnings_of(const Config& config, const Layers& layers,
                                     const Environment& environment) {
    std::vector<std::string> out;
    add_unknown_variables(out, environment);
    add_unused(out, config, layers);
    add_open_secrets(out, config, layers);
    return out;
}

} // namespace slashpost::app
