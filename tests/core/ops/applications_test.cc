// Programs of others: what they may be registered with, what they ask for, and how all of it is stored.
#include "core/ops/applications.h"

#include "core/ops/app_requests.h"
#include "core/schema/schema.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using data::Bytes;

namespace {

// Of RFC 7636, appendix B.
constexpr auto verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
constexpr auto challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

std::string refusal_of(const AppRequest& request, bool implicit = false) {
    Application application;
    application.implicit = implicit;
    const auto wish = read_wish(application, request);
    return wish.has_value() ? "none" : wish.error().code;
}

template <class I>
I id(char last) {
    return *I::parse("0000000000000000000000000000000" + std::string(1, last));
}

// As a field of this number.
Bytes id_field(char number, char last) { return Bytes{number, 16} + Bytes(15, '\0') + last; }

} // namespace

TEST_CASE("an address to go back to is https, loopback, or an app's own", "[oauth][threat-5]") {
    for (const auto* good : {"https://app.example/back", "https://app.example:8443/back?a=b",
                             "https://app.example", "http://127.0.0.1/back", "http://127.0.0.1:8123/",
                             "http://[::1]:9/back", "com.example.app:/back", "com.example.app://back"}) {
        INFO(good);
        CHECK(is_redirect(good));
    }
    for (const auto* bad : {"",
                            "/back",
                            "app.example",
                            "http://app.example/",
                            "http://localhost/",
                            "http://localhost:8080/",
                            "http://127.0.0.1.evil.example/",
                            "http://127.0.0.1@evil.example/",
                            "http://127.0.0.1:80@evil.example/",
                            "http://[::2]/",
                            "https://",
                            "https:///back",
                            "https://user@app.example/",
                            "https://app.example/#x",
                            "https://app.example/a b",
                            "https://app.example\\@evil.example/",
                            "https://a;b/",
                            "myapp:/back",
                            "javascript:alert(1)",
                            "data:text/html,x",
                            "file:///etc/passwd",
                            "https://*.example/"}) {
        INFO(bad);
        CHECK_FALSE(is_redirect(bad));
    }
    CHECK_FALSE(is_redirect("https://app.example/" + std::string(1'024, 'a')));
}

TEST_CASE("an address to go back to is compared letter by letter, but for a loopback's port",
          "[oauth][threat-5]") {
    Application application;
    application.redirects = {"https://app.example/back", "http://127.0.0.1/cb", "com.example.app:/back"};
    for (const auto* good : {"https://app.example/back", "http://127.0.0.1/cb", "http://127.0.0.1:49152/cb",
                             "com.example.app:/back"})
        CHECK(has_redirect(application, good));
    for (const auto* bad :
         {"https://app.example/back/", "https://app.example/back?x=1", "https://app.example/Back",
          "https://APP.example/back", "https://app.example:443/back", "https://app.example/back/../evil",
          "https://app.example.evil.example/back", "https://evil.example/back", "http://app.example/back",
          "http://127.0.0.1:49152/cb2", "http://127.0.0.1:49152/cb?x", "http://[::1]:49152/cb",
          "http://127.0.0.1:x/cb", "http://127.0.0.1:1@evil.example/cb", "http://localhost:49152/cb",
          "com.example.app:/back2", ""}) {
        INFO(bad);
        CHECK_FALSE(has_redirect(application, bad));
    }
}

TEST_CASE("a code is asked for with a challenge by S256, whatever else", "[oauth][threat-21]") {
    const AppRequest good{.response_type = "code",
                          .response_mode = {},
                          .scope = "links:read",
                          .code_challenge = challenge,
                          .code_challenge_method = "S256"};
    const auto with = [&](std::string AppRequest::* field, std::string value) {
        auto changed = good;
        changed.*field = std::move(value);
        return refusal_of(changed);
    };
    CHECK(refusal_of(good) == "none");
    CHECK(with(&AppRequest::response_type, "") == "invalid_request");
    CHECK(with(&AppRequest::response_type, "id_token") == "unsupported_response_type");
    CHECK(with(&AppRequest::response_type, "token") == "unauthorized_client");
    CHECK(with(&AppRequest::code_challenge, "") == "invalid_request");
    CHECK(with(&AppRequest::code_challenge, std::string(42, 'a')) == "invalid_request");
    CHECK(with(&AppRequest::code_challenge, std::string(43, '+')) == "invalid_request");
    CHECK(with(&AppRequest::code_challenge_method, "") == "invalid_request");
    CHECK(with(&AppRequest::code_challenge_method, "plain") == "invalid_request");
    CHECK(with(&AppRequest::response_mode, "form_post") == "none");
    CHECK(with(&AppRequest::response_mode, "fragment") == "invalid_request");
    CHECK(with(&AppRequest::scope, "links:read everything") == "invalid_scope");
    CHECK(with(&AppRequest::scope, "offline_access") == "invalid_scope");
    AppRequest implicit;
    implicit.response_type = "token";
    CHECK(refusal_of(implicit, true) == "none");
    implicit.response_mode = "query";
    CHECK(refusal_of(implicit, true) == "invalid_request");
}

TEST_CASE("scopes are read in any order, and rbapi is what who names none asks for", "[oauth]") {
    CHECK(scope_text(*read_scopes("tags:read  links:read tags:read")) == "links:read tags:read");
    CHECK(scope_text(*read_scopes("")) == "rbapi");
    CHECK(scope_text(*read_scopes(" ")) == "rbapi");
    CHECK(scope_text(*read_scopes("offline_access rbapi")) == "rbapi offline_access");
    CHECK_FALSE(read_scopes("RBAPI").has_value());
}

TEST_CASE("a verifier is the one whose SHA-256 is the challenge", "[oauth]") {
    CHECK(is_verifier_of(challenge, verifier));
    CHECK_FALSE(is_verifier_of(challenge, challenge));
    CHECK_FALSE(is_verifier_of(challenge, ""));
    CHECK_FALSE(is_verifier_of("", ""));
    CHECK_FALSE(is_verifier_of(challenge, std::string(verifier) + " "));
}

TEST_CASE("an application is stored as these bytes", "[schema]") {
    const Application application{.id = id<ApplicationId>('1'),
                                  .account = id<AccountId>('2'),
                                  .name = "N",
                                  .website = "W",
                                  .redirects = {"R", "S"},
                                  .secret_hash = "H",
                                  .implicit = true,
                                  .created_at = {1},
                                  .updated_at = {2}};
    const auto bytes = Bytes(1, '\x01') + id_field(1, 1) + id_field(2, 2) + "\x03\x01N\x04\x01W" +
                       "\x05\x04\x01R\x01S" + "\x06\x01H\x07\x01\x02\x08\x01\x02\x09\x01\x04";
    CHECK(data::encode(application) == bytes);
    CHECK(data::encode(*data::decode<Application>(bytes)) == bytes);
}

TEST_CASE("a grant is stored as these bytes", "[schema]") {
    const Grant grant{.id = id<GrantId>('1'),
                      .account = id<AccountId>('2'),
                      .application = id<ApplicationId>('3'),
                      .scopes = {AppScope::offline_access, AppScope::links_read},
                      .workspace = id<WorkspaceId>('4'),
                      .created_at = {1},
                      .used_at = {2},
                      .code_hash = "C",
                      .redirect = "R",
                      .challenge = "P",
                      .exchanged = true,
                      .access_hash = "A",
                      .access_ends_at = {3},
                      .old_access_hash = "B",
                      .old_access_ends_at = {4},
                      .refresh_hash = "D",
                      .refreshed_at = {5},
                      .old_refresh_hash = "E",
                      .sealed = "F",
                      .access_scopes = {AppScope::links_read},
                      .old_access_scopes = {AppScope::tags_read}};
    const auto bytes = Bytes(1, '\x01') + id_field(1, 1) + id_field(2, 2) + id_field(3, 3) +
                       "\x04\x04\x01\x04\x01\x28" + id_field(5, 4) + "\x06\x01\x02\x07\x01\x04" +
                       "\x08\x01"
                       "C\x09\x01R\x0a\x01P\x0b\x01\x02" +
                       "\x0c\x01"
                       "A\x0d\x01\x06\x0e\x01"
                       "B\x0f\x01\x08" +
                       "\x10\x01"
                       "D\x11\x01\x0a\x12\x01"
                       "E\x13\x01"
                       "F\x14\x02\x01\x28\x15\x02\x01\x3c";
    CHECK(data::encode(grant) == bytes);
    CHECK(data::encode(*data::decode<Grant>(bytes)) == bytes);
}
