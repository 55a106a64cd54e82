#include "app/oidc/web_keys.h"

#include "app/oidc/json_text.h"
#include "core/base/base64.h"
#include "core/base/errors.h"

#include <algorithm>
#include <array>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/param_build.h>

namespace slashpost::oidc {

namespace {

using http::KeyOwner;
using http::Releaser;
using NumberOwner = std::unique_ptr<BIGNUM, Releaser<BN_free>>;
using BuilderOwner = std::unique_ptr<OSSL_PARAM_BLD, Releaser<OSSL_PARAM_BLD_free>>;
using ParametersOwner = std::unique_ptr<OSSL_PARAM, Releaser<OSSL_PARAM_free>>;
using KeyContextOwner = std::unique_ptr<EVP_PKEY_CTX, Releaser<EVP_PKEY_CTX_free>>;
using DigestOwner = std::unique_ptr<EVP_MD_CTX, Releaser<EVP_MD_CTX_free>>;
using SignatureOwner = std::unique_ptr<ECDSA_SIG, Releaser<ECDSA_SIG_free>>;

constexpr std::size_t keys_max = 64;
constexpr int rsa_bits_min = 2048;
constexpr std::size_t rsa_bytes_max = 1024, exponent_bytes_max = 8; // more would take long to compare
constexpr std::size_t coordinate_bytes = 32;                        // of P-256, and a key of Ed25519

const unsigned char* bytes_of(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}

NumberOwner number_of(std::string_view bytes) {
    return NumberOwner(BN_bin2bn(bytes_of(bytes), static_cast<int>(bytes.size()), nullptr));
}

// A member that is base64url; empty when it is not.
std::string bytes_in(const json::object& key, std::string_view name) {
    return from_base64url(text_of(key, name)).value_or("");
}

// Null when OpenSSL takes it for no key; it looks whether a point is on its curve.
KeyOwner public_key(const char* kind, OSSL_PARAM* parameters) {
    const KeyContextOwner context(EVP_PKEY_CTX_new_from_name(nullptr, kind, nullptr));
    EVP_PKEY* key = nullptr;
    if (!context || EVP_PKEY_fromdata_init(context.get()) != 1 ||
        EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_PUBLIC_KEY, parameters) != 1)
        return nullptr;
    return KeyOwner(key);
}

KeyOwner rsa_key(const json::object& key) {
    const auto modulus = bytes_in(key, "n"), exponent = bytes_in(key, "e");
    if (modulus.empty() || exponent.empty() || modulus.size() > rsa_bytes_max ||
        exponent.size() > exponent_bytes_max)
        return nullptr;
    const auto n = number_of(modulus), e = number_of(exponent);
    const BuilderOwner builder(OSSL_PARAM_BLD_new());
    if (!n || !e || !builder || OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_N, n.get()) != 1 ||
        OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_E, e.get()) != 1)
        return nullptr;
    const ParametersOwner parameters(OSSL_PARAM_BLD_to_param(builder.get()));
    auto made = parameters ? public_key("RSA", parameters.get()) : nullptr;
    return made && EVP_PKEY_get_bits(made.get()) >= rsa_bits_min ? std::move(made) : nullptr;
}

KeyOwner p256_key(const json::object& key) {
    const auto x = bytes_in(key, "x"), y = bytes_in(key, "y");
    if (text_of(key, "crv") != "P-256" || x.size() != coordinate_bytes || y.size() != coordinate_bytes)
        return nullptr;
    std::string group = "P-256";
    std::string point = '\x04' + x + y; // not compressed
    std::array<OSSL_PARAM, 3> parameters{
        OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, group.data(), 0),
        OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, point.data(), point.size()),
        OSSL_PARAM_construct_end()};
    return public_key("EC", parameters.data());
}

KeyOwner ed25519_key(const json::object& key) {
    const auto x = bytes_in(key, "x");
    if (text_of(key, "crv") != "Ed25519" || x.size() != coordinate_bytes)
        return nullptr;
    return KeyOwner(EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, bytes_of(x), x.size()));
}

// JWS has r and s one behind the other (RFC 7518, 3.4), OpenSSL wants DER.
std::string der_signature(std::string_view raw) {
    if (raw.size() != 2 * coordinate_bytes)
        return {};
    const SignatureOwner signature(ECDSA_SIG_new());
    auto r = number_of(raw.substr(0, coordinate_bytes)), s = number_of(raw.substr(coordinate_bytes));
    if (!signature || !r || !s || ECDSA_SIG_set0(signature.get(), r.get(), s.get()) != 1)
        return {};
    static_cast<void>(r.release()); // the signature's now
    static_cast<void>(s.release());
    const int size = i2d_ECDSA_SIG(signature.get(), nullptr);
    std::string der(static_cast<std::size_t>(std::max(size, 0)), '\0');
    auto* at = reinterpret_cast<unsigned char*>(der.data());
    return i2d_ECDSA_SIG(signature.get(), &at) == size ? der : std::string();
}

struct Kind {
    std::string_view type; // "kty"
    std::string_view name; // "alg"
    Algorithm algorithm;
    KeyOwner (*read)(const json::object& key);
};
constexpr std::array<Kind, 3> kinds{{{"RSA", "RS256", Algorithm::rs256, rsa_key},
                                     {"EC", "ES256", Algorithm::es256, p256_key},
                                     {"OKP", "EdDSA", Algorithm::eddsa, ed25519_key}}};

// A member that may be missing has this value when it is there.
bool is_if_there(const json::object& key, std::string_view name, std::string_view wanted) {
    return !key.contains(name) || text_of(key, name) == wanted;
}

} // namespace

std::optional<Algorithm> algorithm_named(std::string_view name) {
    for (const auto& kind : kinds)
        if (kind.name == name)
            return kind.algorithm;
    return std::nullopt;
}

Result<WebKeys> WebKeys::read(std::string_view text) {
    const auto set = parse_object(text);
    const auto* const list = set ? set->if_contains("keys") : nullptr;
    if (list == nullptr || !list->is_array() || list->get_array().size() > keys_max)
        return malformed("this is no set of keys");
    WebKeys out;
    for (const auto& item : list->get_array()) {
        const auto* const key = item.if_object();
        if (key == nullptr || !is_if_there(*key, "use", "sig"))
            continue;
        for (const auto& kind : kinds) {
            if (text_of(*key, "kty") != kind.type || !is_if_there(*key, "alg", kind.name))
                continue;
            if (auto made = kind.read(*key))
                out.keys_.push_back(
                    {.id = text_of(*key, "kid"), .algorithm = kind.algorithm, .key = std::move(made)});
        }
    }
    ERR_clear_error(); // of what was passed over
    return out;
}

EVP_PKEY* WebKeys::find(std::string_view id, Algorithm algorithm) const {
    EVP_PKEY* found = nullptr;
    for (const auto& key : keys_) {
        if (key.algorithm != algorithm || (!id.empty() && key.id != id))
            continue;
        if (found != nullptr)
            return nullptr; // nobody knows which is meant
        found = key.key.get();
    }
    return found;
}

bool WebKeys::has(std::string_view id, Algorithm algorithm) const { return find(id, algorithm) != nullptr; }

bool WebKeys::verify(std::string_view id, Algorithm algorithm, std::string_view text,
                     std::string_view signature) const {
    auto* const key = find(id, algorithm);
    const auto given = algorithm == Algorithm::es256 ? der_signature(signature) : std::string(signature);
    const DigestOwner digest(EVP_MD_CTX_new());
    const auto* const hash = algorithm == Algorithm::eddsa ? nullptr : EVP_sha256();
    const bool good =
        key != nullptr && digest != nullptr && !given.empty() &&
        EVP_DigestVerifyInit(digest.get(), nullptr, hash, nullptr, key) == 1 &&
        EVP_DigestVerify(digest.get(), bytes_of(given), given.size(), bytes_of(text), text.size()) == 1;
    ERR_clear_error();
    return good;
}

} // namespace slashpost::oidc
