#pragma once
// The apps that a deep link can open, and how a phone is told to open them.
#include <span>
#include <string>
#include <string_view>

namespace slashpost {

struct App {
    std::string_view id; // on the wire and in stored rows: never change one, never take one out
    std::string_view name;
    std::string_view android_package;
    std::string_view android_scheme;
    std::string_view ios_store_id; // apps.apple.com/app/id<this>
    std::string_view ios_scheme;

    // Addresses that open the app, with "{path}" where the path of a deep link belongs.
    [[nodiscard]] std::string android_url() const;
    [[nodiscard]] std::string ios_url() const;
};

// In the order of their ids.
std::span<const App> known_apps();
// Null when there is none of that id.
const App* find_known_app(std::string_view id);

} // namespace slashpost
