#pragma once
// A provider for tests, with keys of its own: it publishes them, signs what a test says, and remembers what
// it was asked.
#include "app/oidc/provider.h"
#include "core/base/base64.h"
#include "core/base/errors.h"
#include "tests/support/must.h"
#include "tests/support/world.h"

#include <array>
#include <functional>
#include <map>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/rsa.h>

namespace slashpost::test {

namespace json = boost::json;

struct TestKey {
    std::string id;
    std::string algorithm; // as in a header
    http::KeyOwner key;

    static TestKey rsa(std::string id, unsigned bits = 2048) {
        return {std::move(id), "RS256", http::KeyOwner(EVP_RSA_gen(bits))};
    }
    static TestKey p256(std::string id) {
        return {std::move(id), "ES256", http::KeyOwner(EVP_EC_gen("P-256"))};
    }
    static TestKey ed25519(std::string id) {
        return {std::move(id), "EdDSA", http::KeyOwner(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"))};
    }

    [[nodiscard]] json::object published() const {
        json::object out{{"kid", id}, {"alg", algorithm}, {"use", "sig"}};
        if (algorithm == "RS256") {
            out["kty"] = "RSA";
            out["n"] = number(OSSL_PKEY_PARAM_RSA_N);
            out["e"] = number(OSSL_PKEY_PARAM_RSA_E);
        } else if (algorithm == "ES256") {
            out["kty"] = "EC";
            out["crv"] = "P-256";
            out["x"] = number(OSSL_PKEY_PARAM_EC_PUB_X, 32);
            out["y"] = number(OSSL_PKEY_PARAM_EC_PUB_Y, 32);
        } else {
            std::string bytes(32, '\0');
            std::size_t size = bytes.size();
            EVP_PKEY_get_raw_public_key(key.get(), reinterpret_cast<unsigned char*>(bytes.data()), &size);
            out["kty"] = "OKP";
            out["crv"] = "Ed25519";
            out["x"] = base64url(bytes);
        }
        return out;
    }
    [[nodiscard]] std::string sign(std::string_view text) const {
        EVP_MD_CTX* const context = EVP_MD_CTX_new();
        const auto* const bytes = reinterpret_cast<const unsigned char*>(text.data());
        std::size_t size = 0;
        EVP_DigestSignInit(context, nullptr, algorithm == "EdDSA" ? nullptr : EVP_sha256(), nullptr,
                           key.get());
        EVP_DigestSign(context, nullptr, &size, bytes, text.size());
        std::string out(size, '\0');
        EVP_DigestSign(context, reinterpret_cast<unsigned char*>(out.data()), &size, bytes, text.size());
        out.resize(size);
        EVP_MD_CTX_free(context);
        return algorithm == "ES256" ? raw(out) : out;
    }

  private:
    [[nodiscard]] std::string number(const char* name, int width = 0) const {
        BIGNUM* value = nullptr;
        EVP_PKEY_get_bn_param(key.get(), name, &value);
        std::string bytes(static_cast<std::size_t>(width > 0 ? width : BN_num_bytes(value)), '\0');
        BN_bn2binpad(value, reinterpret_cast<unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
        BN_free(value);
        return base64url(bytes);
    }
    static std::string raw(const std::string& der) {
        const auto* at = reinterpret_cast<const unsigned char*>(der.data());
        ECDSA_SIG* const signature = d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(der.size()));
        std::string out(64, '\0');
        auto* const to = reinterpret_cast<unsigned char*>(out.data());
        BN_bn2binpad(ECDSA_SIG_get0_r(signature), to, 32);
        BN_bn2binpad(ECDSA_SIG_get0_s(signature), to + 32, 32);
        ECDSA_SIG_free(signature);
        return out;
    }
};

inline std::string unsigned_token(const json::object& header, const json::object& claims) {
    return base64url(json::serialize(header)) + "." + base64url(json::serialize(claims));
}
inline std::string signed_token(const json::object& header, const json::object& claims, const TestKey& key) {
    const auto text = unsigned_token(header, claims);
    return text + "." + base64url(key.sign(text));
}
inline std::string set_of(const std::vector<const TestKey*>& keys) {
    json::array list;
    for (const auto* key : keys)
        list.push_back(key->published());
    return json::serialize(json::object{{"keys", list}});
}

inline constexpr auto test_issuer = "https://sso.example.com";
inline constexpr std::int64_t test_second = 1'800'000'000; // of FixedClock

// What a good token says, answering `nonce`.
inline json::object good_claims(std::string_view nonce) {
    return {{"iss", test_issuer},       {"aud", "slashpost"},         {"sub", "248289761001"},
            {"exp", test_second + 300}, {"iat", test_second - 1},     {"nonce", nonce},
            {"name", "Ann Example"},    {"email", "ann@example.com"}, {"email_verified", true}};
}

struct FakeProvider {
    std::map<std::string, app::WebAnswer> answers; // by address
    std::vector<app::WebRequest> asked;

    FakeProvider() {
        say("/.well-known/openid-configuration", json::serialize(document()));
        publish({&key});
    }
    static json::object document() {
        return {{"issuer", test_issuer},
                {"authorization_endpoint", "https://sso.example.com/auth"},
                {"token_endpoint", "https://sso.example.com/token"},
                {"userinfo_endpoint", "https://sso.example.com/me"},
                {"jwks_uri", "https://sso.example.com/keys"}};
    }
    void say(std::string_view path, std::string body, long status = 200) {
        app::WebAnswer answer;
        answer.status = status;
        answer.body = std::move(body);
        answers[std::string(test_issuer) + std::string(path)] = std::move(answer);
    }
    void publish(const std::vector<const TestKey*>& keys) { say("/keys", set_of(keys)); }
    void give(const json::object& claims, const TestKey& with) {
        const auto token = signed_token({{"alg", with.algorithm}, {"kid", with.id}}, claims, with);
        say("/token", json::serialize(json::object{{"id_token", token}, {"access_token", "opaque"}}));
    }
    [[nodiscard]] int times_asked(std::string_view path) const {
        return static_cast<int>(std::ranges::count_if(
            asked, [&](const auto& request) { return request.url == test_issuer + std::string(path); }));
    }

    TestKey key = TestKey::p256("one");
};

class FakeProviderWeb final : public app::Web {
  public:
    explicit FakeProviderWeb(FakeProvider& there) : there_(there) {}
    Result<app::WebAnswer> send(const app::WebRequest& request, const std::stop_token&) override {
        there_.asked.push_back(request);
        const auto found = there_.answers.find(request.url);
        if (found == there_.answers.end())
            return unavailable("no route to the provider");
        return found->second;
    }

  private:
    FakeProvider& there_;
};

} // namespace slashpost::test
