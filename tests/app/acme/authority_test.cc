#include "app/acme/authority.h"

#include "tests/app/acme/fake_authority.h"
#include "tests/support/must.h"
#include "tests/support/world.h"

using namespace slashpost;
using namespace slashpost::acme;
using namespace slashpost::test;

namespace {

// A client of the fake authority, with an account that has a key but was never there.
struct Client {
    FakeAuthority there;
    FakeWeb web{there};
    FixedClock clock;
    std::stop_source source;
    std::stop_token stopping = source.get_token();
    std::vector<std::int64_t> waits;
    std::vector<std::string> proofs;
    AcmeAccount account{.directory = FakeAuthority::at("/directory"),
                        .key = must(must(SigningKey::make()).pem())};

    Authority authority() {
        return {web,
                clock,
                FakeAuthority::at("/directory"),
                clock.now().plus_seconds(600),
                [this](std::int64_t ms) {
                    waits.push_back(ms);
                    clock.time.ms += ms;
                },
                stopping};
    }
    Result<IssuedCertificate> get(Authority& authority, Method method = Method::http_01,
                                  const std::string& replaces = {}) {
        TRY(authority.sign_in(account, "ops@example.com"));
        return authority.obtain("go.example.com", replaces, method,
                                [this](const std::string& token) -> Result<void> {
                                    proofs.push_back(token);
                                    return {};
                                });
    }
    Result<IssuedCertificate> get() {
        auto them = authority();
        return get(them);
    }
    std::string failure() {
        const auto got = get();
        return got.has_value() ? "" : got.error().message;
    }
    int count(std::string_view what) {
        return static_cast<int>(std::ranges::count_if(
            there.asked, [&](const std::string& one) { return one.starts_with(what); }));
    }
};

} // namespace

TEST_CASE("an account is made with its address, its terms accepted, and an order goes its whole way",
          "[acme]") {
    Client client;
    const auto issued = must(client.get());
    CHECK(client.account.url == "https://ca.example/account/7");
    CHECK(client.account.email == "ops@example.com");
    CHECK(client.proofs == std::vector<std::string>{"a-token"});
    CHECK(issued.chain == client.there.certificate);
    CHECK(SigningKey::of_pem(issued.key).has_value());
    CHECK(issued.key != client.account.key);
    CHECK(client.there.asked[0] == "GET /directory");
    CHECK(client.there.asked[1] ==
          R"(POST /account/new {"termsOfServiceAgreed":true,"contact":["mailto:ops@example.com"]})");
    CHECK(client.there.asked[2] ==
          R"(POST /order/new {"identifiers":[{"type":"dns","value":"go.example.com"}]})");
    CHECK(client.there.asked[3] == "POST /authorization ");
    CHECK(client.there.asked[4] == "POST /challenge {}");
    CHECK(client.there.asked.back() == "POST /certificate ");
}

TEST_CASE("an account that is known is not made again, and a new address is told", "[acme]") {
    Client client;
    must(client.get());
    must(client.get());
    CHECK(client.count("POST /account/new") == 1);
    CHECK(client.count("POST /account/7") == 0);
    client.account.email = "old@example.com";
    must(client.get());
    CHECK(client.count(R"(POST /account/7 {"contact":["mailto:ops@example.com"]})") == 1);
}

TEST_CASE("refused nonces are tried again with new ones, but not for ever", "[acme]") {
    Client client;
    client.there.nonces_refused = 7;
    CHECK(client.get().has_value());
    client.there.nonces_refused = 1'000'000;
    CHECK_THAT(client.failure(), Catch::Contains("badNonce"));
    CHECK(client.there.nonces_refused == 1'000'000 - 20);
}

TEST_CASE("both ways to prove a host are asked for by name, and one that is not offered is said", "[acme]") {
    Client client;
    auto them = client.authority();
    CHECK(client.get(them, Method::tls_alpn_01).has_value());
    auto others = client.authority();
    client.there.before = [](const std::string& path) -> std::optional<WebAnswer> {
        if (path != "/authorization")
            return std::nullopt;
        return FakeAuthority::answer(200, {{"status", "pending"}, {"challenges", json::array()}});
    };
    const auto got = client.get(others, Method::tls_alpn_01);
    REQUIRE_FALSE(got.has_value());
    CHECK(got.error().message ==
          "the certificate authority gives no certificate: it does not offer to verify the "
          "domain by tls-alpn-01");
    CHECK(got.error().kind != ErrorKind::unavailable);
}

TEST_CASE("a proof that fails is told in the authority's words, on one line", "[acme]") {
    Client client;
    client.there.sees_proof = [] { return false; };
    CHECK(client.failure() ==
          "the certificate authority gives no certificate: it cannot see that the domain is "
          "ours: Connection refused (connection)");
}

TEST_CASE("refusals are told apart from an authority that is in trouble or cannot be reached", "[acme]") {
    Client client;
    const auto outcome = [&](long status, const char* kind) {
        client.there.before = [=](const std::string& path) -> std::optional<WebAnswer> {
            if (path != "/order/new")
                return std::nullopt;
            return FakeAuthority::problem(status, kind, "because");
        };
        const auto got = client.get();
        REQUIRE_FALSE(got.has_value());
        return std::pair(got.error().kind, got.error().message);
    };
    CHECK(
        outcome(403, "rejectedIdentifier") ==
        std::pair(ErrorKind::refused,
                  std::string(
                      "the certificate authority refuses (HTTP status 403): because (rejectedIdentifier)")));
    CHECK(outcome(503, "serverInternal").first == ErrorKind::unavailable);
    client.there.reachable = false;
    CHECK(client.get().error().kind == ErrorKind::unavailable);
}

TEST_CASE("an authority that wants to hear nothing for a while is heeded", "[acme]") {
    Client client;
    client.there.before = [](const std::string& path) -> std::optional<WebAnswer> {
        if (path != "/order/new")
            return std::nullopt;
        auto answer = FakeAuthority::problem(429, "rateLimited", "too many");
        answer.retry_after = 7200;
        return answer;
    };
    auto them = client.authority();
    CHECK_FALSE(client.get(them).has_value());
    CHECK(them.retry_at() == client.clock.now().plus_seconds(7200));
}

TEST_CASE("an account that is gone is noticed", "[acme]") {
    Client client;
    client.there.before = [](const std::string& path) -> std::optional<WebAnswer> {
        if (path != "/order/new")
            return std::nullopt;
        return FakeAuthority::problem(400, "accountDoesNotExist", "who?");
    };
    auto them = client.authority();
    CHECK_FALSE(client.get(them).has_value());
    CHECK(them.forgot_account());
}

TEST_CASE("a certificate that takes for ever is given up after ten minutes", "[acme]") {
    Client client;
    client.there.before = [](const std::string& path) -> std::optional<WebAnswer> {
        if (path != "/order/9")
            return std::nullopt;
        return FakeAuthority::answer(200,
                                     {{"status", "processing"},
                                      {"authorizations", json::array{FakeAuthority::at("/authorization")}},
                                      {"finalize", FakeAuthority::at("/finalize")}});
    };
    CHECK(client.failure() == "the certificate authority took too long");
    CHECK(client.waits.size() < 100);
}

TEST_CASE("an authority that answers nonsense breaks nothing", "[acme]") {
    for (const auto* body :
         {"", "[]", "{", "null", R"({"status":7})", R"({"status":"pending","authorizations":"x"})"}) {
        Client client;
        client.there.before = [=](const std::string& path) -> std::optional<WebAnswer> {
            if (path != "/order/new")
                return std::nullopt;
            return WebAnswer{.status = 201,
                             .body = body,
                             .nonce = {},
                             .location = FakeAuthority::at("/order/9"),
                             .retry_after = {}};
        };
        CHECK_FALSE(client.get().has_value());
    }
    Client client;
    client.there.before = [](const std::string& path) -> std::optional<WebAnswer> {
        if (path != "/certificate")
            return std::nullopt;
        return WebAnswer{
            .status = 200, .body = "no certificate", .nonce = {}, .location = {}, .retry_after = {}};
    };
    CHECK_FALSE(client.get().has_value());
}

TEST_CASE("a renewal says what it replaces, and does without where that is refused", "[acme]") {
    Client client;
    client.there.offers_renewals = true;
    client.there.before = [&](const std::string& path) -> std::optional<WebAnswer> {
        if (path != "/order/new" || client.there.asked.back().find("replaces") == std::string::npos)
            return std::nullopt;
        return FakeAuthority::problem(409, "alreadyReplaced", "by somebody");
    };
    auto them = client.authority();
    CHECK(client.get(them, Method::http_01, "aki.serial").has_value());
    CHECK(
        client.count(
            R"(POST /order/new {"identifiers":[{"type":"dns","value":"go.example.com"}],"replaces":"aki.serial"})") ==
        1);
    CHECK(client.count("POST /order/new") == 2);
    client.there.offers_renewals = false;
    auto others = client.authority();
    CHECK(client.get(others, Method::http_01, "aki.serial").has_value());
    CHECK(client.count("POST /order/new") == 3);
}

TEST_CASE("an authority says when to renew, if it says so at all", "[acme]") {
    Client client;
    auto silent = client.authority();
    const auto nothing = must(silent.ask_about("aki.serial"));
    CHECK_FALSE(nothing.window);
    CHECK_FALSE(nothing.ask_in);
    client.there.offers_renewals = true;
    auto them = client.authority();
    const auto said = must(them.ask_about("aki.serial"));
    CHECK(client.there.asked.back() == "GET /renewal/aki.serial");
    REQUIRE(said.window);
    CHECK(to_iso(said.window->start) == "2027-02-01T00:00:00.000Z");
    CHECK(to_iso(said.window->end) == "2027-02-02T00:00:00.000Z");
    CHECK(said.ask_in == 21'600);
    client.there.before = [](const std::string& path) -> std::optional<WebAnswer> {
        if (path == "/directory")
            return std::nullopt;
        return FakeAuthority::answer(
            200, {{"suggestedWindow", {{"start", "2027-02-02T00:00:00Z"}, {"end", "2027-02-01T00:00:00Z"}}}});
    };
    CHECK_FALSE(must(them.ask_about("aki.serial")).window); // it ends before it begins
}
