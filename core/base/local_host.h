#pragma once
// Names of the machine that whoever asks is on.
#include <optional>
#include <string>
#include <string_view>

namespace slashpost {

// Whether `host`, in the normal form of core/base/host.h with or without a port, is localhost, a name below
// it or an address of the loopback.
[[nodiscard]] bool is_local_host(std::string_view host);

// The name of the same server that a domain may have: "127.0.0.1:8080" and "[::1]:8080" are "localhost:8080".
// Nothing for every other host, "localhost:8080" included.
[[nodiscard]] std::optional<std::string> localhost_for(std::string_view host);

} // namespace slashpost
