#pragma once
// The keys that a provider signs with, as it publishes them (a JWK Set, RFC 7517).
#include "core/base/result.h"
#include "http/server/openssl.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slashpost::oidc {

// What a token may be signed with: signatures of keys of which only the provider has the secret half.
enum class Algorithm : std::uint8_t { rs256, es256, eddsa };
// By its name in the header of a JWS (RFC 7518, RFC 8037); nothing for every other one, "none" and those of
// shared secrets among them.
std::optional<Algorithm> algorithm_named(std::string_view name);

// Immutable; safe to use from any thread.
class WebKeys {
  public:
    // Keys of other kinds, for other uses, of fewer than 2,048 bits (RSA) or that are broken are passed over.
    // Fails when the text is no set of keys.
    static Result<WebKeys> read(std::string_view text);

    // Whether there is one key with that id for the algorithm; for an empty id, whether there is but one for
    // the algorithm.
    [[nodiscard]] bool has(std::string_view id, Algorithm algorithm) const;
    // Whether that key has made the signature, in the form of JWS.
    [[nodiscard]] bool verify(std::string_view id, Algorithm algorithm, std::string_view text,
                              std::string_view signature) const;

  private:
    struct Key {
        std::string id;
        Algorithm algorithm;
        http::KeyOwner key;
    };
    [[nodiscard]] EVP_PKEY* find(std::string_view id, Algorithm algorithm) const;

    std::vector<Key> keys_;
};

} // namespace slashpost::oidc
