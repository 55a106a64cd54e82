#pragma once
// What is told about a visitor, in the words that routing rules and statistics share (wire "Parts of a
// link").
//
// Numbers stand in click records and in compiled rules: never renumber. Zero: not known.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace slashpost {

enum class Device : std::uint8_t {
    unknown,
    mobile,
    tablet,
    desktop,
    bot,
    other, // known to be none of those: a television, a console, a program by which people try out links
};
enum class System : std::uint8_t { unknown, ios, android, windows, macos, linux_, chromeos };
enum class Browser : std::uint8_t { unknown, chrome, edge, firefox, ie, opera, safari, samsung, uc, yandex };

// The words of the wire, in the order of the numbers from 1 on.
inline constexpr std::array<std::string_view, 5> device_names{"mobile", "tablet", "desktop", "bot", "other"};
inline constexpr std::array<std::string_view, 6> system_names{"ios",   "android", "windows",
                                                              "macos", "linux",   "chromeos"};
inline constexpr std::array<std::string_view, 9> browser_names{
    "chrome", "edge", "firefox", "ie", "opera", "safari", "samsung", "uc", "yandex"};

namespace detail {
template <class Enum>
constexpr std::span<const std::string_view> names_of() {
    if constexpr (std::is_same_v<Enum, Device>)
        return device_names;
    else if constexpr (std::is_same_v<Enum, System>)
        return system_names;
    else
        return browser_names;
}
} // namespace detail

// "mobile"; empty when it is not known, or a number of a later build.
template <class Enum>
constexpr std::string_view word_of(Enum value) {
    const auto names = detail::names_of<Enum>();
    const auto number = static_cast<std::size_t>(value);
    return number == 0 || number > names.size() ? std::string_view() : names[number - 1];
}

// Nothing when it is no such word.
template <class Enum>
constexpr std::optional<Enum> of_word(std::string_view word) {
    const auto names = detail::names_of<Enum>();
    const auto found = std::ranges::find(names, word);
    if (found == names.end())
        return std::nullopt;
    return static_cast<Enum>(found - names.begin() + 1);
}

// A visitor's program, as its User-Agent header tells.
struct Agent {
    Device device = Device::unknown; // `bot`: no person, so it counts no click
    System system = System::unknown;
    Browser browser = Browser::unknown;
    bool fetches_previews = false; // a bot of a chat or a network that shows what an address leads to
    bool operator==(const Agent&) const = default;
};

// Up to `length_max` characters, kept in place; zeros behind them.
template <std::size_t length_max>
struct ShortText {
    std::array<char, length_max> bytes{};

    // The beginning of a longer text.
    static constexpr ShortText of(std::string_view text) {
        ShortText out;
        std::ranges::copy(text.substr(0, length_max), out.bytes.begin());
        return out;
    }
    [[nodiscard]] constexpr std::string_view view() const {
        const auto end = std::ranges::find(bytes, '\0');
        return {bytes.data(), static_cast<std::size_t>(end - bytes.begin())};
    }
    bool operator==(const ShortText&) const = default;
};

using CountryCode = ShortText<2>;   // ISO 3166, lower case: "de"; empty: not known
using LanguageCode = ShortText<3>;  // ISO 639, lower case, without region: "de", "fil"; empty: not known
using ReferrerHost = ShortText<36>; // "news.example.com"; of a longer one the last labels; empty: none

} // namespace slashpost
