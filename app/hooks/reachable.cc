#include "app/hooks/reachable.h"

#include "core/base/public_address.h"

#include <algorithm>
#include <cstring>
#include <ifaddrs.h>
#include <memory>
#include <netinet/in.h>

namespace slashpost::app {

namespace {

constexpr std::uint16_t secure_port = 443, plain_port = 80, unprivileged_ports = 1024;

struct Place {
    redirect::Address address;
    std::uint16_t port = 0;
};

std::optional<Place> place_of(const sockaddr* given) {
    if (given == nullptr)
        return std::nullopt;
    Place out;
    out.address.known = true;
    if (given->sa_family == AF_INET) {
        sockaddr_in v4{};
        std::memcpy(&v4, given, sizeof v4);
        out.address.bytes[10] = out.address.bytes[11] = 0xff;
        std::memcpy(out.address.bytes.data() + 12, &v4.sin_addr, sizeof v4.sin_addr);
        out.port = ntohs(v4.sin_port);
        return out;
    }
    if (given->sa_family != AF_INET6)
        return std::nullopt;
    sockaddr_in6 v6{};
    std::memcpy(&v6, given, sizeof v6);
    std::memcpy(out.address.bytes.data(), &v6.sin6_addr, sizeof v6.sin6_addr);
    out.port = ntohs(v6.sin6_port);
    return out;
}

// A public address of this machine's own leads to listeners that others are kept from.
bool is_own(const redirect::Address& address) {
    ifaddrs* all = nullptr;
    if (::getifaddrs(&all) != 0)
        return true; // who does not know connects nowhere
    const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> owned(all, &::freeifaddrs);
    for (const auto* one = all; one != nullptr; one = one->ifa_next)
        if (const auto place = place_of(one->ifa_addr); place && place->address == address)
            return true;
    return false;
}

} // namespace

bool Reachable::covers(const redirect::Address& address) const {
    return allowed_.cover(address) || (is_public_address(address.bytes) && !is_own(address));
}

bool Reachable::covers(const sockaddr* address) const {
    const auto place = place_of(address);
    return place &&
           (place->port == secure_port || place->port == plain_port || place->port >= unprivileged_ports) &&
           covers(place->address);
}

bool Reachable::covers_host(std::string_view host) const {
    if (host.starts_with('[') && host.ends_with(']'))
        host = host.substr(1, host.size() - 2);
    const auto address = redirect::Address::of(host);
    return !address.known || covers(address);
}

} // namespace slashpost::app
