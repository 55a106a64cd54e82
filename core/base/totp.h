#pragma once
// One-time passwords by the time, as authenticator apps make them (RFC 6238): HMAC-SHA-1, six digits, a new
// one every 30 seconds.
#include "core/base/random.h"
#include "core/base/time.h"

#include <optional>
#include <string>
#include <string_view>

namespace slashpost {

inline constexpr std::size_t totp_secret_bytes = 20; // RFC 4226, 4

std::string make_totp_secret(Random& random);
// "JBSWY3DPEHPK3PXP": as people type it (RFC 4648, base32, without padding).
std::string base32(std::string_view bytes);
// What an authenticator app reads from a QR code.
std::string totp_address(std::string_view issuer, std::string_view account, std::string_view secret);

// The six digits of a step; steps count 30 seconds since 1970.
std::string totp_code(std::string_view secret, std::int64_t step);
// The step that the code is of: the present one, or one of its neighbours, as clocks differ; later than
// `used`, so that none is taken twice. Spaces in the code do not count.
std::optional<std::int64_t> totp_step_of(std::string_view code, std::string_view secret, Timestamp now,
                                         std::int64_t used);

} // namespace slashpost
