#include "core/base/local_host.h"

namespace slashpost {

namespace {

constexpr std::string_view name = "localhost";

// The host without its port, which begins behind the last colon outside of brackets.
std::string_view without_port(std::string_view host) {
    const auto colon = host.find(':', host.starts_with('[') ? host.find(']') : 0);
    return host.substr(0, colon);
}

} // namespace

bool is_local_host(std::string_view host) {
    const auto bare = without_port(host);
    const bool is_number = bare.find_first_not_of("0123456789.") == bare.npos; // 127.example.com is a name
    return bare == name || bare.ends_with(".localhost") || (bare.starts_with("127.") && is_number) ||
           bare == "[::1]";
}

std::optional<std::string> localhost_for(std::string_view host) {
    const auto bare = without_port(host);
    if (bare != "127.0.0.1" && bare != "[::1]")
        return std::nullopt;
    return std::string(name).append(host.substr(bare.size()));
}

} // namespace slashpost
