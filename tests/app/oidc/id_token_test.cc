// Which tokens of a provider are taken, and which are not.
#include "app/oidc/id_token.h"

#include "core/base/secret.h"
#include "tests/app/oidc/fake_provider.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::test;

namespace {

const TestKey& rsa() {
    static const auto key = TestKey::rsa("rsa");
    return key;
}
const TestKey& curve() {
    static const auto key = TestKey::p256("curve");
    return key;
}
const TestKey& edwards() {
    static const auto key = TestKey::ed25519("edwards");
    return key;
}

// Empty when the token is taken; else why not.
std::string verdict(const std::string& text, const std::string& keys) {
    const auto token = oidc::read_id_token(text);
    if (!token.has_value())
        return token.error().message;
    const auto checked = oidc::check_id_token(*token, must(oidc::WebKeys::read(keys)),
                                              {.issuer = test_issuer,
                                               .client_id = "slashpost",
                                               .nonce = "n-0S6_WzA2Mj",
                                               .now = {test_second * 1000}});
    return checked.has_value() ? "" : checked.error().message;
}
std::string verdict(const std::string& text) { return verdict(text, set_of({&rsa(), &curve(), &edwards()})); }

std::string token_by(const TestKey& key) {
    return signed_token({{"alg", key.algorithm}, {"kid", key.id}}, good_claims("n-0S6_WzA2Mj"), key);
}

// A good one of the curve but for one claim; null takes it away.
std::string verdict_with(std::string_view claim, const json::value& value) {
    auto claims = good_claims("n-0S6_WzA2Mj");
    claims[claim] = value;
    if (value.is_null())
        claims.erase(claim);
    return verdict(signed_token({{"alg", "ES256"}, {"kid", "curve"}}, claims, curve()));
}
std::string verdict_of_header(const json::object& header, const TestKey& key = curve()) {
    return verdict(signed_token(header, good_claims("n-0S6_WzA2Mj"), key));
}

} // namespace

TEST_CASE("tokens of the three kinds of keys are taken", "[oidc]") {
    for (const auto* key : {&rsa(), &curve(), &edwards()}) {
        CAPTURE(key->algorithm);
        CHECK(verdict(token_by(*key)).empty());
    }
    CHECK(verdict_with("aud", json::array{"slashpost"}).empty());
    CHECK(verdict_with("azp", "slashpost").empty());
    CHECK(verdict_with("exp", test_second + 300.5).empty());
    CHECK(verdict_with("exp", test_second - 59).empty()); // clocks differ
    CHECK(verdict_with("iat", test_second + 60).empty());
    // One without an id, where there is but one key that it can be.
    CHECK(verdict_of_header({{"alg", "ES256"}}).empty());
}

TEST_CASE("a token is not taken when anything that it says is wrong", "[oidc][threat-43]") {
    struct Case {
        std::string_view claim;
        json::value value;
        std::string_view words;
    };
    const auto c = GENERATE(
        Case{"iss", "https://evil.example.com", "(iss)"}, Case{"iss", "https://sso.example.com/", "(iss)"},
        Case{"iss", nullptr, "(iss)"}, Case{"aud", "another", "(aud)"}, Case{"aud", nullptr, "(aud)"},
        Case{"aud", json::array{"another"}, "(aud)"}, Case{"aud", json::array{}, "(aud)"},
        Case{"aud", json::array{"slashpost", "another"}, "(azp)"}, Case{"azp", "another", "(azp)"},
        Case{"azp", 1, "(azp)"}, Case{"exp", test_second - 60, "(exp)"}, Case{"exp", nullptr, "(exp)"},
        Case{"exp", "1800000300", "(exp)"}, Case{"exp", -1, "(exp)"}, Case{"exp", 1e300, "(exp)"},
        Case{"iat", nullptr, "(iat)"}, Case{"iat", test_second + 61, "(iat)"},
        Case{"iat", test_second - 660, "(iat)"}, Case{"nbf", test_second + 61, "(nbf)"},
        Case{"nbf", "soon", "(nbf)"}, Case{"nonce", "n-0S6_WzA2MJ", "(nonce)"},
        Case{"nonce", nullptr, "(nonce)"}, Case{"sub", nullptr, "(sub)"}, Case{"sub", "", "(sub)"},
        Case{"sub", 1, "(sub)"}, Case{"sub", json::string(256, 's'), "(sub)"});
    CAPTURE(c.claim, json::serialize(c.value));
    CHECK_THAT(verdict_with(c.claim, c.value), Catch::Contains(std::string(c.words)));
}

TEST_CASE("a token is not taken unless a key of the provider has signed just this", "[oidc][threat-43]") {
    const auto not_signed = Catch::Contains("not signed with its key");
    const auto stranger = TestKey::p256("curve"); // says that it is ours
    CHECK_THAT(verdict(token_by(stranger)), not_signed);
    CHECK_THAT(verdict_of_header({{"alg", "ES256"}, {"kid", "another"}}), not_signed);
    CHECK_THAT(verdict_of_header({{"alg", "RS256"}, {"kid", "curve"}}), not_signed);
    CHECK_THAT(verdict_of_header({{"alg", "RS256"}, {"kid", "rsa"}}), not_signed);
    const auto good = token_by(curve());
    auto other = good_claims("n-0S6_WzA2Mj");
    other["sub"] = "1";
    CHECK_THAT(
        verdict(unsigned_token({{"alg", "ES256"}, {"kid", "curve"}}, other) + good.substr(good.rfind('.'))),
        not_signed);
    CHECK_THAT(verdict(good.substr(0, good.rfind('.') + 1)), not_signed);
    // Of another length than JWS has it.
    CHECK_THAT(verdict(good.substr(0, good.rfind('.') + 1) + base64url(std::string(72, '0'))), not_signed);
    // Two keys by one name: nobody knows which is meant.
    CHECK_THAT(verdict(good, set_of({&curve(), &stranger})), not_signed);
    // None has a name, and there are two.
    CHECK_THAT(verdict(signed_token({{"alg", "ES256"}}, good_claims("n-0S6_WzA2Mj"), curve()),
                       set_of({&curve(), &stranger})),
               not_signed);
}

TEST_CASE("a token that is signed with a secret, or not at all, is not taken", "[oidc][threat-43]") {
    const auto not_taken = Catch::Contains("(alg)");
    const auto claims = good_claims("n-0S6_WzA2Mj");
    for (const auto* name : {"none", "None", "HS256", "HS512", "RS1", "PS256", "ES512", ""}) {
        CAPTURE(name);
        CHECK_THAT(verdict(unsigned_token({{"alg", name}, {"kid", "rsa"}}, claims) + "."), not_taken);
    }
    // The public key as the secret.
    const auto text = unsigned_token({{"alg", "HS256"}, {"kid", "rsa"}}, claims);
    CHECK_THAT(verdict(text + "." + base64url(hmac_sha256(text, json::serialize(rsa().published())))),
               not_taken);
    CHECK_THAT(verdict(unsigned_token({{"kid", "rsa"}}, claims) + "."), not_taken);
    CHECK_THAT(verdict_of_header({{"alg", "ES256"}, {"kid", "curve"}, {"crit", json::array{"exp"}}}),
               Catch::Contains("(crit)"));
}

TEST_CASE("what is no token is none, however it is broken", "[oidc]") {
    for (const std::string& text :
         {std::string(), std::string("."), std::string("a.b"), std::string(".."), std::string("a.b.c"),
          std::string("e30.e30.e30"), std::string("W10.e30."), token_by(curve()) + "=",
          token_by(curve()) + ".e30", std::string(40'000, 'a') + ".e30.e30"}) {
        CAPTURE(text.substr(0, 20));
        CHECK_FALSE(verdict(text).empty());
    }
}

TEST_CASE("keys that are too short, for another use, or broken count for nothing", "[oidc]") {
    const auto short_key = TestKey::rsa("short", 1024);
    CHECK_FALSE(verdict(token_by(short_key), set_of({&short_key})).empty());
    const auto with = [](std::string_view member, std::string_view value) {
        auto key = curve().published();
        key[member] = value;
        return verdict(token_by(curve()), json::serialize(json::object{{"keys", json::array{key}}}));
    };
    CHECK(with("use", "sig").empty());
    for (const auto& [member, value] : std::vector<std::pair<const char*, const char*>>{
             {"use", "enc"}, {"alg", "RS256"}, {"kty", "OKP"}, {"crv", "P-384"}, {"x", "AAAA"}, {"y", "%"}}) {
        CAPTURE(member, value);
        CHECK_FALSE(with(member, value).empty());
    }
    // A point that is not on the curve.
    CHECK_FALSE(with("x", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA").empty());
    for (const auto* text : {"", "[]", "{}", R"({"keys":{}})", R"({"keys":)"})
        CHECK_FALSE(oidc::WebKeys::read(text).has_value());
    CHECK(oidc::WebKeys::read(R"({"keys":[1,{},{"kty":"oct","k":"AAAA"}]})").has_value());
}
