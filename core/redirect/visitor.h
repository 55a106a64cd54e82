#pragma once
// Who a visitor is, as far as it matters: where from, with what program, from which page. Addresses are
// looked at and forgotten; nothing here keeps one.
#include "core/model/visitor.h"

namespace slashpost::redirect {

// IPv6; IPv4 as ::ffff:a.b.c.d.
struct Address {
    std::array<std::uint8_t, 16> bytes{};
    bool known = false;
    bool operator==(const Address&) const = default;
};

// Where addresses belong to. Implementations are quick and safe to use from any thread.
class CountryFinder {
  public:
    virtual ~CountryFinder() = default;
    // Empty when it is not known.
    [[nodiscard]] virtual CountryCode find(const Address& address) const noexcept = 0;
};

} // namespace slashpost::redirect
