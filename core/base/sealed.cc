#include "core/base/sealed.h"

#include "core/base/secret.h"

#include <array>
#include <sodium.h>

namespace slashpost {

namespace {

constexpr std::size_t nonce_bytes = crypto_secretbox_NONCEBYTES;
constexpr std::size_t seal_bytes = crypto_secretbox_MACBYTES;

const unsigned char* bytes_of(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}
unsigned char* bytes_of(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }

// Not the hash that is stored of a key, which would open what it keeps.
std::string key_of(std::string_view secret) {
    static_assert(crypto_secretbox_KEYBYTES == 32);
    return sha256(sha256(secret) + " seals");
}

} // namespace

std::string seal(std::string_view text, std::string_view secret, Random& random) {
    std::array<std::uint8_t, nonce_bytes> nonce{};
    random.fill(nonce);
    std::string out(nonce.begin(), nonce.end());
    out.resize(nonce_bytes + seal_bytes + text.size());
    crypto_secretbox_easy(bytes_of(out) + nonce_bytes, bytes_of(text), text.size(), nonce.data(),
                          bytes_of(key_of(secret)));
    return out;
}

std::optional<std::string> unseal(std::string_view sealed, std::string_view secret) {
    if (sealed.size() < nonce_bytes + seal_bytes)
        return std::nullopt;
    const auto box = sealed.substr(nonce_bytes);
    std::string out(box.size() - seal_bytes, '\0');
    if (crypto_secretbox_open_easy(bytes_of(out), bytes_of(box), box.size(), bytes_of(sealed),
                                   bytes_of(key_of(secret))) != 0)
        return std::nullopt;
    return out;
}

} // namespace slashpost
