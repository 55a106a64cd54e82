// What the provider is asked, and what becomes of its answers.
#include "app/oidc/provider.h"

#include "tests/app/oidc/fake_provider.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::test;

namespace {

struct Client {
    FakeProvider there;
    FixedClock clock;
    std::vector<std::string> troubles;
    const ProviderVisit visit{.secret = std::string(64, '7'), .connects = {}, .begun_at = clock.now()};
    oidc::Provider provider{{.issuer = test_issuer,
                             .client_id = "slashpost",
                             .client_secret = "top secret",
                             .name = "Example",
                             .redirect_url = "https://links.example.com/sign-in/provider"},
                            clock,
                            [this] { return std::make_unique<FakeProviderWeb>(there); },
                            [this](const std::string& reason) { troubles.push_back(reason); }};

    [[nodiscard]] json::object claims() const { return good_claims(visit.nonce()); }
    Result<ProvenIdentity> redeem(std::string issuer = {}) {
        return provider.redeem(visit, {.code = "the code", .issuer = std::move(issuer)});
    }
    // Who came, when the token says so.
    ProvenIdentity who(const json::object& said) {
        there.give(said, there.key);
        return must(redeem());
    }
    std::string refusal() {
        const auto outcome = redeem();
        return outcome.has_value() ? "" : outcome.error().message;
    }
};

} // namespace

TEST_CASE("a browser is sent to the provider with a question that only it can be answered for", "[oidc]") {
    Client client;
    const auto address = must(client.provider.address_for(client.visit));
    CHECK_THAT(address,
               Catch::StartsWith("https://sso.example.com/auth?response_type=code&client_id=slashpost&"
                                 "redirect_uri=https%3A%2F%2Flinks.example.com%2Fsign-in%2Fprovider&"
                                 "scope=openid%20email%20profile&state="));
    CHECK_THAT(address, Catch::Contains("&state=" + client.visit.state()) &&
                            Catch::Contains("&nonce=" + client.visit.nonce()) &&
                            Catch::Contains("&code_challenge_method=S256"));
    CHECK(address.find(client.visit.secret) == std::string::npos);
    CHECK(address.find(client.visit.verifier()) == std::string::npos);
    CHECK(address.find("top") == std::string::npos);
}

TEST_CASE("a code is redeemed with the secret and the verifier, and says who came", "[oidc]") {
    Client client;
    const auto who = client.who(client.claims());
    CHECK(who.issuer == "https://sso.example.com");
    CHECK(who.subject == "248289761001");
    CHECK(who.email == "ann@example.com");
    CHECK(who.full_name == "Ann Example");
    CHECK_FALSE(who.had_second_factor);
    const auto& request = client.there.asked.at(1);
    CHECK(request.url == "https://sso.example.com/token");
    CHECK(request.content_type == "application/x-www-form-urlencoded");
    CHECK(request.authorization == "Basic c2xhc2hwb3N0OnRvcCUyMHNlY3JldA=="); // slashpost:top%20secret
    CHECK(request.body == "grant_type=authorization_code&code=the%20code&redirect_uri="
                          "https%3A%2F%2Flinks.example.com%2Fsign-in%2Fprovider&code_verifier=" +
                              client.visit.verifier() + "&client_id=slashpost");
    CHECK(client.troubles.empty());
}

TEST_CASE("the secret goes where the provider wants it", "[oidc]") {
    Client client;
    auto document = FakeProvider::document();
    document["token_endpoint_auth_methods_supported"] = json::array{"client_secret_post"};
    client.there.say("/.well-known/openid-configuration", json::serialize(document));
    client.who(client.claims());
    CHECK(client.there.asked.at(1).authorization.empty());
    CHECK_THAT(client.there.asked.at(1).body, Catch::EndsWith("&client_secret=top%20secret"));
}

TEST_CASE("an e-mail address counts only when the provider says that it is proved", "[oidc][threat-43]") {
    Client client;
    for (const json::value& said : {json::value(false), json::value("true"), json::value(1), json::value()}) {
        auto claims = client.claims();
        claims["email_verified"] = said;
        CHECK(client.who(claims).email.empty());
    }
    auto claims = client.claims();
    claims["email"] = "ann@example.com\r\nBcc: all@example.com";
    CHECK(client.who(claims).email.empty());
}

TEST_CASE("an address that is not in the token is asked for, about the same person", "[oidc]") {
    Client client;
    auto claims = client.claims();
    claims.erase("email");
    claims.erase("email_verified");
    client.there.say("/me", R"({"sub":"248289761001","email":"ann@example.com","email_verified":true,
                               "name":"Mallory","amr":["mfa"]})");
    const auto who = client.who(claims);
    CHECK(who.email == "ann@example.com");
    CHECK(who.full_name == "Ann Example"); // what is signed counts
    CHECK_FALSE(who.had_second_factor);
    CHECK(client.there.asked.back().authorization == "Bearer opaque");
    client.there.say("/me", R"({"sub":"1","email":"ann@example.com","email_verified":true})");
    CHECK_THAT(client.refusal(), Catch::Contains("somebody else"));
}

TEST_CASE("a second factor was asked for when the provider says so", "[oidc]") {
    Client client;
    const auto had = [&](const json::array& ways) {
        auto claims = client.claims();
        claims["amr"] = ways;
        return client.who(claims).had_second_factor;
    };
    CHECK(had({"mfa"}));
    CHECK(had({"pwd", "otp"}));
    CHECK_FALSE(had({"pwd"}));
    CHECK_FALSE(had({"otp"})); // alone it is the first
    CHECK_FALSE(had({"pwd", "sms"}));
}

TEST_CASE("a key that the provider has just begun to use is looked for, at most once a minute", "[oidc]") {
    Client client;
    client.who(client.claims());
    const auto next = TestKey::p256("two");
    client.there.give(client.claims(), next);
    CHECK_THAT(client.refusal(), Catch::Contains("not signed with its key"));
    client.there.publish({&next});
    client.refusal();
    CHECK(client.there.times_asked("/keys") == 1);
    client.clock.advance_seconds(60);
    CHECK(client.refusal().empty());
    CHECK(client.there.times_asked("/keys") == 2);
    CHECK(client.there.times_asked("/.well-known/openid-configuration") == 1);
    client.there.give(client.claims(), client.there.key); // taken back
    client.clock.advance_seconds(60);
    CHECK_THAT(client.refusal(), Catch::Contains("not signed with its key"));
}

TEST_CASE("what the provider publishes is asked for again after an hour", "[oidc]") {
    Client client;
    must(client.provider.address_for(client.visit));
    client.clock.advance_seconds(3599);
    must(client.provider.address_for(client.visit));
    CHECK(client.there.asked.size() == 1);
    client.clock.advance_seconds(1);
    must(client.provider.address_for(client.visit));
    CHECK(client.there.asked.size() == 2);
}

TEST_CASE("a document of another issuer, or with addresses that are not safe, is not taken", "[oidc]") {
    const auto with = [](std::string_view member, const json::value& value) {
        Client client;
        auto document = FakeProvider::document();
        document[member] = value;
        client.there.say("/.well-known/openid-configuration", json::serialize(document));
        const auto address = client.provider.address_for(client.visit);
        CHECK(client.troubles.size() == (address.has_value() ? 0 : 1));
        return address.has_value() ? std::string() : address.error().code;
    };
    CHECK(with("issuer", test_issuer).empty());
    CHECK(with("issuer", "https://evil.example.com") == "ProviderFailed");
    CHECK(with("token_endpoint", "http://sso.example.com/token") == "ProviderFailed");
    CHECK(with("jwks_uri", "file:///etc/passwd") == "ProviderFailed");
    CHECK(with("authorization_endpoint", "javascript:alert(1)") == "ProviderFailed");
    CHECK(with("userinfo_endpoint", "http://127.0.0.1/") == "ProviderFailed");
    CHECK(with("authorization_endpoint", nullptr) == "ProviderFailed");
}

TEST_CASE("an answer from another provider than was asked is not taken", "[oidc]") {
    Client client;
    client.there.give(client.claims(), client.there.key);
    CHECK(client.redeem(test_issuer).has_value());
    CHECK(client.redeem("https://evil.example.com").error().code == "ProviderFailed");
    auto document = FakeProvider::document();
    document["authorization_response_iss_parameter_supported"] = true;
    client.there.say("/.well-known/openid-configuration", json::serialize(document));
    client.clock.advance_seconds(3600);
    CHECK_THAT(client.refusal(), Catch::Contains("another provider has sent you back"));
}

TEST_CASE("a provider that fails is told of in a sentence, and asked again the next time", "[oidc]") {
    Client client;
    client.there.say("/token", R"({"error":"invalid_grant"})", 400);
    CHECK_THAT(client.refusal(), Catch::Contains("HTTP status 400 invalid_grant"));
    client.there.say("/token", "<html>", 502);
    CHECK(client.redeem().error().kind == ErrorKind::unavailable);
    client.there.say("/token", "<html>");
    CHECK(client.redeem().error().code == "ProviderFailed");
    client.there.give(client.claims(), client.there.key);
    client.there.say("/keys", "<html>", 503);
    CHECK(client.redeem().error().kind == ErrorKind::unavailable);
    client.there.publish({&client.there.key});
    CHECK(client.redeem().has_value());
    CHECK(client.troubles.size() == 4);
}
