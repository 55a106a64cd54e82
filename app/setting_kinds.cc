#include "app/setting_kinds.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace slashpost::app {

Setting endpoint(std::string_view name, std::string fallback, Endpoint Config::* member,
                 std::string_view help) {
    return {.name = name,
            .hint = "ADDRESS:PORT",
            .fallback = std::move(fallback),
            .bounds = "a numeric address (or localhost) and a port, for example 127.0.0.1:8080 or [::]:80",
            .help = help,
            .set =
                [=](Config& config, std::string_view text) {
                    const auto value = parse_endpoint(text);
                    if (value)
                        config.*member = *value;
                    return value.has_value();
                },
            .get = [=](const Config& config) { return (config.*member).text(); }};
}

Setting optional_endpoint(std::string_view name, std::string_view bounds,
                          std::optional<Endpoint> Config::* member, bool may_be_port_0,
                          std::string_view help) {
    return {.name = name,
            .hint = "ADDRESS:PORT",
            .fallback = "",
            .bounds = bounds,
            .help = help,
            .set =
                [=](Config& config, std::string_view text) {
                    config.*member = parse_endpoint(text);
                    const auto& value = config.*member;
                    return text.empty() || (value && (may_be_port_0 || value->port != 0));
                },
            .get =
                [=](const Config& config) {
                    const auto& value = config.*member;
                    return value ? value->text() : std::string{};
                }};
}

Setting list(std::string_view name, std::string_view hint, std::vector<std::string> Config::* member,
             ParseItem parse, std::string_view bounds, std::string_view help) {
    return {.name = name,
            .hint = hint,
            .fallback = "",
            .bounds = bounds,
            .help = help,
            .set =
                [=](Config& config, std::string_view text) {
                    auto value = parse_list(text, parse);
                    if (value)
                        config.*member = std::move(*value);
                    return value.has_value();
                },
            .get = [=](const Config& config) { return fmt::format("{}", fmt::join(config.*member, ",")); }};
}

Setting path(std::string_view name, std::string_view hint, std::string fallback,
             std::filesystem::path Config::* member, std::string_view help) {
    return {.name = name,
            .hint = hint,
            .fallback = std::move(fallback),
            .bounds = "a path",
            .help = help,
            .set =
                [=](Config& config, std::string_view text) {
                    config.*member = text;
                    return true;
                },
            .get = [=](const Config& config) { return (config.*member).string(); }};
}

Setting address(std::string_view name, std::string_view hint, std::string Config::* member,
                std::optional<std::string> (*parse)(std::string_view), std::string_view bounds,
                std::string_view help) {
    return {.name = name,
            .hint = hint,
            .fallback = "",
            .bounds = bounds,
            .help = help,
            .set =
                [=](Config& config, std::string_view text) {
                    const auto value = text.empty() ? std::optional<std::string>("") : parse(text);
                    config.*member = value.value_or("");
                    return value.has_value();
                },
            .get = [=](const Config& config) { return config.*member; }};
}

} // namespace slashpost::app
