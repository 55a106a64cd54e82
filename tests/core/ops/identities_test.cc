// Whose account somebody comes to on a provider's word.
#include "core/ops/identities.h"

#include "core/base/totp.h"
#include "core/ops/provider_visits.h"
#include "tests/support/must.h"
#include "tests/support/people.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::test;

namespace {

constexpr Guard writing{.access = Access::write, .scope = Scope::account};

ProvenIdentity proven(std::string subject, std::string email = {}) {
    return {.issuer = "https://sso.example.com",
            .subject = std::move(subject),
            .email = std::move(email),
            .full_name = "Ann Example"};
}

struct Office : World {
    Result<ProviderSignIn> enter(const ProvenIdentity& who) {
        return operate([&](SystemContext& system) { return sign_in_with_identity(system, who, ""); });
    }
    // The code of the refusal; empty when they came in.
    std::string refusal(const ProvenIdentity& who) {
        const auto entered = enter(who);
        return entered.has_value() ? "" : entered.error().code;
    }
    AccountId account_of(const ProvenIdentity& who) { return must(enter(who)).session.value().row.account; }
    // Signed in in another way.
    Caller signed_in(const Account& account) {
        const auto session = must(operate([&](SystemContext& system) {
            return open_session(system, account.id, SignInWay::password, "");
        }));
        return {.account = account.id, .key = {}, .rate = {}, .limits = {}, .session = session.row.id};
    }
    std::string connect(const Account& account, const ProvenIdentity& who) {
        const auto done = service.run(signed_in(account), {}, writing,
                                      [&](Context& ctx) { return connect_identity(ctx, who); });
        return done.has_value() ? "" : done.error().code;
    }
    std::string disconnect(const Account& account) {
        const auto done = service.run(signed_in(account), {}, writing, disconnect_identity);
        return done.has_value() ? "" : done.error().code;
    }
    void give_credentials(const Account& account, Credentials row) {
        row.account = account.id;
        must(operate([&](SystemContext& system) { return schema().credentials.insert(system.txn, row); }));
    }
    std::optional<Account> stored(AccountId id) {
        return must(engine->read([&](data::View& view) { return schema().accounts.find(view, id.view()); }));
    }
};

} // namespace

TEST_CASE("whoever the provider knows, and nobody here, is not let in", "[sign in]") {
    Office office;
    CHECK(office.refusal(proven("1", "ann@example.com")) == "NoAccount");
    CHECK(office.refusal(proven("1")) == "NoAccount");
    CHECK(office.inconsistency().empty());
}

TEST_CASE("an account that its owner has connected is found by the subject, whatever the address",
          "[sign in]") {
    Office office;
    const auto ann = person(office, "ann").account;
    CHECK(office.connect(ann, proven("1", "ann@example.com")).empty());
    CHECK(office.account_of(proven("1", "ann@example.net")) == ann.id);
    CHECK(office.account_of(proven("1")) == ann.id);
    CHECK(office.refusal(proven("2", "ann@example.net")) == "NoAccount");
    auto elsewhere = proven("1");
    elsewhere.issuer = "https://other.example.com";
    CHECK(office.refusal(elsewhere) == "NoAccount");
    const auto session = must(office.enter(proven("1"))).session.value();
    CHECK(session.row.way == SignInWay::provider);
    CHECK(office.stored(ann.id)->email.empty()); // the provider changes nothing of the account
    CHECK(office.inconsistency().empty());
}

TEST_CASE("nobody gets an account by its address, unless the operator lets them", "[sign in][threat-43]") {
    Office office;
    const auto ann = person(office, "ann", "Ann@example.com").account;
    CHECK(office.refusal(proven("1", "ann@example.com")) == "AccountExists");
    office.settings.provider.connects_by_email = true;
    CHECK(office.account_of(proven("1", "ann@example.com")) == ann.id);
    // The address was given to somebody else there.
    CHECK(office.refusal(proven("2", "ann@example.com")) == "AnotherIdentity");
    CHECK(office.account_of(proven("1")) == ann.id);
    // Two accounts have it.
    person(office, "bob", "two@example.com");
    person(office, "carl", "two@example.com");
    CHECK(office.refusal(proven("3", "two@example.com")) == "AccountExists");
    // A name that looks like an address is none.
    person(office, "dan@example.com");
    CHECK(office.refusal(proven("4", "dan@example.com")) == "NoAccount");
    CHECK(office.inconsistency().empty());
}

TEST_CASE("the account of an operator is connected by nobody but its owner", "[sign in][threat-43]") {
    Office office;
    office.settings.provider.connects_by_email = true;
    const auto ann = person(office, "ann", "ann@example.com").account;
    must(office.operate([&](SystemContext& system) {
        auto changed = ann;
        changed.is_operator = true;
        return schema().accounts.update(system.txn, ann, changed);
    }));
    CHECK(office.refusal(proven("1", "ann@example.com")) == "AccountExists");
    CHECK(office.connect(ann, proven("1", "ann@example.com")).empty());
    CHECK(office.account_of(proven("1")) == ann.id);
}

TEST_CASE("only people of the hosts that are set come in, the first time and every other", "[sign in]") {
    Office office;
    const auto ann = person(office, "ann").account;
    CHECK(office.connect(ann, proven("1")).empty());
    office.settings.provider.email_domains = {"example.com", "xn--bcher-kva.example"};
    for (const auto* email : {"", "ann@example.net", "ann@sub.example.com", "ann@example.com.evil.example"})
        CHECK(office.refusal(proven("1", email)) == "EmailNotAllowed");
    CHECK(office.connect(ann, proven("1", "ann@example.net")) == "EmailNotAllowed");
    CHECK(office.account_of(proven("1", "ann@EXAMPLE.com")) == ann.id);
    CHECK(office.account_of(proven("1", "ann@bücher.example")) == ann.id);
}

TEST_CASE("who is invited to their proved address, or any newcomer where those are let in, gets an account",
          "[sign in]") {
    Office office;
    make_invite(office, "ann@example.com");
    const auto ann = office.stored(office.account_of(proven("1", "ann@example.com"))).value();
    CHECK(ann.username == "ann@example.com");
    CHECK(ann.email == "ann@example.com");
    CHECK(ann.full_name == "Ann Example");
    CHECK(office.refusal(proven("2", "bob@example.com")) == "NoAccount");
    CHECK(office.refusal(proven("2")) == "NoAccount");
    office.settings.provider.admits_newcomers = true;
    CHECK(office.refusal(proven("2")) == "NoAccount"); // nobody knows how to call them
    auto bob = proven("2", "bob@example.com");
    bob.full_name = std::string(300, 'b'); // longer than names are
    const auto account = office.stored(office.account_of(bob)).value();
    CHECK(account.full_name == "bob@example.com");
    CHECK(office.account_of(bob) == account.id);
    person(office, "carl@example.com"); // is called so, and has another address
    const auto carl = office.stored(office.account_of(proven("3", "carl@example.com"))).value();
    CHECK_THAT(carl.username, Catch::StartsWith("carl-"));
    CHECK(office.inconsistency().empty());
}

TEST_CASE("an invite that has expired lets nobody in", "[sign in]") {
    Office office;
    const auto invite = make_invite(office, "ann@example.com").details.invite;
    office.clock.time = invite.expires_at();
    CHECK(office.refusal(proven("1", "ann@example.com")) == "NoAccount");
}

TEST_CASE("a second factor is asked for unless the provider has asked for one", "[sign in][threat-43]") {
    Office office;
    const auto ann = person(office, "ann").account;
    office.give_credentials(ann, {.totp_secret = std::string(20, 's'), .totp_since = office.clock.now()});
    CHECK(office.connect(ann, proven("1")).empty());
    const auto entered = must(office.enter(proven("1")));
    CHECK_FALSE(entered.session.has_value());
    const auto use = [&](std::string code) {
        return must(office.operate([&](SystemContext& system) {
            return sign_in_with_token(system, entered.token,
                                      {.address = "192.0.2.1", .user_agent = {}, .code = std::move(code)});
        }));
    };
    CHECK(use("").asks_for_code);
    CHECK_FALSE(use("000000").session.has_value());
    const auto code = totp_code(std::string(20, 's'), office.clock.now().ms / 1000 / 30);
    CHECK(use(code).session.value().row.way == SignInWay::provider);
    auto with_factor = proven("1");
    with_factor.had_second_factor = true;
    CHECK(must(office.enter(with_factor)).session.has_value());
}

TEST_CASE("a suspended account is not let in on a provider's word either", "[sign in]") {
    Office office;
    const auto ann = person(office, "ann").account;
    CHECK(office.connect(ann, proven("1")).empty());
    must(office.operate([&](SystemContext& system) {
        auto changed = ann;
        changed.suspended_at = system.now;
        return schema().accounts.update(system.txn, ann, changed);
    }));
    CHECK(office.refusal(proven("1")) == "AccountSuspended");
}

TEST_CASE("a person there belongs to one account here, and may be parted from it again", "[sign in]") {
    Office office;
    const auto ann = person(office, "ann").account;
    const auto bob = person(office, "bob").account;
    CHECK(office.connect(ann, proven("1")).empty());
    CHECK(office.connect(bob, proven("1")) == "IdentityTaken");
    CHECK(office.connect(ann, proven("1")).empty()); // once more changes nothing
    CHECK(office.connect(ann, proven("2")).empty()); // in its place
    CHECK(office.refusal(proven("1")) == "NoAccount");
    CHECK(office.disconnect(ann) == "NoPassword");
    office.give_credentials(ann, {.password_hash = "hash", .password_set_at = office.clock.now()});
    CHECK(office.disconnect(ann).empty());
    CHECK(office.disconnect(ann) == "NotFound");
    CHECK(office.refusal(proven("2")) == "NoAccount");
    CHECK(office.inconsistency().empty());
}

TEST_CASE(
    "what a browser keeps at the provider is opened by this installation only, for a quarter of an hour",
    "[sign in][threat-43]") {
    Office office;
    const auto ann = person(office, "ann").account;
    const auto begun =
        must(office.operate([&](SystemContext& system) { return begin_provider_visit(system, ann.id); }));
    const auto open = [](World& world, std::string_view sealed) {
        return must(
            world.operate([&](SystemContext& system) { return open_provider_visit(system, sealed); }));
    };
    const auto opened = open(office, begun.sealed);
    REQUIRE(opened.has_value());
    CHECK(opened->connects == ann.id);
    CHECK(opened->state() == begun.visit.state());
    CHECK(opened->state().size() == 43);
    CHECK(opened->state() != opened->nonce());
    CHECK(opened->nonce() != opened->verifier());
    auto changed = begun.sealed;
    changed[changed.size() / 2] = changed[changed.size() / 2] == 'A' ? 'B' : 'A';
    for (const auto& text : {changed, std::string(), std::string("x"), begun.sealed + "A", ann.id.hex()})
        CHECK_FALSE(open(office, text).has_value());
    World other;
    CHECK_FALSE(open(other, begun.sealed).has_value());
    office.clock.advance_seconds(899);
    CHECK(open(office, begun.sealed).has_value());
    office.clock.advance_seconds(1);
    CHECK_FALSE(open(office, begun.sealed).has_value());
}
