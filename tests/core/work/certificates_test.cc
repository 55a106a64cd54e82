#include "core/work/certificates.h"

#include "core/ops/account_domains.h"
#include "core/work/certificate_plan.h"
#include "tests/support/must.h"
#include "tests/support/world.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::test;

namespace {

// A world whose domain "go.example.com" is the only one at first.
struct House : World {
    std::set<std::string, std::less<>> of_operator; // hosts

    void match() {
        while (must(operate([&](SystemContext& system) {
            return match_certificates(system,
                                      [&](std::string_view host) { return of_operator.contains(host); });
        }))) {
        }
    }
    std::optional<HostCertificate> take() {
        return must(operate([](SystemContext& system) { return take_due_certificate(system); }));
    }
    std::optional<HostCertificate> stored(std::string_view host) {
        return must(engine->read([&](data::View& view) {
            return schema().host_certificates.find(view, HostCertificate::primary_for(host));
        }));
    }
    void book(std::string_view host, OrderTrouble::Kind kind, std::optional<Timestamp> retry_at = {}) {
        must(operate([&](SystemContext& system) {
            return book_trouble(system, host, {.kind = kind, .reason = "no", .retry_at = retry_at});
        }));
    }
    void issue(std::string_view host, std::int64_t days = 90) {
        must(operate([&](SystemContext& system) {
            return book_certificate(system, host,
                                    {.chain = "chain",
                                     .key = "key",
                                     .not_before = clock.now(),
                                     .not_after = clock.now().plus_seconds(days * 24 * 3600),
                                     .renewal_id = "aki.serial"});
        }));
    }
    void change(std::string_view name, const DomainChange& change) {
        must(operate([&](SystemContext& system) -> Result<Domain> {
            return change_domain(system, TRY(find_any_domain(system.txn, name)), change);
        }));
    }
};

} // namespace

TEST_CASE("a verified domain's host is wanted at once, and taken once", "[certificates]") {
    House house;
    CHECK_FALSE(house.take());
    house.match();
    const auto taken = house.take();
    REQUIRE(taken);
    CHECK(taken->host == "go.example.com");
    CHECK(taken->state == CertificateState::pending);
    CHECK_FALSE(house.take()); // another server of the store, or this one a second time
    house.clock.advance_seconds(order_seconds_max + 59);
    CHECK_FALSE(house.take());
    house.clock.advance_seconds(1); // whoever took it has died
    CHECK(house.take()->host == "go.example.com");
    CHECK(house.inconsistency().empty());
}

TEST_CASE("only hosts of verified, active domains that an authority can know are wanted", "[certificates]") {
    House house;
    house.domain("links.example.net:8443");
    house.domain("localhost:8080");
    house.domain("192.0.2.7");
    house.domain("onelabel");
    must(house.operate(
        [](SystemContext& system) { return add_domain(system, {.full_name = "not.verified.example"}); }));
    house.domain("inactive.example");
    house.change("inactive.example", {.active = Change<bool>::set(false)});
    house.domain("revoked.example");
    house.change("revoked.example", {.revoked = Change<bool>::set(true)});
    house.domain("other.example");
    house.change("other.example",
                 {.aliases = Change<std::vector<std::string>>::set({"www.other.example", "far.example"})});
    const auto hosts = must(house.engine->read([](data::View& view) { return hosts_of_domains(view); }));
    CHECK(hosts == std::set<std::string, std::less<>>{"go.example.com", "links.example.net", "other.example",
                                                      "www.other.example"});
}

TEST_CASE("a host that the operator has a certificate for is not ordered", "[certificates]") {
    House house;
    house.of_operator = {"go.example.com"};
    house.match();
    CHECK_FALSE(house.stored("go.example.com"));
    house.of_operator.clear();
    house.match();
    REQUIRE(house.take());
    house.issue("go.example.com");
    house.of_operator = {"go.example.com"};
    house.match();
    house.clock.advance_seconds(80LL * 24 * 3600);
    CHECK_FALSE(house.take());
}

TEST_CASE("a domain that goes away is not renewed, and its certificate goes when it has expired",
          "[certificates]") {
    House house;
    house.match();
    REQUIRE(house.take());
    house.issue("go.example.com");
    house.change("go.example.com", {.active = Change<bool>::set(false)});
    house.match();
    CHECK_FALSE(house.stored("go.example.com")->wanted);
    house.clock.advance_seconds(61LL * 24 * 3600);
    CHECK_FALSE(house.take());
    house.match();
    CHECK(house.stored("go.example.com"));
    house.clock.advance_seconds(30LL * 24 * 3600);
    house.match();
    CHECK_FALSE(house.stored("go.example.com"));
    CHECK_FALSE(must(house.engine->read([](data::View& view) {
        return schema().certificate_files.find(view, HostCertificate::primary_for("go.example.com"));
    })));
    CHECK(house.inconsistency().empty());
}

TEST_CASE("whoever takes a domain away and brings it back waits as long as before", "[certificates]") {
    House house;
    house.match();
    REQUIRE(house.take());
    house.book("go.example.com", OrderTrouble::Kind::refused);
    house.change("go.example.com", {.active = Change<bool>::set(false)});
    house.match();
    house.change("go.example.com", {.active = Change<bool>::set(true)});
    house.match();
    house.clock.advance_seconds(3599);
    CHECK_FALSE(house.take());
    house.clock.advance_seconds(1);
    CHECK(house.take());
}

TEST_CASE("a failure is told in words and tried again later and later, a success makes up for all",
          "[certificates]") {
    House house;
    house.match();
    REQUIRE(house.take());
    house.book("go.example.com", OrderTrouble::Kind::refused);
    const auto failed = *house.stored("go.example.com");
    CHECK(failed.state == CertificateState::failed);
    CHECK(failed.error == "no");
    CHECK(failed.failed_at == house.clock.now());
    CHECK(failed.due_at == house.clock.now().plus_seconds(3600));
    house.clock.advance_seconds(3600);
    REQUIRE(house.take());
    house.book("go.example.com", OrderTrouble::Kind::refused);
    CHECK(house.stored("go.example.com")->due_at == house.clock.now().plus_seconds(7200));
    house.book("go.example.com", OrderTrouble::Kind::refused, house.clock.now().plus_seconds(100'000));
    CHECK(house.stored("go.example.com")->due_at == house.clock.now().plus_seconds(100'000)); // as it said
    house.issue("go.example.com");
    const auto good = *house.stored("go.example.com");
    CHECK(good.state == CertificateState::active);
    CHECK(good.failures == 0);
    CHECK(good.error.empty());
    CHECK(good.due_at == house.clock.now().plus_seconds(60LL * 24 * 3600));
    house.clock.advance_seconds(60LL * 24 * 3600);
    REQUIRE(house.take());
    house.book("go.example.com", OrderTrouble::Kind::refused);
    CHECK(house.stored("go.example.com")->state == CertificateState::active); // the old one is good
    house.clock.advance_seconds(31LL * 24 * 3600);
    house.book("go.example.com", OrderTrouble::Kind::refused);
    CHECK(house.stored("go.example.com")->state == CertificateState::failed);
}

TEST_CASE("what the authority never heard of is tried again in a minute and counts for no budget",
          "[certificates]") {
    House house;
    house.match();
    REQUIRE(house.take());
    house.book("go.example.com", OrderTrouble::Kind::not_reached);
    CHECK(house.stored("go.example.com")->due_at == house.clock.now().plus_seconds(60));
    CHECK(house.stored("go.example.com")->orders.empty());
    house.clock.advance_seconds(60);
    REQUIRE(house.take());
    house.book("go.example.com", OrderTrouble::Kind::stopped);
    CHECK(house.stored("go.example.com")->due_at == house.clock.now());
    CHECK(house.stored("go.example.com")->failures == 1);
}

TEST_CASE("where a budget is used up, others have their turn", "[certificates]") {
    House house;
    house.match();
    house.take();
    must(house.operate([&](SystemContext& system) -> Result<void> {
        for (std::size_t i = 0; i < certificates_per_week; ++i)
            TRY(schema().host_certificates.insert(
                system.txn, {.host = "h" + std::to_string(i) + ".full.example",
                             .issued_at = house.clock.now(),
                             .not_after = house.clock.now().plus_seconds(90LL * 24 * 3600)}));
        return {};
    }));
    house.clock.advance_seconds(10);
    house.domain("new.full.example");
    house.match();
    CHECK_FALSE(house.take());
    CHECK(house.stored("new.full.example")->due_at == house.clock.now().plus_seconds(7LL * 24 * 3600 - 10));
    house.domain("new.free.example");
    house.match();
    CHECK(house.take()->host == "new.free.example");
}

TEST_CASE("an authority's window says when to renew, and a failure's wait is not cut short by it",
          "[certificates]") {
    House house;
    house.match();
    REQUIRE(house.take());
    house.issue("go.example.com");
    const auto ask = [&] {
        return must(house.engine->read(
            [&](data::View& view) { return certificate_to_ask_about(view, house.clock.now()); }));
    };
    const auto say = [&](std::int64_t from, std::int64_t to) {
        must(house.operate([&](SystemContext& system) {
            return book_window(system, "go.example.com",
                               RenewalWindow{.start = house.clock.now().plus_seconds(from),
                                             .end = house.clock.now().plus_seconds(to)},
                               21'600);
        }));
    };
    REQUIRE(ask());
    CHECK(ask()->renewal_id == "aki.serial");
    say(1000, 2000);
    CHECK_FALSE(ask());
    const auto due = house.stored("go.example.com")->due_at;
    CHECK(due >= house.clock.now().plus_seconds(1000));
    CHECK(due < house.clock.now().plus_seconds(2000));
    say(1000, 2000); // the same again changes nothing
    CHECK(house.stored("go.example.com")->due_at == due);
    house.clock.advance_seconds(21'600);
    CHECK(ask());
    REQUIRE(house.take());
    house.book("go.example.com", OrderTrouble::Kind::refused);
    say(-2000, -1000);
    CHECK(house.stored("go.example.com")->due_at == house.clock.now().plus_seconds(3600));
}

TEST_CASE("a challenge is answered until it ends, each kind by its own subject", "[certificates]") {
    House house;
    must(house.operate([&](SystemContext& system) {
        return put_challenge(system, {.kind = ChallengeKind::http,
                                      .subject = "token",
                                      .answer = "token.thumbprint",
                                      .until = system.now.plus_seconds(60)});
    }));
    const auto find = [&](ChallengeKind kind, std::string_view subject) {
        return must(house.engine->read(
            [&](data::View& view) { return find_challenge(view, kind, subject, house.clock.now()); }));
    };
    CHECK(find(ChallengeKind::http, "token") == "token.thumbprint");
    CHECK_FALSE(find(ChallengeKind::http, "Token"));
    CHECK_FALSE(find(ChallengeKind::tls_alpn, "token"));
    house.clock.advance_seconds(60);
    CHECK_FALSE(find(ChallengeKind::http, "token"));
    CHECK_FALSE(must(house.operate(prune_challenges)));
    CHECK(house.inconsistency().empty());
}

TEST_CASE("there is one account at an authority, whoever makes it", "[certificates]") {
    House house;
    const auto get = [&](const char* directory, const char* key) {
        return must(
            house.operate([&](SystemContext& system) { return acme_account(system, directory, key); }));
    };
    CHECK(get("https://ca.example/dir", "first").key == "first");
    auto account = get("https://ca.example/dir", "second");
    CHECK(account.key == "first");
    account.url = "https://ca.example/account/1";
    must(house.operate([&](SystemContext& system) { return book_account(system, account); }));
    CHECK(get("https://ca.example/dir", "third").url == "https://ca.example/account/1");
    CHECK(get("https://other.example/dir", "fourth").key == "fourth");
}
