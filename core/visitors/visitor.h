#pragma once
// Who a visitor is, as far as it matters: where from, with what program, from which page. Addresses are
// looked at and forgotten; nothing here keeps one.
#include "core/base/random.h"
#include "core/base/siphash.h"
#include "core/base/time.h"
#include "core/model/visitor.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace slashpost::redirect {

// IPv6; IPv4 as ::ffff:a.b.c.d.
struct Address {
    // "192.0.2.1", "2001:db8::1"; not known when the text is neither.
    static Address of(std::string_view text) noexcept;
    // As `of` takes it; empty when it is not known.
    [[nodiscard]] std::string text() const;
    [[nodiscard]] bool is_v4() const noexcept;
    // What one client has to itself: all of an IPv4 address, the first half of an IPv6 one (/64).
    [[nodiscard]] Address network() const noexcept;

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

// The language that an Accept-Language header wants most (core/visitors/languages.h), without its region:
// "pt-BR" is "pt".
[[nodiscard]] LanguageCode first_language(std::string_view accept_language) noexcept;

// The host of a Referer header, in lower case, without user, port and a leading "www.": to whoever counts,
// www.example.com and example.com are one place. Of a host that is too long the last labels that fit whole.
// Empty for what is no http or https address, for `own_host` (as visited, with its port if it has one; the
// same place with or without "www."), and for anything that is no plain name or IPv4 address.
[[nodiscard]] ReferrerHost referrer_host(std::string_view referrer, std::string_view own_host) noexcept;

// Tells visitors apart for statistics without saying who they are: a keyed hash of address and program. The
// key is random, known to this object alone, written nowhere, and another one after `key_seconds`; what was
// hashed with the one before can then not be found out by trying all addresses.
class VisitorHasher {
  public:
    static constexpr std::int64_t day_seconds = std::int64_t{24} * 3600;
    // `random` outlives it. A key lives for a day at most.
    explicit VisitorHasher(Random& random, std::int64_t key_seconds = day_seconds)
        : random_(random),
          key_ms_(std::max<std::int64_t>(key_seconds, 1) * 1000) {}

    // `agent_mark` as in KnownAgent (core/visitors/agents.h). 0: the address is not known; else never 0.
    // From any thread; takes no lock but for a new key.
    [[nodiscard]] std::uint64_t hash(const Address& address, std::uint64_t agent_mark,
                                     Timestamp now) noexcept;

  private:
    [[nodiscard]] SipKey key_at(Timestamp now) noexcept;
    void renew(Timestamp now) noexcept;

    Random& random_;
    const std::int64_t key_ms_;
    std::mutex renewing_;
    // Odd while the three below change; who reads them looks before and after.
    std::atomic<std::uint32_t> version_ = 0;
    std::atomic<std::int64_t> made_at_ms_ = 0;
    std::atomic<std::uint64_t> key_low_ = 0, key_high_ = 0;
};

} // namespace slashpost::redirect
