#include "core/base/totp.h"

#include "core/base/percent.h"
#include "core/base/secret.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

namespace slashpost {

namespace {

constexpr std::int64_t step_ms = 30'000;
constexpr std::uint32_t codes = 1'000'000;
constexpr std::size_t sha1_bytes = 20;

} // namespace

std::string make_totp_secret(Random& random) {
    std::array<std::uint8_t, totp_secret_bytes> bits{};
    random.fill(bits);
    return {bits.begin(), bits.end()};
}

std::string base32(std::string_view bytes) {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    constexpr unsigned digit_bits = 5, byte_bits = 8, mask = 31;
    std::string out;
    unsigned held = 0, bits = 0;
    for (const char c : bytes) {
        held = held << byte_bits | static_cast<unsigned char>(c);
        for (bits += byte_bits; bits >= digit_bits; bits -= digit_bits)
            out += digits[held >> (bits - digit_bits) & mask];
    }
    if (bits > 0)
        out += digits[held << (digit_bits - bits) & mask];
    return out;
}

std::string totp_address(std::string_view issuer, std::string_view account, std::string_view secret) {
    std::string issued_by, of;
    append_uri_value(issued_by, issuer);
    append_uri_value(of, account);
    return fmt::format("otpauth://totp/{}:{}?secret={}&issuer={}", issued_by, of, base32(secret), issued_by);
}

std::string totp_code(std::string_view secret, std::int64_t step) {
    std::array<unsigned char, sizeof step> counter{};
    for (std::size_t i = 0; i < counter.size(); ++i)
        counter.at(counter.size() - 1 - i) =
            static_cast<unsigned char>(static_cast<std::uint64_t>(step) >> (8 * i));
    std::array<unsigned char, sha1_bytes> digest{};
    unsigned bytes = 0;
    HMAC(EVP_sha1(), secret.data(), static_cast<int>(secret.size()), counter.data(), counter.size(),
         digest.data(), &bytes);
    const std::size_t offset = digest.back() & 0xfU; // RFC 4226, 5.3
    std::uint32_t number = digest.at(offset) & 0x7fU;
    for (std::size_t i = 1; i < 4; ++i)
        number = number << 8U | digest.at(offset + i);
    return fmt::format("{:06}", number % codes);
}

std::optional<std::int64_t> totp_step_of(std::string_view code, std::string_view secret, Timestamp now,
                                         std::int64_t used) {
    std::string typed(code);
    std::erase(typed, ' ');
    const auto present = now.ms / step_ms;
    std::optional<std::int64_t> found;
    for (const auto step : {present - 1, present, present + 1})
        if (equal_in_constant_time(totp_code(secret, step), typed) && step > used)
            found = step;
    return found;
}

} // namespace slashpost
