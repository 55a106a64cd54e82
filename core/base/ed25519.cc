#include "core/base/ed25519.h"

#include <array>
#include <cassert>
#include <sodium.h>

namespace slashpost {

namespace {

const unsigned char* bytes_of(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}
unsigned char* bytes_of(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }

struct Pair {
    std::string open = std::string(crypto_sign_PUBLICKEYBYTES, '\0');
    std::array<unsigned char, crypto_sign_SECRETKEYBYTES> hidden{};
};

Pair pair_of(std::string_view seed) {
    static_assert(crypto_sign_SEEDBYTES == ed25519_seed_bytes);
    assert(seed.size() == ed25519_seed_bytes);
    Pair pair;
    crypto_sign_seed_keypair(bytes_of(pair.open), pair.hidden.data(), bytes_of(seed));
    return pair;
}

} // namespace

std::string ed25519_public_key(std::string_view seed) { return pair_of(seed).open; }

std::string ed25519_sign(std::string_view text, std::string_view seed) {
    const auto pair = pair_of(seed);
    std::string signature(crypto_sign_BYTES, '\0');
    crypto_sign_detached(bytes_of(signature), nullptr, bytes_of(text), text.size(), pair.hidden.data());
    return signature;
}

} // namespace slashpost
