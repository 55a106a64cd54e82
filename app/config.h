#pragma once
// Every setting of the server, in one table: name, default, bounds, help and how its text is read.
// The flag is `--name`, the key in the configuration file `name`, the environment variable SLASHPOST_NAME
// (dashes become underscores). A flag wins over the environment, the environment over the file, the file
// over the default; a socket that the server was started with (inherited_sockets.h) over all. Adding a
// setting is one member of Config and one row in settings.cc. Reading the command line itself is cli.cc's
// part, reading the file config_file.cc's.
#include "app/acme/order_steps.h"
#include "app/admin/backup_keep.h"
#include "app/config_values.h"
#include "core/base/result.h"
#include "core/data/engine.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slashpost::app {

enum class LogLevel { debug, info, warn, error };
enum class LogFormat { text, json };
enum class HttpsRedirect { off, on, all };    // all: names of this machine too
enum class PublicScheme { automatic, https }; // automatic: HTTPS where there is a certificate
enum class ByToken { automatic, on, off };    // automatic: on where no mail is sent
enum class AddTeammates { invite, direct };

struct Config {
    std::filesystem::path data;
    Endpoint listen;
    Endpoint ops_listen;
    std::optional<Endpoint> tls_listen;
    std::optional<Endpoint> dashboard_listen; // nothing: there is no dashboard
    std::optional<Endpoint> dashboard_tls_listen;
    bool outside_images = false;
    std::string dashboard_host; // empty: the names of this machine
    std::filesystem::path certificates;
    HttpsRedirect https_redirect = HttpsRedirect::off;
    std::uint16_t https_port = 0; // 0: that of tls_listen
    std::uint32_t hsts_seconds = 0;
    PublicScheme public_scheme = PublicScheme::automatic;
    std::filesystem::path acme_webroot;
    std::string acme; // directory of the authority that gives certificates; empty: none is asked
    std::string acme_email;
    std::filesystem::path acme_ca; // empty: the system's certificates
    acme::Method acme_challenge = acme::Method::automatic;
    std::filesystem::path first_key_file; // empty: the first key is shown
    std::string domain;                   // empty: localhost:PORT of listen
    std::vector<std::string> api_hosts;
    std::vector<std::string> destination_schemes;
    unsigned io_threads = 1;
    unsigned workers = 1;
    std::uint32_t connections_per_address = 0;
    std::uint32_t rate_limit = 0;
    std::uint32_t rate_period_seconds = 0;
    std::uint64_t body_bytes_max = 0;
    std::uint32_t cache_mb = 0;
    std::uint32_t redirect_cache_mb = 0;
    data::Durability durability = data::Durability::synced;
    bool accepts_loss = false;
    bool leaves_on_store_error = false;
    std::uint32_t fold_interval_ms = 0;
    std::uint32_t quarantine_days = 0;
    std::uint32_t event_days = 0;
    std::uint32_t bulk_links_max = 0;
    std::vector<std::string> webhook_networks; // that webhooks may lie in besides the public internet
    bool webhooks_plain = false;
    std::uint32_t webhooks_max = 0; // of one workspace
    std::string click_id_parameter;
    std::filesystem::path backup_to; // empty: no backups are made
    std::uint32_t backup_every_seconds = 0;
    admin::BackupKeep backup_keep;
    std::string store;           // where it lies; empty: in the data folder
    std::filesystem::path geoip; // empty: nobody's country is known
    std::uint32_t hours_kept_days = 90;
    std::uint32_t days_kept_days = 0; // 0: for ever
    std::uint32_t deleted_links_kept_days = 0;
    std::uint32_t visitor_key_hours = 24;
    std::vector<std::string> ignored_networks; // whose clicks do not count
    bool honours_objections = false;           // of visitors who do not want to be tracked
    std::string robots_tag;                    // empty: none
    std::vector<std::string> trusted_proxies;  // networks
    std::optional<Endpoint> dns_server;        // nothing: the system's
    std::uint32_t shutdown_grace_seconds = 0;
    std::string public_url; // empty: made of the first API host, or of the domain
    std::string smtp_url;   // empty: no mail is sent
    std::string smtp_from;
    std::string smtp_user;
    std::string smtp_password;
    std::filesystem::path smtp_password_file; // empty: it is given itself, if at all
    std::filesystem::path smtp_ca;            // empty: the system's certificates
    bool smtp_insecure = false;
    std::string oidc_issuer; // of the provider that people may sign in with; empty: there is none
    std::string oidc_client_id;
    std::string oidc_client_secret;
    std::filesystem::path oidc_client_secret_file; // empty: it is given itself, if at all
    std::string oidc_name;                         // empty: the host of oidc_issuer
    std::vector<std::string> oidc_email_domains;
    bool oidc_links_by_email = false;
    bool oidc_admits_newcomers = false;
    std::filesystem::path oidc_ca; // empty: the system's certificates
    ByToken invites_by_token = ByToken::automatic;
    AddTeammates add_teammates = AddTeammates::invite;
    LogLevel log_level = LogLevel::info;
    LogFormat log_format = LogFormat::text;

    // Whether the server gets certificates by itself.
    [[nodiscard]] bool orders_certificates() const { return !acme.empty() && tls_listen.has_value(); }
    // The name of the installation's first domain as it stands in a short address.
    [[nodiscard]] std::string domain_or_default() const;
    // Where people and their tools reach the API: "https://api.example.com/v1".
    [[nodiscard]] std::string api_url() const;
    // Where people reach the dashboard, "https://links.example.com", if it listens on `port` where it has no
    // host of its own; empty when there is none.
    [[nodiscard]] std::string dashboard_url(std::uint16_t port) const;
    [[nodiscard]] std::string dashboard_url() const {
        return dashboard_url(dashboard_listen ? dashboard_listen->port : std::uint16_t{0});
    }
};

struct Setting {
    std::string_view name;
    std::string_view hint;   // what the value looks like, for the help: "ADDRESS:PORT"
    std::string fallback;    // the default, as text
    std::string_view bounds; // in words, for the help and for complaints: "1 to 256"
    std::string_view help;   // one sentence
    // Reads `text` into its member. False: `text` is not what `bounds` says.
    std::function<bool(Config&, std::string_view text)> set;
    std::function<std::string(const Config&)> get;
    bool is_secret = false;      // never shown
    std::string_view topic = {}; // under which the help lists it; given by the table

    [[nodiscard]] std::string environment_name() const;
};

// The table, in the order of the help.
std::span<const Setting> settings();

// Setting name -> text as given.
using Layer = std::map<std::string, std::string, std::less<>>;
struct Layers {
    Layer file;
    Layer environment;
    Layer flags;
    Layer sockets = {};                   // addresses of the sockets that whoever started the server left it
    std::filesystem::path file_path = {}; // of the configuration file; empty: there is none
    std::map<std::string, std::string, std::less<>> file_places =
        {}; // by setting name: "slashpost.conf, line 3"
};

// The environment's variables by name.
using Environment = std::map<std::string, std::string, std::less<>>;
// The value of a variable; empty when it is not there.
std::string_view value_of(const Environment& environment, std::string_view name);
// What the environment says of settings; an empty value counts as not given.
Layer read_environment(const Environment& environment);

struct Given {
    enum class By { socket, flag, environment, file, nobody };
    By by = By::nobody;
    std::string_view text; // the default when nobody gives it
    // "inherited socket", "flag --listen", "environment variable SLASHPOST_LISTEN", "slashpost.conf, line 3"
    std::string place;
};
// The text of a setting that counts, and where it stands. A view into both.
Given given(const Setting& setting, const Layers& layers);

// The effective configuration; secrets that stand in files are read from them. Fails with a sentence that
// names the setting, where the value stands and what it must be.
Result<Config> make_config(const Layers& layers);

enum class Secrets { hidden, shown };
// What a configuration file with the same effect holds, by topic, with a comment above what is not the
// default that says where it comes from. A secret that is hidden leaves a comment in its place.
std::string describe(const Config& config, const Layers& layers, Secrets secrets = Secrets::hidden);

} // namespace slashpost::app
