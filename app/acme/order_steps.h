#pragma once
// The states of an order at an authority (RFC 8555, 7.1.6) and what is done next in each: a pure function, so
// that tests can walk every way.
#include <cstdint>
#include <optional>
#include <string_view>

namespace slashpost::acme {

enum class Status : std::uint8_t {
    unknown, // not told yet, or a word that the standard does not have
    pending,
    processing,
    ready,
    valid,
    invalid,
    deactivated,
    expired,
    revoked,
};
[[nodiscard]] Status status_of(std::string_view word);

struct OrderView {
    Status order = Status::unknown;
    Status authorization = Status::unknown; // of the order's only host
    Status challenge = Status::unknown;     // of the one that we answer
};

enum class Step : std::uint8_t {
    read_authorization, // what there is to prove
    prove,              // put the answer where the authority looks, and say so
    wait_for_proof,
    finalize,
    wait_for_certificate,
    download,
    give_up,
};
[[nodiscard]] Step next_step(const OrderView& seen);

// Milliseconds before the authority is asked again, having been asked so often before: what it says, between
// 0.2 and 30 seconds, else half a second and then twice as long each time up to 8.
[[nodiscard]] std::int64_t wait_before_asking(std::uint32_t asked, std::optional<std::int64_t> retry_seconds);

// How a host is proved.
enum class Method : std::uint8_t { automatic, http_01, tls_alpn_01 };
struct Listeners {
    std::uint16_t http_port = 0; // 0: there is none
    bool has_tls = false;
};
// HTTP-01 where port 80 is this server's, else TLS-ALPN-01 where it ends TLS; a method that was chosen is it.
[[nodiscard]] Method method_for(Method chosen, const Listeners& listeners);
// "http-01"; the name of an automatic one is empty.
[[nodiscard]] std::string_view name_of(Method method);

} // namespace slashpost::acme
