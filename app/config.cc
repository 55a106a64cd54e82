#include "app/config.h"

#include "app/config_file.h"
#include "app/oidc/settings.h"
#include "app/secret_file.h"
#include "core/base/ascii.h"
#include "core/base/errors.h"
#include "core/base/host.h"
#include "core/base/local_host.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace slashpost::app {

namespace {

std::unexpected<Error> complaint(std::string message) { return malformed(std::move(message)); }

const Setting* find_setting(std::string_view name) {
    const auto all = settings();
    const auto found = std::ranges::find(all, name, &Setting::name);
    return found == all.end() ? nullptr : &*found;
}

// A secret is given as itself or in a file. What stands in the stronger place counts.
Result<void> take_secret(Config& config, const Setting& secret, const Layers& layers) {
    const auto* const file_setting = find_setting(fmt::format("{}-file", secret.name));
    const auto itself = given(secret, layers);
    const auto file = given(*file_setting, layers);
    if (file.text.empty())
        return {};
    if (itself.by == file.by && !itself.text.empty())
        return complaint(fmt::format("{} ({}) and {} ({}) are both given; keep one of them", secret.name,
                                     itself.place, file_setting->name, file.place));
    if (itself.by < file.by) {
        file_setting->set(config, "");
        return {};
    }
    const auto text = read_secret_file(file.text);
    if (!text.has_value())
        return complaint(fmt::format("{}: {} ({})", file_setting->name, text.error().message, file.place));
    secret.set(config, *text);
    return {};
}

std::string wrong_value(const Setting& setting, const Given& value) {
    const bool has_comment = value.by == Given::By::file && value.text.find('#') != value.text.npos;
    return fmt::format("{}: '{}' is not valid ({}); give {}{}", setting.name,
                       setting.is_secret ? "(not shown)" : value.text, value.place, setting.bounds,
                       has_comment ? "; a '#' behind a value belongs to it, comments have lines of their own"
                                   : "");
}

// A line of a configuration file, or a comment in its place.
std::string line_of(const Setting& setting, const Config& config, Secrets secrets) {
    const auto value = setting.get(config);
    if (setting.is_secret && !value.empty()) {
        const auto* const file = find_setting(fmt::format("{}-file", setting.name));
        if (!file->get(config).empty())
            return fmt::format("# {} is read from {}\n", setting.name, file->name);
        if (secrets == Secrets::hidden)
            return fmt::format("# {} is not shown; --show-secrets writes it here\n", setting.name);
    }
    return fmt::format("{} = {}\n", setting.name, in_quotes(value));
}

std::string_view without_port(std::string_view host) {
    const auto authority = split_authority(host);
    return authority ? authority->host : host;
}

// Where short links are, scripts of links run.
Result<void> check_dashboard(const Config& config) {
    if (!config.dashboard_host.empty() && !is_local_host(config.dashboard_host) &&
        without_port(config.dashboard_host) == without_port(config.domain_or_default()))
        return complaint(
            fmt::format("dashboard-host: {} shows short links, and the dashboard is never where those "
                        "are; give it a host of its own",
                        config.dashboard_host));
    return {};
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

std::string Config::dashboard_url(std::uint16_t port) const {
    if (!dashboard_listen)
        return {};
    if (dashboard_host.empty())
        return fmt::format(
            "http://{}",
            Endpoint{.address = dashboard_listen->address, .port = port}.seen_from_here().text());
    return fmt::format("{}://{}", is_local_host(dashboard_host) ? "http" : "https", dashboard_host);
}

std::string Setting::environment_name() const {
    std::string text = "SLASHPOST_";
    for (const char c : name)
        text += c == '-' ? '_' : ascii::upper(c);
    return text;
}

std::string_view value_of(const Environment& environment, std::string_view name) {
    const auto found = environment.find(name);
    return found == environment.end() ? std::string_view{} : std::string_view(found->second);
}

Layer read_environment(const Environment& environment) {
    Layer layer;
    for (const auto& setting : settings()) {
        const auto found = environment.find(setting.environment_name());
        if (found != environment.end() && !found->second.empty())
            layer.emplace(setting.name, found->second);
    }
    return layer;
}

Given given(const Setting& setting, const Layers& layers) {
    if (const auto it = layers.sockets.find(setting.name); it != layers.sockets.end())
        return {Given::By::socket, it->second, "inherited socket"};
    if (const auto it = layers.flags.find(setting.name); it != layers.flags.end())
        return {Given::By::flag, it->second, fmt::format("flag --{}", setting.name)};
    if (const auto it = layers.environment.find(setting.name); it != layers.environment.end())
        return {Given::By::environment, it->second,
                fmt::format("environment variable {}", setting.environment_name())};
    if (const auto it = layers.file.find(setting.name); it != layers.file.end()) {
        const auto place = layers.file_places.find(setting.name);
        return {Given::By::file, it->second,
                place == layers.file_places.end() ? "configuration file" : place->second};
    }
    return {Given::By::nobody, setting.fallback, "default"};
}

Result<Config> make_config(const Layers& layers) {
    Config config;
    for (const auto& setting : settings()) {
        const auto value = given(setting, layers);
        if (!setting.set(config, value.text))
            return complaint(wrong_value(setting, value));
    }
    for (const auto& setting : settings())
        if (setting.is_secret)
            TRY(take_secret(config, setting, layers));
    if (!config.smtp_url.empty() && config.smtp_from.empty())
        return complaint(
            "smtp-from: a mail server is set with smtp-url, so give the sender's e-mail address");
    TRY(check_dashboard(config));
    TRY(oidc::check_settings(config));
    return config;
}

std::string describe(const Config& config, const Layers& layers, Secrets secrets) {
    std::string text = "# What the server uses. What has no comment above it has its default.\n";
    std::string_view topic;
    for (const auto& setting : settings()) {
        if (setting.topic != std::exchange(topic, setting.topic))
            text += fmt::format("\n# {}\n", topic);
        if (const auto source = given(setting, layers); source.by != Given::By::nobody)
            text += fmt::format("# {}:\n", source.place);
        text += line_of(setting, config, secrets);
    }
    return text;
}

} // namespace slashpost::app
