#include "app/inherited_sockets.h"

#include "core/base/errors.h"
#include "core/base/text.h"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace slashpost::app {

namespace {

constexpr std::uint64_t sockets_max = 256;

struct Purpose {
    std::string_view name;
    std::string_view setting;
};
constexpr std::array<Purpose, 5> purposes{{{"http", "listen"},
                                           {"api", "listen"},
                                           {"https", "tls-listen"},
                                           {"dashboard", "dashboard-listen"},
                                           {"dashboard-https", "dashboard-tls-listen"}}};

Result<std::string_view> setting_of(std::string_view name, int fd) {
    const auto* const known = std::ranges::find(purposes, name, &Purpose::name);
    if (known != purposes.end())
        return known->setting;
    return malformed(fmt::format("LISTEN_FDNAMES: the inherited socket {} is called '{}'; call it http, api, "
                                 "https, dashboard or dashboard-https (FileDescriptorName= in its unit)",
                                 fd, name));
}

// Nothing when it is no listening socket of TCP.
std::optional<Endpoint> listening_at(int fd) {
    int listens = 0;
    socklen_t length = sizeof listens;
    if (::getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &length) != 0 || listens == 0)
        return std::nullopt;
    sockaddr_storage bound{};
    length = sizeof bound;
    if (::getsockname(fd, reinterpret_cast<sockaddr*>(&bound), &length) != 0) // NOLINT: as the system has it
        return std::nullopt;
    std::array<char, INET6_ADDRSTRLEN> text{};
    Endpoint endpoint;
    if (bound.ss_family == AF_INET) {
        sockaddr_in address{};
        std::memcpy(&address, &bound, sizeof address);
        ::inet_ntop(AF_INET, &address.sin_addr, text.data(), text.size());
        endpoint.port = ntohs(address.sin_port);
    } else if (bound.ss_family == AF_INET6) {
        sockaddr_in6 address{};
        std::memcpy(&address, &bound, sizeof address);
        ::inet_ntop(AF_INET6, &address.sin6_addr, text.data(), text.size());
        endpoint.port = ntohs(address.sin6_port);
    } else {
        return std::nullopt;
    }
    endpoint.address = text.data();
    return endpoint;
}

} // namespace

Result<InheritedSockets> InheritedSockets::take(const Environment& environment, ::pid_t self, int first) {
    InheritedSockets inherited;
    const auto count_text = value_of(environment, "LISTEN_FDS");
    if (count_text.empty() || value_of(environment, "LISTEN_PID") != std::to_string(self))
        return inherited;
    const auto count = parse_number(count_text, 0, sockets_max);
    if (!count)
        return malformed(fmt::format("LISTEN_FDS: '{}' is no number from 0 to {}", count_text, sockets_max));
    auto names = value_of(environment, "LISTEN_FDNAMES");
    for (int fd = first; fd < first + static_cast<int>(*count); ++fd) {
        const auto end = std::min(names.find(':'), names.size());
        const auto setting = TRY(setting_of(names.substr(0, end), fd));
        names.remove_prefix(std::min(end + 1, names.size()));
        const auto address = listening_at(fd);
        if (!address || ::fcntl(fd, F_SETFD, FD_CLOEXEC) != 0)
            return malformed(
                fmt::format("LISTEN_FDS: the inherited descriptor {} is no socket that listens for TCP", fd));
        inherited.sockets_.push_back({.fd = http::Fd(fd), .setting = setting, .address = *address});
    }
    return inherited;
}

Layer InheritedSockets::addresses() const {
    Layer addresses;
    for (const auto& socket : sockets_)
        addresses.emplace(socket.setting, socket.address.text());
    return addresses;
}

std::vector<int> InheritedSockets::of(std::string_view setting) const {
    std::vector<int> found;
    for (const auto& socket : sockets_)
        if (socket.setting == setting)
            found.push_back(socket.fd.get());
    return found;
}

} // namespace slashpost::app
