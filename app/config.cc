#include "app/config.h"

#include "core/base/errors.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <fstream>

namespace slashpost::app {

namespace {

std::unexpected<Error> complaint(std::string message) { return malformed(std::move(message)); }

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
