#include "core/base/secret.h"

#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>

#include <array>

namespace slashpost {

std::string make_token(Random& random) {
    std::array<std::uint8_t, 32> bits{};
    random.fill(bits);
    std::string token;
    for (const auto byte : bits)
        fmt::format_to(std::back_inserter(token), "{:02x}", byte);
    return token;
}

std::string sha256(std::string_view text) {
    std::string digest(SHA256_DIGEST_LENGTH, '\0');
    SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(),
           reinterpret_cast<unsigned char*>(digest.data()));
    return digest;
}

std::string hmac_sha256(std::string_view text, std::string_view secret) {
    std::string digest(SHA256_DIGEST_LENGTH, '\0');
    HMAC(EVP_sha256(), secret.data(), static_cast<int>(secret.size()),
         reinterpret_cast<const unsigned char*>(text.data()), text.size(),
         reinterpret_cast<unsigned char*>(digest.data()), nullptr);
    return digest;
}

bool equal_in_constant_time(std::string_view a, std::string_view b) {
    return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

} // namespace slashpost
