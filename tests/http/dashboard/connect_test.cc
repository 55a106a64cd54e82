// Applications of others ask for access, people allow it, tokens are given: as browsers and programs send it.
#include "tests/http/dashboard/dashboard_world.h"

#include "core/base/base64.h"
#include "core/ops/applications.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::test;

namespace {

// Of RFC 7636, appendix B.
constexpr auto verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
constexpr auto challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

struct ConnectWorld : DashboardWorld {
    IssuedApplication app = register_one(
        {.name = "Calendar", .website = {}, .redirects = {"https://app.example/back"}, .keeps_secret = true});
    IssuedApplication native = register_one(
        {.name = "Phone", .website = {}, .redirects = {"http://127.0.0.1/cb"}, .implicit = true});

    IssuedApplication register_one(const NewApplication& in) {
        return must(
            write([&](Context& ctx) { return create_application(ctx, in); }, {.scope = Scope::account}));
    }
    // "?client_id=...", with a parameter changed, or left out when it is "-".
    [[nodiscard]] std::string query(const std::string& name = "", const std::string& value = "") const {
        std::map<std::string, std::string> words{{"client_id", app.row.id.hex()},
                                                 {"redirect_uri", "https%3A%2F%2Fapp.example%2Fback"},
                                                 {"response_type", "code"},
                                                 {"scope", "links%3Aread%20offline_access"},
                                                 {"state", "s%26t"},
                                                 {"code_challenge", challenge},
                                                 {"code_challenge_method", "S256"}};
        if (!name.empty())
            words[name] = value;
        std::string out;
        for (const auto& [key, word] : words)
            if (word != "-")
                out += fmt::format("{}{}={}", out.empty() ? "?" : "&", key, word);
        return out;
    }
    PageAnswer open(const std::string& question) {
        return send(page_get("/connect/authorize" + question).without("sec-fetch-site"));
    }
    PageAnswer decide(const std::string& question, bool allow = true, const std::string& more = "") {
        return send(page_post("/connect/authorize",
                              fmt::format(R"({{"query":"{}","allow":{}{}}})", question, allow, more)));
    }
    static std::string address_of(const PageAnswer& answer) {
        return std::string(boost::json::parse(answer.body).at("answer").at("address").as_string());
    }
    std::string code(const std::string& question) {
        const auto address = address_of(decide(question));
        const auto begin = address.find("code=") + 5;
        return address.substr(begin, address.find('&', begin) - begin);
    }
    std::string code() { return code(query()); }
    // As a program on a server sends it: no page, no cookie.
    PageAnswer post_form(const std::string& path, const std::string& form,
                         const std::string& authorization = "") {
        PageCall call{.method = http::Method::post,
                      .target = path,
                      .body = form,
                      .headers = {{"content-type", "application/x-www-form-urlencoded"}},
                      .cookie = ""};
        if (!authorization.empty())
            call.headers["authorization"] = authorization;
        return send(call);
    }
    [[nodiscard]] std::string who() const {
        return fmt::format("&client_id={}&client_secret={}", app.row.id.hex(), app.secret);
    }
    PageAnswer exchange(const std::string& code_text, const std::string& word = verifier) {
        return post_form(
            "/connect/token",
            fmt::format("grant_type=authorization_code&code={}&redirect_uri=https%3A%2F%2Fapp.example"
                        "%2Fback&code_verifier={}{}",
                        code_text, word, who()));
    }
    unsigned api_status(const std::string& token) {
        return send(page_get("/v1/links/count").with_cookie("").with("authorization", "Bearer " + token))
            .status;
    }
};

std::string error_of(const PageAnswer& answer) {
    return fmt::format("{} {}", answer.status, answer.at("error"));
}

} // namespace

TEST_CASE("a person allows an application something, which gets tokens and calls the API", "[oauth]") {
    ConnectWorld world;
    const auto page = world.open(world.query());
    CHECK(page.status == 200);
    CHECK(page.header("Content-Type").starts_with("text/html"));
    CHECK(page.header("X-Frame-Options") == "DENY");
    CHECK(page.header("Content-Security-Policy").find("frame-ancestors 'none'") != std::string::npos);
    world.sign_in();
    const auto shown =
        world.send(page_post("/connect/authorize/shown", fmt::format(R"({{"query":"{}"}})", world.query())));
    CHECK(shown.at("scopes") == R"(["offline_access","links:read"])");
    CHECK(shown.at("returnsTo") == "https://app.example");
    CHECK(shown.at("asks") == "true");
    const auto address = ConnectWorld::address_of(world.decide(world.query()));
    CHECK(address.starts_with("https://app.example/back?code=spc_"));
    CHECK(address.ends_with("&state=s%26t&iss=http%3A%2F%2Flocalhost%3A8082"));
    const auto tokens = world.exchange(world.code());
    CHECK(tokens.status == 200);
    CHECK(tokens.at("token_type") == "Bearer");
    CHECK(tokens.at("expires_in") == "3600");
    CHECK(tokens.at("scope") == "offline_access links:read");
    CHECK(tokens.header("Cache-Control") == "no-store");
    CHECK(tokens.header("Access-Control-Allow-Origin") == "*");
    CHECK(world.api_status(tokens.at("access_token")) == 200);
    CHECK(world
              .send(page_get("/v1/tags")
                        .with_cookie("")
                        .with("authorization", "Bearer " + tokens.at("access_token")))
              .summary() == "403 LimitedKey");
    const auto next =
        world.post_form("/connect/token",
                        "grant_type=refresh_token&refresh_token=" + tokens.at("refresh_token") + world.who());
    CHECK(next.status == 200);
    CHECK(next.at("refresh_token") != tokens.at("refresh_token"));
    CHECK(world.api_status(next.at("access_token")) == 200);
    CHECK(world.faults.empty());
}

TEST_CASE("a token that was refreshed for less is refused what it was not asked for", "[oauth][threat-21]") {
    ConnectWorld world;
    world.sign_in();
    const auto refresh = [&](const std::string& token, std::string_view more) {
        return world.post_form("/connect/token", fmt::format("grant_type=refresh_token&refresh_token={}{}{}",
                                                             token, more, world.who()));
    };
    const auto question = world.query("scope", "links%3Aread%20tags%3Aread%20offline_access");
    const auto tokens = world.exchange(world.code(question));
    CHECK(tokens.at("scope") == "offline_access links:read tags:read");
    const auto read_tags = [&](const std::string& access) {
        return world.send(page_get("/v1/tags").with_cookie("").with("authorization", "Bearer " + access))
            .summary();
    };
    CHECK(read_tags(tokens.at("access_token")) == "200");
    const auto less = refresh(tokens.at("refresh_token"), "&scope=links%3Aread");
    CHECK(less.at("scope") == "links:read");
    CHECK(world.api_status(less.at("access_token")) == 200);
    CHECK(read_tags(less.at("access_token")) == "403 LimitedKey");
    const auto seen =
        world.post_form("/connect/introspect", "token=" + less.at("access_token") + world.who());
    CHECK(seen.at("scope") == "links:read");
    CHECK(error_of(refresh(less.at("refresh_token"), "&scope=links%3Aread&scope=tags%3Aread")) ==
          "400 invalid_request");
    const auto all = refresh(less.at("refresh_token"), "");
    CHECK(all.at("scope") == "offline_access links:read tags:read");
    CHECK(read_tags(all.at("access_token")) == "200");
    CHECK(read_tags(less.at("access_token")) == "403 LimitedKey");
    CHECK(world.faults.empty());
}

TEST_CASE("what is wrong with an application or its address is told to the person, nowhere else",
          "[oauth][threat-5]") {
    ConnectWorld world;
    for (const auto& [name, value] : std::vector<std::pair<std::string, std::string>>{
             {"client_id", "-"},
             {"client_id", "0123456789abcdef0123456789abcdef"},
             {"redirect_uri", "-"},
             {"redirect_uri", "https%3A%2F%2Fapp.example%2Fback%2F"},
             {"redirect_uri", "https%3A%2F%2Fevil.example%2Fback"},
             {"redirect_uri", "https%3A%2F%2Fapp.example%40evil.example%2Fback"}}) {
        INFO(name << " " << value);
        const auto answer = world.open(world.query(name, value));
        CHECK(answer.status == 400);
        CHECK(answer.header("Location").empty());
        CHECK(answer.header("Content-Type") == "text/plain; charset=utf-8");
    }
    const auto twice = world.open(world.query() + "&redirect_uri=https%3A%2F%2Fevil.example");
    CHECK(twice.status == 400);
    CHECK(twice.header("Location").empty());
}

TEST_CASE("what else is wrong goes back to the application", "[oauth]") {
    ConnectWorld world;
    const auto error = [&](const std::string& name, const std::string& value) {
        const auto answer = world.open(world.query(name, value));
        CHECK(answer.status == 303);
        const auto address = answer.header("Location");
        CHECK(address.starts_with("https://app.example/back?error="));
        CHECK(address.ends_with("&state=s%26t&iss=http%3A%2F%2Flocalhost%3A8082"));
        const auto begin = address.find("error=") + 6;
        return address.substr(begin, address.find('&') - begin);
    };
    CHECK(error("response_type", "-") == "invalid_request");
    CHECK(error("response_type", "password") == "unsupported_response_type");
    CHECK(error("scope", "admin") == "invalid_scope");
    CHECK(error("code_challenge", "-") == "invalid_request");
    CHECK(error("code_challenge_method", "plain") == "invalid_request");
    CHECK(error("response_mode", "web_message") == "invalid_request");
    const auto implicit = world.open(world.query("response_type", "token"));
    CHECK(implicit.header("Location").starts_with("https://app.example/back#error=unauthorized_client&"));
    CHECK(world.open(world.query("state", std::string(2'049, 'a'))).header("Location").find("state=") ==
          std::string::npos);
}

TEST_CASE("only our own page, with a session, says what a person decides", "[oauth][threat-22]") {
    ConnectWorld world;
    const auto body = fmt::format(R"({{"query":"{}","allow":true}})", world.query());
    CHECK(world.send(page_post("/connect/authorize", body)).summary() == "401 SignedOut");
    world.sign_in();
    CHECK(world.send(page_post("/connect/authorize", body).with("sec-fetch-site", "cross-site")).summary() ==
          "403 ForeignPage");
    CHECK(world
              .send(page_post("/connect/authorize", body)
                        .with("content-type", "application/x-www-form-urlencoded"))
              .status == 406);
    CHECK(world.send(page_send(http::Method::put, "/connect/authorize", body)).status == 405);
    CHECK(world.send(page_post("/connect/other", body)).summary() == "404 NotFound");
    const auto no = ConnectWorld::address_of(world.decide(world.query(), false));
    CHECK(no.starts_with("https://app.example/back?error=access_denied&"));
    CHECK(world.decide(world.query(), true, R"(,"workspace":"x")").summary() ==
          "403 InvalidFormat NotFound workspace");
}

TEST_CASE("tokens are given to the application itself only, and each code once", "[oauth][threat-21]") {
    ConnectWorld world;
    world.sign_in();
    const auto token = [&](const std::string& form, const std::string& authorization = "") {
        return error_of(world.post_form("/connect/token", form, authorization));
    };
    const auto id = world.app.row.id.hex();
    CHECK(token("grant_type=authorization_code") == "401 invalid_client");
    CHECK(token("grant_type=authorization_code&client_id=" + id) == "401 invalid_client");
    CHECK(token("grant_type=authorization_code&client_secret=x&client_id=" + id) == "401 invalid_client");
    CHECK(token("grant_type=authorization_code&client_secret=x&client_id=" + world.native.row.id.hex()) ==
          "401 invalid_client");
    CHECK(token("code=x" + world.who()) == "400 invalid_request");
    CHECK(token("grant_type=password" + world.who()) == "400 unsupported_grant_type");
    CHECK(token("grant_type=authorization_code&grant_type=refresh_token" + world.who()) ==
          "400 invalid_request");
    CHECK(token("grant_type=authorization_code" + world.who(),
                "Basic " + base64(id + ":" + world.app.secret)) == "400 invalid_request");
    CHECK(token("grant_type=authorization_code&code=spc_", "Basic " + base64(id + ":" + world.app.secret)) ==
          "400 invalid_grant");
    CHECK(token("grant_type=authorization_code", "Basic nonsense!") == "401 invalid_client");
    CHECK(token("grant_type=authorization_code", "Bearer x") == "401 invalid_client");
    CHECK(error_of(world.send(page_post("/connect/token", R"({"grant_type":"refresh_token"})"))) ==
          "400 invalid_request");
    CHECK(world.send(page_get("/connect/token")).status == 405);
    CHECK(error_of(world.exchange("nonsense")) == "400 invalid_grant");
    const auto code = world.code();
    CHECK(error_of(world.exchange(code, challenge)) == "400 invalid_grant");
    CHECK(error_of(world.exchange(code, "")) == "400 invalid_grant");
    const auto tokens = world.exchange(code);
    CHECK(tokens.status == 200);
    CHECK(error_of(world.exchange(code)) == "400 invalid_grant");
    CHECK(world.api_status(tokens.at("access_token")) == 401); // two had the code
    CHECK(world.faults.empty());
}

TEST_CASE("a refresh token that is used again ends what it gave", "[oauth][threat-21]") {
    ConnectWorld world;
    world.sign_in();
    const auto refresh = [&](const std::string& token) {
        return world.post_form("/connect/token",
                               "grant_type=refresh_token&refresh_token=" + token + world.who());
    };
    const auto first = world.exchange(world.code()).at("refresh_token");
    const auto second = refresh(first);
    world.clock.advance_seconds(31);
    CHECK(error_of(refresh(first)) == "400 invalid_grant");
    CHECK(error_of(refresh(second.at("refresh_token"))) == "400 invalid_grant");
    CHECK(world.api_status(second.at("access_token")) == 401);
}

TEST_CASE("an app on a device comes back at any port of its own machine", "[oauth]") {
    ConnectWorld world;
    world.sign_in();
    const auto question =
        fmt::format("?client_id={}&redirect_uri=http%3A%2F%2F127.0.0.1%3A49152%2Fcb&response_type="
                    "code&code_challenge={}&code_challenge_method=S256",
                    world.native.row.id.hex(), challenge);
    CHECK(world.open(question).status == 200);
    const auto tokens = world.post_form(
        "/connect/token", fmt::format("grant_type=authorization_code&code={}&code_verifier={}&client_id={}",
                                      world.code(question), verifier, world.native.row.id.hex()));
    CHECK(tokens.status == 200);
    CHECK(tokens.at("scope") == "rbapi");
    CHECK(tokens.at("refresh_token") == "(absent)");
}

TEST_CASE("a program of before gets its token in the address, where its application may", "[oauth]") {
    ConnectWorld world;
    world.sign_in();
    const auto question =
        fmt::format("?client_id={}&redirect_uri=http%3A%2F%2F127.0.0.1%2Fcb&response_type=token"
                    "&scope=rbapi",
                    world.native.row.id.hex());
    CHECK(world.send(page_get("/connect/authorize/" + question)).status ==
          200); // there is one with this slash
    const auto address = ConnectWorld::address_of(world.decide(question));
    CHECK(address.starts_with("http://127.0.0.1/cb#access_token=spa_"));
    CHECK(address.find("&token_type=Bearer&expires_in=3600&scope=rbapi&") != std::string::npos);
    const auto begin = address.find("spa_");
    CHECK(world.api_status(address.substr(begin, address.find('&') - begin)) == 200);
}

TEST_CASE("an answer may be posted: the page may send a form there, and nowhere else", "[oauth]") {
    ConnectWorld world;
    world.sign_in();
    const auto question = world.query("response_mode", "form_post");
    CHECK(world.open(question)
              .header("Content-Security-Policy")
              .find("form-action 'self' https://app.example; base-uri") != std::string::npos);
    const auto answer = boost::json::parse(world.decide(question).body).at("answer").as_object();
    CHECK(answer.at("address").as_string() == "https://app.example/back");
    CHECK(answer.at("fields").at("state").as_string() == "s&t");
    CHECK(std::string_view(answer.at("fields").at("code").as_string()).starts_with("spc_"));
}

TEST_CASE("tokens are looked at and revoked by their application", "[oauth]") {
    ConnectWorld world;
    world.sign_in();
    const auto token = world.exchange(world.code()).at("access_token");
    const auto look = [&] { return world.post_form("/connect/introspect", "token=" + token + world.who()); };
    CHECK(look().at("active") == "true");
    CHECK(look().at("username") == "admin");
    CHECK(look().at("exp") == "1800003600");
    CHECK(look().at("client_id") == world.app.row.id.hex());
    CHECK(error_of(world.post_form("/connect/introspect",
                                   "token=" + token + "&client_id=" + world.native.row.id.hex())) ==
          "401 invalid_client");
    CHECK(error_of(world.post_form("/connect/revocation", "token=" + token)) == "401 invalid_client");
    CHECK(world.post_form("/connect/revocation", "token=nonsense" + world.who()).status == 200);
    CHECK(world.post_form("/connect/revocation", "token=" + token + "&client_id=" + world.native.row.id.hex())
              .status == 200);
    CHECK(world.api_status(token) == 200); // another's
    CHECK(world.post_form("/connect/revocation", "token=" + token + world.who()).status == 200);
    CHECK(world.api_status(token) == 401);
    CHECK(look().body == R"({"active":false})");
}

TEST_CASE("what programs need to know stands where they look", "[oauth]") {
    ConnectWorld world;
    const auto server = world.send(page_get("/.well-known/oauth-authorization-server").with_cookie(""));
    CHECK(server.at("issuer") == "http://localhost:8082");
    CHECK(server.at("authorization_endpoint") == "http://localhost:8082/connect/authorize");
    CHECK(server.at("token_endpoint") == "http://localhost:8082/connect/token");
    CHECK(server.at("code_challenge_methods_supported") == R"(["S256"])");
    CHECK(server.at("response_types_supported") == R"(["code"])");
    CHECK(server.header("Access-Control-Allow-Origin") == "*");
    const auto resource = world.send(page_get("/.well-known/oauth-protected-resource/v1").with_cookie(""));
    CHECK(resource.at("resource") == "http://localhost:8082/v1");
    CHECK(resource.at("authorization_servers") == R"(["http://localhost:8082"])");
    CHECK(world.send(page_get("/.well-known/oauth-protected-resource/x")).status == 404);
    const auto asks =
        world.send(page_send(http::Method::options, "/connect/token").without("sec-fetch-site"));
    CHECK(asks.status == 204);
    CHECK(asks.header("Access-Control-Allow-Methods") == "POST, OPTIONS");
}
