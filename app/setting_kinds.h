#pragma once
// Rows of the table of settings by the kind of their value: what their text is, and which member it goes to.
// Each takes the setting's name, what its value looks like, its default, its member, its bounds in words and
// its help, as far as the kind does not say them itself.
#include "app/config.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace slashpost::app {

// A whole number from `min` to `max`.
template <class T>
Setting number(std::string_view name, const std::string& fallback, T Config::* member, std::uint64_t min,
               std::uint64_t max, std::string_view bounds, std::string_view help) {
    return {.name = name,
            .hint = "N",
            .fallback = fallback,
            .bounds = bounds,
            .help = help,
            .set =
                [=](Config& config, std::string_view text) {
                    const auto value = parse_number(text, min, max);
                    if (value)
                        config.*member = static_cast<T>(*value);
                    return value.has_value();
                },
            .get = [=](const Config& config) { return std::to_string(config.*member); }};
}

// One of some words; the default is the one at the place `fallback`.
template <class E>
Setting choice(std::string_view name, std::string_view bounds, E Config::* member,
               std::vector<std::pair<std::string_view, E>> values, std::size_t fallback,
               std::string_view help) {
    std::string fallback_text(values.at(fallback).first);
    return {.name = name,
            .hint = "WORD",
            .fallback = std::move(fallback_text),
            .bounds = bounds,
            .help = help,
            .set =
                [=](Config& config, std::string_view text) {
                    for (const auto& [word, value] : values) {
                        if (word == text) {
                            config.*member = value;
                            return true;
                        }
                    }
                    return false;
                },
            .get =
                [=](const Config& config) {
                    for (const auto& [word, value] : values) {
                        if (value == config.*member)
                            return std::string(word);
                    }
                    return std::string{};
                }};
}

// Where to listen.
Setting endpoint(std::string_view name, std::string fallback, Endpoint Config::* member,
                 std::string_view help);
// Where to listen or to ask, if anywhere: no default.
Setting optional_endpoint(std::string_view name, std::string_view bounds,
                          std::optional<Endpoint> Config::* member, bool may_be_port_0,
                          std::string_view help);
// Items separated by commas; none by default.
Setting list(std::string_view name, std::string_view hint, std::vector<std::string> Config::* member,
             ParseItem parse, std::string_view bounds, std::string_view help);
// A path, which may be empty.
Setting path(std::string_view name, std::string_view hint, std::string fallback,
             std::filesystem::path Config::* member, std::string_view help);
// Text that `parse` brings into its normal form, or nothing, which is the default.
Setting address(std::string_view name, std::string_view hint, std::string Config::* member,
                std::optional<std::string> (*parse)(std::string_view), std::string_view bounds,
                std::string_view help);

} // namespace slashpost::app
