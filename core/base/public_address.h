#pragma once
// Which addresses lie in the public internet: where a stranger may have us send something. All others are
// this machine, its neighbours, or nobody: the special registries of IANA for IPv4 and IPv6.
#include <array>
#include <cstdint>

namespace slashpost {

// 16 bytes in the order of the network; an IPv4 address as ::ffff:a.b.c.d. An IPv6 address that carries an
// IPv4 one for a translator (64:ff9b::/96) is as public as that. All of 6to4 and Teredo is not.
[[nodiscard]] bool is_public_address(const std::array<std::uint8_t, 16>& address);

} // namespace slashpost
