#include "app/acme/issuer.h"

#include "tests/app/acme/fake_authority.h"
#include "tests/support/must.h"
#include "tests/support/temp_folder.h"
#include "tests/support/world.h"
#include "tests/support/wrapped_engine.h"

#include <thread>

using namespace slashpost;
using namespace slashpost::acme;
using namespace slashpost::test;

namespace {

struct MovedClock final : Clock {
    std::atomic<std::int64_t> ms{std::chrono::duration_cast<std::chrono::milliseconds>(
                                     std::chrono::system_clock::now().time_since_epoch())
                                     .count()}; // certificates are good at the time of this machine
    [[nodiscard]] Timestamp now() const override { return {ms}; }
};

template <class Condition>
bool comes_true(Condition condition) {
    for (int i = 0; i < 1000 && !condition(); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return condition();
}

// An installation with the domain "go.example.com", an authority, and a server's certificates.
struct House {
    std::unique_ptr<data::Engine> memory = storage::make_memory_engine(space::all);
    WrappedEngine* engine = new WrappedEngine(*memory); // the world's
    World world{std::unique_ptr<data::Engine>(engine)};
    MovedClock clock;
    Service service{*engine, clock, Tools{world.ids, world.random, world.settings}, world.listener};
    app::Log log{app::LogLevel::error, app::LogFormat::text};
    FakeAuthority there;
    const TempFolder folder;
    http::Certificates certificates{{.folder = folder.path(), .default_host = {}, .report = {}}};
    std::atomic<std::uint64_t> changes = 1;

    std::unique_ptr<Issuer> start(Method method = Method::http_01) {
        return std::make_unique<Issuer>(IssuerOptions{.directory = FakeAuthority::at("/directory"),
                                                      .email = "ops@example.com",
                                                      .method = method,
                                                      .look_every = std::chrono::milliseconds(20)},
                                        Issuer::Parts{.service = service,
                                                      .engine = *engine,
                                                      .clock = clock,
                                                      .log = log,
                                                      .certificates = certificates,
                                                      .web = std::make_unique<FakeWeb>(there),
                                                      .domain_changes = [this] { return changes.load(); }});
    }
    std::optional<HostCertificate> stored(std::string_view host = "go.example.com") {
        return must(engine->read([&](data::View& view) {
            return schema().host_certificates.find(view, HostCertificate::primary_for(host));
        }));
    }
    std::optional<std::string> challenge(ChallengeKind kind, std::string_view subject) {
        return must(
            engine->read([&](data::View& view) { return find_challenge(view, kind, subject, clock.now()); }));
    }
    int orders() {
        const std::lock_guard lock(there.mutex);
        return static_cast<int>(std::ranges::count_if(
            there.asked, [](const std::string& one) { return one.starts_with("POST /order/new"); }));
    }
};

} // namespace

TEST_CASE("a domain's certificate is got within a moment, shown, and renewed when its time has come",
          "[acme]") {
    House house;
    std::optional<std::string> seen;
    house.there.sees_proof = [&] {
        seen = house.challenge(ChallengeKind::http, "a-token");
        return seen.has_value();
    };
    const auto issuer = house.start();
    REQUIRE(comes_true([&] { return house.certificates.current()->covers("go.example.com"); }));
    REQUIRE(seen);
    CHECK(seen->starts_with("a-token."));
    CHECK(house.stored()->state == CertificateState::active);
    CHECK(comes_true([&] { return issuer->figures().active == 1; }));
    CHECK(issuer->figures().first_end == house.stored()->not_after);
    CHECK(house.orders() == 1);
    const auto first = house.stored()->issued_at;
    {
        const std::lock_guard lock(house.there.mutex);
        house.there.leaf.days =
            365; // its days begin by the machine's clock, and are to reach far beyond the house's
    }
    house.clock.ms += 61LL * 24 * 3600 * 1000; // of 90 days
    REQUIRE(comes_true([&] { return house.stored()->issued_at != first; }));
    CHECK(house.orders() == 2);
}

TEST_CASE("over TLS the challenge is of the host, and it goes when the order is over", "[acme]") {
    House house;
    bool seen = false;
    house.there.sees_proof = [&] {
        return seen = house.challenge(ChallengeKind::tls_alpn, "go.example.com").has_value();
    };
    const auto issuer = house.start(Method::tls_alpn_01);
    REQUIRE(comes_true([&] { return house.certificates.current()->covers("go.example.com"); }));
    CHECK(seen);
    CHECK(comes_true([&] { return !house.challenge(ChallengeKind::tls_alpn, "go.example.com"); }));
}

TEST_CASE("a domain that is verified while the server runs gets its certificate at once", "[acme]") {
    House house;
    const auto issuer = house.start();
    REQUIRE(comes_true([&] { return house.certificates.current()->covers("go.example.com"); }));
    house.world.domain("new.example.com");
    ++house.changes;
    REQUIRE(comes_true([&] { return house.certificates.current()->covers("new.example.com"); }));
    CHECK(house.orders() == 2);
}

TEST_CASE("of two servers on a store one orders, and both show the certificate", "[acme]") {
    House house;
    http::Certificates others{{.folder = house.folder.path(), .default_host = {}, .report = {}}};
    const auto issuer = house.start();
    Issuer second({.directory = FakeAuthority::at("/directory"),
                   .email = {},
                   .method = Method::http_01,
                   .look_every = std::chrono::milliseconds(20)},
                  {.service = house.service,
                   .engine = *house.engine,
                   .clock = house.clock,
                   .log = house.log,
                   .certificates = others,
                   .web = std::make_unique<FakeWeb>(house.there),
                   .domain_changes = [] { return std::uint64_t{1}; }});
    CHECK(comes_true([&] { return house.certificates.current()->covers("go.example.com"); }));
    CHECK(comes_true([&] { return others.current()->covers("go.example.com"); }));
    CHECK(house.orders() == 1);
}

TEST_CASE("a failure is written down in words, and the next order waits an hour", "[acme]") {
    House house;
    house.there.sees_proof = [] { return false; };
    const auto issuer = house.start();
    REQUIRE(comes_true([&] { return house.stored() && house.stored()->state == CertificateState::failed; }));
    CHECK_THAT(house.stored()->error, Catch::Contains("Connection refused (connection)"));
    CHECK(house.stored()->due_at == house.clock.now().plus_seconds(3600));
    CHECK(comes_true([&] { return issuer->figures().failed == 1; }));
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    CHECK(house.orders() == 1);
}

TEST_CASE("an authority that cannot be reached is tried again soon", "[acme]") {
    House house;
    house.there.reachable = false;
    const auto issuer = house.start();
    REQUIRE(comes_true([&] { return house.stored() && house.stored()->failures == 1; }));
    CHECK(house.stored()->due_at == house.clock.now().plus_seconds(60));
    house.there.reachable = true;
    house.clock.ms += 60'000;
    CHECK(comes_true([&] { return house.certificates.current()->covers("go.example.com"); }));
}

TEST_CASE("an account that the authority has forgotten is made anew", "[acme]") {
    House house;
    std::atomic<bool> forgotten = true;
    house.there.before = [&](const std::string& path) -> std::optional<WebAnswer> {
        if (path != "/order/new" || !forgotten.exchange(false))
            return std::nullopt;
        return FakeAuthority::problem(400, "accountDoesNotExist", "who?");
    };
    const auto issuer = house.start();
    REQUIRE(comes_true([&] { return house.stored() && house.stored()->failures == 1; }));
    house.clock.ms += 3'600'000;
    REQUIRE(comes_true([&] { return house.certificates.current()->covers("go.example.com"); }));
    const std::lock_guard lock(house.there.mutex);
    CHECK(std::ranges::count_if(house.there.asked, [](const std::string& one) {
              return one.starts_with("POST /account/new");
          }) == 2);
}

TEST_CASE("a certificate that the store could not be told of is not lost", "[acme]") {
    House house;
    house.there.before = [&](const std::string& path) -> std::optional<WebAnswer> {
        if (path == "/certificate")
            house.engine->fails = WrappedEngine::Fails::before_commit;
        return std::nullopt;
    };
    const auto issuer = house.start();
    REQUIRE(comes_true([&] { return house.engine->fails != WrappedEngine::Fails::never; }));
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    CHECK_FALSE(house.stored()->issued_at);
    {
        const std::lock_guard lock(house.there.mutex);
        house.there.before = {};
    }
    house.engine->fails = WrappedEngine::Fails::never;
    CHECK(comes_true([&] { return house.stored()->issued_at.has_value(); }));
    CHECK(house.orders() == 1);
}

TEST_CASE("an order that is cut off by the server's end counts for nothing and is begun again", "[acme]") {
    House house;
    std::atomic<bool> waits = false;
    house.there.before = [&](const std::string& path) -> std::optional<WebAnswer> {
        if (path != "/order/9")
            return std::nullopt;
        waits = true;
        return FakeAuthority::answer(200,
                                     {{"status", "processing"},
                                      {"authorizations", json::array{FakeAuthority::at("/authorization")}},
                                      {"finalize", FakeAuthority::at("/finalize")}});
    };
    auto issuer = house.start();
    REQUIRE(comes_true([&] { return waits.load(); }));
    issuer.reset();
    CHECK(house.stored()->failures == 0);
    CHECK(house.stored()->state == CertificateState::pending);
    house.there.before = {};
    issuer = house.start();
    CHECK(comes_true([&] { return house.certificates.current()->covers("go.example.com"); }));
}
