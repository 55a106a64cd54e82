#pragma once
// Whose request it is: the peer's, or that of the client for which a trusted proxy forwards it.
//
// A header that says so counts only when the peer itself is in one of the configured networks; from everybody
// else such headers change nothing. Chains are read from the end, where the proxy next to us wrote: the first
// address that is no trusted proxy is the client, and what stands before it may be anybody's invention.
#include "core/visitors/visitor.h"
#include "http/server/parser.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slashpost::http {

struct Sender {
    redirect::Address address; // not known: the peer has gone, or speaks something else than IP
    bool secure = false;       // nobody on the way can read along, as far as is known
    bool operator==(const Sender&) const = default;
};

class TrustedProxies {
  public:
    // The normal form of "10.0.0.0/8", "2001:db8::/32" or a lone address. Nothing for any other text, and for
    // a network of everybody (/0).
    static std::optional<std::string> normal_network(std::string_view text);

    // Of networks in their normal form; others are left out. Trusts nobody by default.
    explicit TrustedProxies(const std::vector<std::string>& networks = {});

    [[nodiscard]] bool empty() const { return networks_.empty(); }
    [[nodiscard]] bool cover(const redirect::Address& address) const noexcept;

    // The client of a request that came from `peer`, by `Forwarded` (RFC 7239) or `X-Forwarded-For`, and
    // whether it came to the proxy by HTTPS, by `proto=` or `X-Forwarded-Proto`. When both kinds are there
    // and do not agree, one of them was not written by the proxy: then the peer itself is taken, and the
    // connection counts as not secure. Allocates nothing; looks at 32 proxies at most.
    [[nodiscard]] Sender client_of(const RequestHead& head, const Sender& peer) const noexcept;

  private:
    struct Network {
        std::array<std::uint8_t, 16> bytes{}; // IPv4 as ::ffff:a.b.c.d
        unsigned prefix = 128;
    };
    std::vector<Network> networks_;
};

} // namespace slashpost::http
