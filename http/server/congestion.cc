#include "http/server/congestion.h"

#include "http/server/fd.h"

#include <array>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string>
#include <string_view>
#include <sys/socket.h>

namespace slashpost::http {

namespace {

constexpr std::string_view simple = "reno";

void choose(int fd, std::string_view control) {
    (void)::setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, control.data(),
                       static_cast<socklen_t>(control.size()));
}

// Empty when it cannot be known.
std::string systems_choice() {
    const Fd fresh(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, IPPROTO_TCP));
    std::array<char, 16> name{}; // TCP_CA_NAME_MAX
    socklen_t size = name.size() - 1;
    if (!fresh || ::getsockopt(fresh.get(), IPPROTO_TCP, TCP_CONGESTION, name.data(), &size) != 0)
        return {};
    return name.data();
}

} // namespace

void begin_with_simple_congestion_control(int fd) { choose(fd, simple); }

void CongestionControl::take_systems(int fd) {
    static const auto name = systems_choice();
    is_systems_ = true;
    if (!name.empty() && name != simple)
        choose(fd, name);
}

} // namespace slashpost::http
