#include "app/first_start.h"

#include "app/first_key_file.h"
#include "core/access/sign_in_tokens.h"
#include "core/base/host.h"
#include "core/base/local_host.h"
#include "core/ops/dashboard_host.h"
#include "core/ops/install.h"
#include "core/schema/schema.h"
#include "core/schema/store.h"

#include <cstdio>
#include <fmt/format.h>

namespace slashpost::app {

namespace {

struct FirstStart {
    Installed installed;
    std::string sign_in_token; // empty: none is shown
};

// `text` as one word of a shell.
std::string shell_word(std::string_view text) {
    std::string word = "'";
    for (const char character : text)
        if (character == '\'')
            word += R"('\'')";
        else
            word += character;
    return word += '\'';
}

// Where a browser finds how the API is called; `call` ends in the address of the links.
std::string reference_address(const Config& config, std::string_view call) {
    constexpr std::string_view links = "links";
    const auto begin = call.substr(call.rfind(' ') + 1);
    return config.api_hosts.empty() ? fmt::format("{}docs", begin.substr(0, begin.size() - links.size()))
                                    : fmt::format("{}/docs", config.api_url());
}

// How to sign in at the dashboard for the first time. The address is a secret as the key is, so it is shown
// where that is.
std::string words_of_dashboard(const Config& config, std::string_view dashboard, std::string_view token) {
    if (dashboard.empty())
        return {};
    if (config.first_key_file.empty())
        return fmt::format("Or sign in as 'admin', once and within 15 minutes:\n{}\n",
                           sign_in_address(dashboard, token));
    return fmt::format(
        "Or sign in at {} with an address of: slashpost-admin --data {} sign-in-address admin\n", dashboard,
        shell_word(config.data.string()));
}

std::string words_of_first_start(const Config& config, const FirstStart& made, std::string_view call,
                                 std::string_view dashboard) {
    const auto& domain = made.installed.domain.full_name;
    const auto& key = made.installed.key.key;
    const auto file = config.first_key_file.string();
    const auto shown = file.empty() ? fmt::format("API key: {}\nIt is shown this once.", key)
                                    : fmt::format("The API key is in {}.", file);
    const auto header = file.empty() ? fmt::format("'apikey: {}'", key)
                                     : fmt::format("\"apikey: $(cat {})\"", shell_word(file));
    return fmt::format("This is the first start: there is an account 'admin' now, and the short domain {}.\n"
                       "{} Make a link with it:\n"
                       "curl -H {} -d '{{\"destination\":\"https://example.com/\"}}' {}\n"
                       "{}What else there is: {}\n",
                       domain, shown, header, call, words_of_dashboard(config, dashboard, made.sign_in_token),
                       reference_address(config, call));
}

} // namespace

bool say(const std::string& text) {
    return std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0;
}

std::string base_url(std::string_view scheme, const std::string& address, std::uint16_t port) {
    return fmt::format("{}://{}", scheme, Endpoint{.address = address, .port = port}.seen_from_here().text());
}

std::string links_call(const Config& config, const Ports& ports,
                       const std::function<bool(std::string_view)>& has_certificate) {
    const std::string host = config.api_hosts.empty() ? "localhost" : config.api_hosts.front();
    const auto authority = split_authority(host);
    const std::string name(authority ? authority->host : host);
    // The DNS may not know the name yet, and need not: the server is on this machine.
    const auto named = config.api_hosts.empty() ? std::string{} : fmt::format("-H 'Host: {}' ", host);
    const bool leads_to_https = has_certificate && has_certificate(name) &&
                                (config.https_redirect == HttpsRedirect::all ||
                                 (config.https_redirect == HttpsRedirect::on && !is_local_host(name)));
    if (!leads_to_https)
        return fmt::format("{}{}/v1/links", named, base_url("http", config.listen.address, ports.plain));
    const auto port = config.https_port == 0 ? ports.tls : config.https_port;
    return fmt::format(
        "{}--connect-to '{}:{}:{}' https://{}/v1/links", named, name, port,
        Endpoint{.address = config.tls_listen->address, .port = ports.tls}.seen_from_here().text(),
        host_and_port(name, port));
}

Result<void> install_if_new(const Config& config, Installation& installation, const std::string& call,
                            const std::string& dashboard, Log& log) {
    if (!TRY(installation.engine().read([](data::View& view) { return store_is_empty(view); })))
        return {};
    std::optional<FirstKeyFile> file; // before anything is made that only its key opens
    if (!config.first_key_file.empty())
        file.emplace(TRY(FirstKeyFile::make(config.first_key_file)));
    const auto done =
        installation.service().run_as_operator([&](SystemContext& system) -> Result<FirstStart> {
            FirstStart out{.installed = TRY(install(system, config.domain_or_default())),
                           .sign_in_token = {}};
            // What is not shown is not made.
            if (!dashboard.empty() && config.first_key_file.empty())
                out.sign_in_token = TRY(issue_sign_in_token(system, out.installed.account.id, false));
            return out;
        });
    if (!done.has_value()) { // another server on the store may have begun at the same moment
        const auto is_empty =
            installation.engine().read([](data::View& view) { return store_is_empty(view); });
        return is_empty.has_value() && !*is_empty ? Result<void>() : std::unexpected(done.error());
    }
    const auto& made = *done;
    log.info("first start",
             {{"account", made.installed.account.username}, {"domain", made.installed.domain.full_name}});
    const auto& key = made.installed.key.key;
    auto kept = file ? file->write(key) : Result<void>();
    const bool told = kept.has_value() && say(words_of_first_start(config, made, call, dashboard));
    if (!told && (!file || !kept.has_value()))
        log.warn("the first API key could not be shown; make one with: slashpost-admin key create --account "
                 "admin",
                 {{"data", config.data.native()},
                  {"reason", kept.has_value() ? "standard output is closed" : kept.error().message}});
    return {};
}

Result<std::optional<std::string>> domain_warning(const Config& config, data::Engine& engine) {
    return engine.read([&](data::View& view) -> Result<std::optional<std::string>> {
        const auto& domains = schema().domains;
        const auto id = TRY(default_domain(view));
        const auto first = id ? TRY(domains.find(view, id->view())) : std::nullopt;
        if (!first)
            return std::nullopt;
        const auto admin = fmt::format("slashpost-admin --data {} domain", config.data.string());
        if (!config.domain.empty() && !TRY(domains.find_by(domains.by_name, view, config.domain)))
            return fmt::format(
                "--domain {} is not used: the store has the domain {} since its first start; make "
                "another with: {} add {} --verified, then: {} default {}",
                config.domain, first->full_name, admin, config.domain, admin, config.domain);
        const auto is_open = [](const Endpoint& endpoint) { return !is_local_host(endpoint.text()); };
        if (is_local_host(first->full_name) &&
            (is_open(config.listen) || (config.tls_listen && is_open(*config.tls_listen))))
            return fmt::format(
                "new links are on {}, which leads visitors to their own machines; give the name of "
                "this server with --domain at the first start, or now with: {} add NAME --verified, "
                "then: {} default NAME",
                first->full_name, admin, admin);
        return std::nullopt;
    });
}

Result<std::optional<std::string>> dashboard_warning(const Config& config, const Settings& settings,
                                                     data::Engine& engine) {
    const auto names =
        TRY(engine.read([&](data::View& view) { return names_on_dashboard_host(view, settings); }));
    if (names.empty())
        return std::nullopt;
    const auto admin = fmt::format("slashpost-admin --data {} domain", config.data.string());
    return fmt::format(
        "{} shows short links, and the dashboard is there, too, where scripts of links can do what the "
        "people do who are signed in; give the dashboard another host with --dashboard-host, or take "
        "the name away with: {} remove NAME, or: {} set DOMAIN --aliases NAMES",
        names.front(), admin, admin);
}

Result<void> warn_of_domains(const Config& config, Installation& installation, Log& log) {
    if (const auto warning = TRY(domain_warning(config, installation.engine())))
        log.warn(*warning);
    if (const auto warning = TRY(dashboard_warning(config, installation.settings(), installation.engine())))
        log.warn(*warning);
    return {};
}

} // namespace slashpost::app
