#include "core/ops/sign_in.h"

#include "core/access/sign_in_tokens.h"
#include "core/base/secret.h"
#include "core/ops/sign_in_tries.h"
#include "core/work/mails.h"
#include "tests/support/must.h"
#include "tests/support/people.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::test;

namespace {

constexpr Guard reading{.scope = Scope::account};
constexpr Guard writing{.access = Access::write, .scope = Scope::account};
constexpr auto here = "192.0.2.1";

// Whose password has the hash: what hashes are is core/base/password_hash.h's business.
Stranger person_with(World& world, std::string_view username, std::string_view email, std::string hash) {
    auto out = person(world, username, email);
    must(world.operate([&](SystemContext& system) {
        return schema().credentials.insert(
            system.txn,
            {.account = out.account.id, .password_hash = std::move(hash), .password_set_at = system.now});
    }));
    return out;
}

WhoSignsIn from(std::string_view address = here, std::string_view code = {}) {
    return {.address = std::string(address), .user_agent = {}, .code = std::string(code)};
}

PasswordTry begin(World& world, std::string_view user, std::string_view address = here) {
    return must(
        world.operate([&](SystemContext& system) { return begin_password_try(system, user, address); }));
}

Result<OpenedSession> finish(World& world, const PasswordTry& right, std::string_view code = {}) {
    return world.operate(
        [&](SystemContext& system) { return sign_in_with_password(system, right, from(here, code)); });
}

std::string token_for(World& world, AccountId account, bool by_mail = false) {
    return must(
        world.operate([&](SystemContext& system) { return issue_sign_in_token(system, account, by_mail); }));
}

TokenTry use(World& world, std::string_view token, std::string_view address = here,
             std::string_view code = {}) {
    return must(world.operate(
        [&](SystemContext& system) { return sign_in_with_token(system, token, from(address, code)); }));
}

bool goes_on(World& world, const OpenedSession& session) {
    return world.service.authenticate_session(session.token).has_value();
}

Caller caller_of(World& world, const OpenedSession& session) {
    return must(world.service.authenticate_session(session.token));
}

} // namespace

TEST_CASE("a person is meant by name or by an address that only they have, ignoring case", "[sign in]") {
    World world;
    const auto ann = person(world, "Ann", "ann@example.com");
    person(world, "bob", "both@example.com");
    person(world, "eve", "both@example.com");
    const auto named = [&](std::string_view user) {
        const auto found =
            must(world.engine->read([&](data::View& view) { return person_named(view, user); }));
        return found ? found->username : "";
    };
    CHECK(named("aNN") == "Ann");
    CHECK(named("Ann@Example.com") == "Ann");
    CHECK(named("both@example.com").empty());
    CHECK(named("").empty());
    CHECK(named("nobody").empty());
    CHECK(named("\xff").empty());
}

TEST_CASE("who has the right password gets a session with a new token, stored as a hash", "[sign in]") {
    World world;
    const auto ann = person_with(world, "ann", "ann@example.com", "H");
    const auto tried = begin(world, "ann@example.com");
    CHECK(tried.wait_seconds == 0);
    CHECK(tried.account == ann.account.id);
    CHECK(tried.hash == "H");
    const auto session = must(finish(world, tried));
    CHECK(session.token.size() == 64);
    CHECK(session.row.token_hash == sha256(session.token));
    CHECK(session.row.way == SignInWay::password);
    CHECK(caller_of(world, session).account == ann.account.id);
    CHECK(must(finish(world, begin(world, "ann"))).token != session.token);
    CHECK(world.service.authenticate_session(session.token + "0").error().code == "SignedOut");
    CHECK(world.service.authenticate_session("").error().code == "SignedOut");
    CHECK(world.service.authenticate(session.token).error().kind == ErrorKind::unauthenticated);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("of nobody, and of who has no password, there is nothing to compare with", "[sign in]") {
    World world;
    CHECK(begin(world, "nobody").account.empty());
    CHECK(begin(world, "nobody").hash.empty());
    CHECK(begin(world, "admin").account == world.installed.account.id);
    CHECK(begin(world, "admin").hash.empty());
}

TEST_CASE("a password that was changed while it was compared opens nothing", "[sign in]") {
    World world;
    person_with(world, "ann", "", "H");
    auto tried = begin(world, "ann");
    tried.hash = "the one before";
    CHECK(finish(world, tried).error().code == "SignInFailed");
}

TEST_CASE("ten wrong tries take a quarter of an hour, and each further one as long again",
          "[sign in][threat-21]") {
    World world;
    person_with(world, "ann", "ann@example.com", "H");
    std::int64_t tries = 0;
    for (const auto end = world.clock.now().plus_seconds(900); world.clock.now() < end;) {
        const auto wait = begin(world, tries % 2 == 0 ? "ann" : "ann@example.com").wait_seconds;
        if (wait == 0)
            ++tries;
        world.clock.advance_seconds(wait);
    }
    CHECK(tries == 10);
    CHECK(seconds_before_next_try(2) == 0);
    CHECK(seconds_before_next_try(3) == 4);
    CHECK(seconds_before_next_try(9) == 256);
    CHECK(seconds_before_next_try(11) == 900);
    CHECK(seconds_before_next_try(1'000'000'000) == 900);
}

TEST_CASE("a name that nobody has is tried as slowly as one that somebody has", "[sign in][threat-21]") {
    World world;
    person_with(world, "ann", "", "H");
    for (const auto* name : {"ann", "nobody"}) {
        for (int i = 0; i < 3; ++i)
            CHECK(begin(world, name).wait_seconds == 0);
        CHECK(begin(world, name).wait_seconds == 4);
    }
}

TEST_CASE("signing in forgets the wrong tries before it; others are forgotten an hour after the last",
          "[sign in]") {
    World world;
    person_with(world, "ann", "", "H");
    begin(world, "ann");
    begin(world, "ann");
    must(finish(world, begin(world, "ann")));
    for (int i = 0; i < 3; ++i)
        CHECK(begin(world, "ann").wait_seconds == 0);
    CHECK(begin(world, "ann").wait_seconds == 4);
    world.clock.advance_seconds(3600);
    for (int i = 0; i < 3; ++i)
        CHECK(begin(world, "ann").wait_seconds == 0);
}

TEST_CASE("one address has 50 tries in a quarter of an hour, whoever they are for", "[sign in][threat-21]") {
    World world;
    for (int i = 0; i < 50; ++i)
        CHECK(begin(world, "name" + std::to_string(i)).wait_seconds == 0);
    CHECK(begin(world, "somebody").wait_seconds == 900);
    CHECK(use(world, "x").wait_seconds == 900);
    CHECK(begin(world, "somebody", "192.0.2.2").wait_seconds == 0);
    world.clock.advance_seconds(899);
    CHECK(begin(world, "somebody").wait_seconds == 1);
    world.clock.advance_seconds(1);
    CHECK(begin(world, "somebody").wait_seconds == 0);
}

TEST_CASE("a clock that is set back locks nobody out", "[sign in][threat-36]") {
    World world;
    for (int i = 0; i < 3; ++i)
        begin(world, "ann");
    CHECK(begin(world, "ann").wait_seconds == 4);
    world.clock.advance_seconds(-3600);
    CHECK(begin(world, "ann").wait_seconds == 0);
}

TEST_CASE("a one-time address signs in once, within 15 minutes", "[sign in][threat-21]") {
    World world;
    const auto account = world.installed.account.id;
    const auto token = token_for(world, account);
    const auto session = use(world, token).session;
    REQUIRE(session.has_value());
    CHECK(session->row.account == account);
    CHECK(session->row.way == SignInWay::address);
    CHECK_FALSE(use(world, token).session.has_value());
    CHECK_FALSE(use(world, "").session.has_value());
    const auto late = token_for(world, account);
    world.clock.advance_seconds(900);
    CHECK_FALSE(use(world, late).session.has_value());
    const auto in_time = token_for(world, account);
    world.clock.advance_seconds(899);
    CHECK(use(world, in_time).session.has_value());
    CHECK(sign_in_address("http://localhost:8082", "abc") == "http://localhost:8082/sign-in#abc");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("an account has ten one-time addresses at most; one more ends the oldest", "[sign in]") {
    World world;
    const auto account = world.installed.account.id;
    const auto first = token_for(world, account);
    std::string last;
    for (int i = 0; i < 10; ++i) {
        world.clock.advance_seconds(1);
        last = token_for(world, account);
    }
    CHECK_FALSE(use(world, first).session.has_value());
    CHECK(use(world, last).session.has_value());
}

TEST_CASE("a session ends after twelve hours without use, and after a week in any case", "[sign in]") {
    World world;
    const auto account = world.installed.account.id;
    const auto idle = *use(world, token_for(world, account)).session;
    const auto used = *use(world, token_for(world, account)).session;
    world.clock.advance_seconds(11LL * 3600);
    CHECK(goes_on(world, used));
    CHECK(must(world.service.book_uses()));
    world.clock.advance_seconds(3600);
    CHECK_FALSE(goes_on(world, idle));
    for (int i = 0; i < 14; ++i) {
        CHECK(goes_on(world, used));
        must(world.service.book_uses());
        world.clock.advance_seconds(11LL * 3600);
    }
    CHECK(goes_on(world, used)); // 166 hours
    must(world.service.book_uses());
    world.clock.advance_seconds(2LL * 3600);
    CHECK_FALSE(goes_on(world, used));
}

TEST_CASE("when a session was used last moves at most once a minute", "[sign in]") {
    World world;
    const auto session = *use(world, token_for(world, world.installed.account.id)).session;
    world.clock.advance_seconds(59);
    CHECK(goes_on(world, session));
    CHECK_FALSE(must(world.service.book_uses()));
    world.clock.advance_seconds(1);
    CHECK(goes_on(world, session));
    CHECK(must(world.service.book_uses()));
    CHECK_FALSE(must(world.service.book_uses()));
    CHECK(world.inconsistency().empty());
}

TEST_CASE("an account has twenty sessions; one more ends the one that was not used for longest",
          "[sign in]") {
    World world;
    std::vector<OpenedSession> sessions;
    for (int i = 0; i < 21; ++i) {
        world.clock.advance_seconds(1);
        sessions.push_back(*use(world, token_for(world, world.installed.account.id)).session);
    }
    CHECK_FALSE(goes_on(world, sessions[0]));
    CHECK(goes_on(world, sessions[1]));
    CHECK(goes_on(world, sessions[20]));
}

TEST_CASE(
    "a new password ends all other sessions and addresses; who came by an address need not know the old one",
    "[sign in]") {
    World world;
    const auto ann = person_with(world, "ann", "", "H");
    const auto other = must(finish(world, begin(world, "ann")));
    const auto mine = *use(world, token_for(world, ann.account.id)).session;
    const auto address = token_for(world, ann.account.id);
    const auto said = [&](const OpenedSession& session) {
        return must(world.service.run(caller_of(world, session), {}, reading, password_state)).must_be_said;
    };
    CHECK(said(other));
    CHECK_FALSE(said(mine));
    must(world.service.run(caller_of(world, mine), {}, writing,
                           [](Context& ctx) { return change_password(ctx, "new"); }));
    CHECK(goes_on(world, mine));
    CHECK_FALSE(goes_on(world, other));
    CHECK_FALSE(use(world, address).session.has_value());
    CHECK(begin(world, "ann").hash == "new");
    world.clock.advance_seconds(900);
    CHECK(said(mine));
    CHECK(world.inconsistency().empty());
}

TEST_CASE("what is over is erased by the background, a batch at a time", "[sign in]") {
    World world;
    use(world, token_for(world, world.installed.account.id));
    token_for(world, world.installed.account.id);
    begin(world, "ann");
    const auto rows = [&] {
        return must(world.engine->read([&](data::View& view) -> Result<int> {
            int count = 0;
            for (const auto* space : {&space::sessions, &space::sign_in_tokens, &space::sign_in_tries})
                TRY(view.scan(*space, {}, data::Order::forward, [&](data::BytesView, data::BytesView) {
                    ++count;
                    return true;
                }));
            return count;
        }));
    };
    const auto prune = [&] { return must(world.operate(prune_sign_ins)); };
    CHECK_FALSE(prune());
    CHECK(rows() > 0);
    world.clock.advance_seconds(12LL * 3600);
    CHECK_FALSE(prune());
    CHECK(rows() == 0);
}

TEST_CASE("a one-time address goes out by mail, to who has an address of their own", "[sign in]") {
    World world;
    world.settings.sends_mail = true;
    world.settings.dashboard_url = "https://links.example.com";
    person(world, "ann", "ann@example.com");
    person(world, "nameless");
    const auto ask = [&](std::string_view user) {
        return must(
            world.operate([&](SystemContext& system) { return mail_sign_in_address(system, user, here); }));
    };
    const auto next = [&] {
        return must(world.operate([](SystemContext& system) { return take_due_mail(system); }));
    };
    for (const auto* user : {"ann@example.com", "nameless", "nobody"})
        CHECK(ask(user) == 0);
    const auto letter = next();
    REQUIRE(letter.has_value());
    CHECK(letter->to == "ann@example.com");
    CHECK(letter->subject == "Your address to sign in");
    const auto at = letter->text.find("https://links.example.com/sign-in#");
    REQUIRE(at != letter->text.npos);
    const auto token = letter->text.substr(at + 34, 64);
    CHECK(use(world, token).session.has_value());
    must(world.operate([&](SystemContext& system) {
        return book_outcome(system, letter->mail, {.kind = MailOutcome::Kind::sent, .reason = {}});
    }));
    CHECK_FALSE(next().has_value());
    CHECK(world.inconsistency().empty());
}

TEST_CASE(
    "an account is sent three addresses in a quarter of an hour, and none that nobody waits for any more",
    "[sign in][threat-21]") {
    World world;
    world.settings.dashboard_url = "https://links.example.com";
    person(world, "ann", "ann@example.com");
    int sent = 0;
    const auto ask = [&] {
        must(world.operate([&](SystemContext& system) { return mail_sign_in_address(system, "ann", here); }));
    };
    const auto send = [&] {
        const auto letter = must(world.operate([](SystemContext& system) { return take_due_mail(system); }));
        if (letter)
            must(world.operate([&](SystemContext& system) {
                return book_outcome(system, letter->mail, {.kind = MailOutcome::Kind::sent, .reason = {}});
            }));
        sent += letter ? 1 : 0;
    };
    for (int i = 0; i < 5; ++i) {
        ask();
        send();
    }
    CHECK(sent == 3);
    world.clock.advance_seconds(900);
    ask();
    world.clock.advance_seconds(900);
    send();
    CHECK(sent == 3);
}

TEST_CASE("a session says what program it is of", "[sign in]") {
    CHECK(client_named_by("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0") ==
          "Firefox on Linux");
    CHECK(
        client_named_by("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, "
                        "like Gecko) Version/18.0 Mobile/15E148 Safari/604.1") == "Safari on iOS");
    CHECK(client_named_by("curl/8.0") == "another program");
    CHECK(client_named_by("") == "another program");
}
