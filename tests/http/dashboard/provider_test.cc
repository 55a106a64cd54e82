// Signing in with a provider, over the calls that the page makes.
#include "core/base/errors.h"
#include "tests/http/dashboard/dashboard_world.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::test;
using enum http::Method;

namespace {

constexpr auto there = "/session/provider";
constexpr auto back = "/session/provider/answer";
constexpr auto good = "correct horse battery";

// Says what a test wants, and remembers the questions.
struct FakeProvider : dashboard::Provider {
    const std::string called = "Example";
    std::string state, nonce; // of the last visit
    int redeemed = 0;
    Result<ProvenIdentity> outcome = ProvenIdentity{.issuer = "https://sso.example.com",
                                                    .subject = "248289761001",
                                                    .email = "ann@example.com",
                                                    .full_name = "Ann"};

    [[nodiscard]] const std::string& name() const override { return called; }
    Result<std::string> address_for(const ProviderVisit& visit) override {
        state = visit.state();
        nonce = visit.nonce();
        return "https://sso.example.com/auth?state=" + state;
    }
    Result<ProvenIdentity> redeem(const ProviderVisit& visit, const dashboard::ProviderAnswer&) override {
        ++redeemed;
        return visit.nonce() == nonce ? outcome : malformed("another visit");
    }
};

struct ProviderWorld : FakeProvider, DashboardWorld {
    explicit ProviderWorld(std::string host = {}) : DashboardWorld(std::move(host), this) {
        settings.provider = {.email_domains = {"example.com"}, .admits_newcomers = true};
    }

    // Leaves for the provider; the cookie that the browser keeps meanwhile.
    std::string leave(http::Method method = post, std::string json = "{}") {
        const auto session = cookie;
        const auto answer = send(page_send(method, there, std::move(json)));
        REQUIRE(answer.status == 200);
        CHECK(answer.at("address") == "https://sso.example.com/auth?state=" + state);
        const auto visit = cookie;
        cookie = session;
        return visit;
    }
    PageAnswer come_back(const std::string& cookies, const std::string& with_state) {
        return send(
            page_post(back, fmt::format(R"({{"state":"{}","code":"c"}})", with_state)).with_cookie(cookies));
    }
    std::string shown(std::string_view name) { return send(page_get("/session")).at(name); }
};

} // namespace

TEST_CASE("somebody goes to the provider, comes back, and is signed in", "[dashboard]") {
    ProviderWorld world;
    const auto outside = world.send(page_get("/session"));
    CHECK(outside.status == 401);
    CHECK(outside.at("provider") == "Example");
    const auto visit = world.leave();
    CHECK(visit.starts_with("slashpost-visit="));
    const auto answer = world.come_back(visit, world.state);
    CHECK(answer.status == 200);
    CHECK(answer.at("signedInBy") == "provider");
    CHECK(answer.at("provider") == R"({"name":"Example","connected":true,"email":"ann@example.com"})");
    CHECK(world.cookie.starts_with("slashpost="));
    CHECK(std::ranges::count_if(answer.headers, [](const http::Header& header) {
              return header.name == "Set-Cookie" &&
                     header.value.starts_with(
                         "slashpost-visit=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict");
          }) == 1);
    CHECK(world.shown("hasPassword") == "false");
    CHECK(world.faults.empty());
}

TEST_CASE("the answer of a provider is good in the browser that asked, and nowhere else",
          "[dashboard][threat-43]") {
    ProviderWorld world;
    const auto visit = world.leave();
    const auto mine = world.state;
    CHECK(world.come_back("", mine).summary() == "403 VisitOver");
    CHECK(world.come_back(visit + "x", mine).summary() == "403 VisitOver");
    CHECK(world.come_back(visit, "of somebody else").summary() == "403 VisitOver");
    const auto other = world.leave();
    CHECK(world.come_back(other, mine).summary() == "403 VisitOver");
    CHECK(world.come_back(visit + "; " + other, mine).summary() == "403 VisitOver");
    CHECK(world.redeemed == 0);
    world.clock.advance_seconds(15LL * 60);
    CHECK(world.come_back(other, world.state).summary() == "403 VisitOver");
    CHECK(world.redeemed == 0);
    CHECK(world.faults.empty());
}

TEST_CASE("only our own pages begin and end a visit", "[dashboard][threat-43]") {
    ProviderWorld world;
    const auto visit = world.leave();
    for (const auto* site : {"cross-site", "same-site", "none"}) {
        CHECK(world.send(page_post(there, "{}").with("sec-fetch-site", site)).summary() == "403 ForeignPage");
        CHECK(world
                  .send(page_post(back, fmt::format(R"({{"state":"{}","code":"c"}})", world.state))
                            .with("sec-fetch-site", site)
                            .with_cookie(visit))
                  .summary() == "403 ForeignPage");
    }
    ProviderWorld public_world("links.example.com");
    const auto answer = public_world.send(page_post(there, "{}").at("links.example.com"));
    CHECK_THAT(answer.header("Set-Cookie"),
               Catch::StartsWith("__Host-slashpost-visit=") &&
                   Catch::EndsWith("; Max-Age=900; Path=/; HttpOnly; SameSite=Strict; Secure"));
}

TEST_CASE("what goes wrong at the provider is told, and how often one may try is bounded",
          "[dashboard][threat-43]") {
    ProviderWorld world;
    const auto answered = [&](std::string_view rest) {
        const auto visit = world.leave();
        return world
            .send(page_post(back, fmt::format(R"({{"state":"{}"{}}})", world.state, rest)).with_cookie(visit))
            .summary();
    };
    CHECK(answered(R"(,"error":"access_denied")") == "403 ProviderRefused");
    CHECK(answered("") == "403 ProviderRefused");
    CHECK(world.send(page_post(back, "{}")).summary() == "403 InvalidFormat RequiredField state");
    world.outcome = unavailable("no answer");
    CHECK(answered(R"(,"code":"c")") == "503 Unavailable");
    world.outcome = refused("ProviderFailed", "session", "no");
    for (int i = 0; i < 47; ++i)
        CHECK(answered(R"(,"code":"c")") == "403 ProviderFailed");
    CHECK(answered(R"(,"code":"c")") == "429 TooManyTries");
}

TEST_CASE("who is signed in connects their account, with their password, and parts it again",
          "[dashboard][threat-43]") {
    ProviderWorld world;
    world.set_password(good);
    world.clock.advance_seconds(15LL * 60);
    CHECK(world.shown("provider") == R"({"name":"Example","connected":false})");
    CHECK(world.send(page_send(put, there, "{}")).summary() == "403 InvalidFormat RequiredField current");
    const auto with_password = fmt::format(R"({{"current":"{}"}})", good);
    const auto visit = world.leave(put, with_password);
    const auto mine = world.cookie;
    CHECK(world.come_back(visit, world.state).summary() == "401 SignedOut"); // meanwhile
    const auto answer = world.come_back(mine + "; " + visit, world.state);
    CHECK(answer.status == 200);
    world.cookie = mine;
    CHECK(answer.at("provider") == R"({"name":"Example","connected":true,"email":"ann@example.com"})");
    const auto again = world.leave(); // now it signs in
    CHECK(world.come_back(again, world.state).at("signedInBy") == "provider");
    CHECK(world.send(page_send(del, there, "{}")).summary() == "403 InvalidFormat RequiredField current");
    CHECK(world.send(page_send(del, there, with_password)).at("provider") ==
          R"({"name":"Example","connected":false})");
    CHECK(world.faults.empty());
}

TEST_CASE("a server without a provider says so", "[dashboard]") {
    DashboardWorld world;
    CHECK(world.send(page_get("/session")).at("provider") == "(absent)");
    CHECK(world.send(page_post(there, "{}")).summary() == "403 NoProvider");
    CHECK(world.send(page_post(back, R"({"state":"s","code":"c"})")).summary() == "403 NoProvider");
    world.sign_in();
    CHECK(world.send(page_get("/session")).at("provider") == "null");
}
