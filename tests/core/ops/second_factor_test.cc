#include "core/ops/second_factor.h"

#include "core/access/sign_in_tokens.h"
#include "core/base/totp.h"
#include "core/ops/sign_in.h"
#include "tests/support/must.h"
#include "tests/support/people.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::test;

namespace {

constexpr Guard writing{.access = Access::write, .scope = Scope::account};
constexpr std::int64_t step_seconds = 30;

// A person with a password whose hash is "H".
struct Person {
    World world;
    Stranger ann = person(world, "ann", "ann@example.com");

    Person() {
        must(world.operate([&](SystemContext& system) {
            return schema().credentials.insert(
                system.txn, {.account = ann.account.id, .password_hash = "H", .password_set_at = system.now});
        }));
    }
    template <class Work>
    auto as_ann(Work&& work) {
        return world.service.run(ann.caller, {}, writing, work);
    }
    std::string code(std::int64_t steps_later = 0) {
        const auto row = must(world.engine->read([&](data::View& view) {
                             return schema().credentials.find(view, ann.account.id.view());
                         })).value();
        return totp_code(row.totp_secret, world.clock.now().ms / 1000 / step_seconds + steps_later);
    }
    std::vector<std::string> turn_on() {
        must(as_ann([](Context& ctx) { return offer_second_factor(ctx); }));
        auto codes = must(as_ann([&](Context& ctx) { return confirm_second_factor(ctx, code()); }));
        world.clock.advance_seconds(step_seconds);
        return codes;
    }
    // "200", or the code of the error.
    std::string sign_in(std::string_view with_code) {
        const WhoSignsIn who{.address = "192.0.2.1", .user_agent = {}, .code = std::string(with_code)};
        const auto tried = must(world.operate(
            [&](SystemContext& system) { return begin_password_try(system, "ann", who.address); }));
        const auto opened =
            world.operate([&](SystemContext& system) { return sign_in_with_password(system, tried, who); });
        return opened.has_value() ? "200" : opened.error().code;
    }
    TokenTry use(const std::string& token, std::string_view with_code = {}) {
        const WhoSignsIn who{.address = "192.0.2.1", .user_agent = {}, .code = std::string(with_code)};
        return must(
            world.operate([&](SystemContext& system) { return sign_in_with_token(system, token, who); }));
    }
    std::string token(bool by_mail) {
        return must(world.operate(
            [&](SystemContext& system) { return issue_sign_in_token(system, ann.account.id, by_mail); }));
    }
};

} // namespace

TEST_CASE("a second factor is asked for once its app has shown a right code", "[second factor]") {
    Person person;
    const auto offer = must(person.as_ann([](Context& ctx) { return offer_second_factor(ctx); }));
    CHECK(offer.secret.size() == 32);
    CHECK(offer.address == "otpauth://totp/Slashpost:ann?secret=" + offer.secret + "&issuer=Slashpost");
    CHECK(person.sign_in("") == "200");
    const auto wrong = person.as_ann([](Context& ctx) { return confirm_second_factor(ctx, "000000"); });
    CHECK(wrong.error().fields.at(0).property == "code");
    const auto codes =
        must(person.as_ann([&](Context& ctx) { return confirm_second_factor(ctx, person.code()); }));
    CHECK(codes.size() == 10);
    CHECK(codes.at(0).size() == 16);
    CHECK(person.sign_in("") == "CodeRequired");
    CHECK(person.as_ann([](Context& ctx) { return offer_second_factor(ctx); }).error().kind ==
          ErrorKind::conflict);
    CHECK(person.world.inconsistency().empty());
}

TEST_CASE("a code is taken once, and a recovery code instead of one once", "[second factor][threat-21]") {
    Person person;
    const auto recovery = person.turn_on();
    const auto code = person.code();
    CHECK(person.sign_in(code) == "200");
    CHECK(person.sign_in(code) == "SignInFailed");
    CHECK(person.sign_in(recovery[3]) == "200");
    CHECK(person.sign_in(recovery[3]) == "SignInFailed");
    auto in_groups = recovery[4];
    in_groups.insert(4, "-");
    in_groups.insert(9, " ");
    in_groups.front() = static_cast<char>(std::toupper(in_groups.front()));
    CHECK(person.sign_in(in_groups) == "200");
}

TEST_CASE(
    "who can read somebody's mails needs the second factor all the same; the operator's address does not",
    "[second factor]") {
    Person person;
    person.turn_on();
    const auto mailed = person.token(true);
    CHECK(person.use(mailed).asks_for_code);
    CHECK_FALSE(person.use(mailed, "000000").session.has_value());
    CHECK(person.use(mailed, person.code()).session.has_value());
    CHECK_FALSE(person.use(mailed, person.code(1)).session.has_value());
    CHECK(person.use(person.token(false)).session.has_value());
}

TEST_CASE("codes of a second factor are guessed as slowly as passwords", "[second factor][threat-21]") {
    Person person;
    person.turn_on();
    const auto mailed = person.token(true);
    for (int i = 0; i < 3; ++i)
        CHECK(person.use(mailed, "000000").wait_seconds == 0);
    CHECK(person.use(mailed, "000000").wait_seconds == 4);
}

TEST_CASE("a second factor is taken away by who has it", "[second factor]") {
    Person person;
    const auto recovery = person.turn_on();
    CHECK_FALSE(person.as_ann([](Context& ctx) { return end_second_factor(ctx, "000000"); }).has_value());
    CHECK(person.sign_in("") == "CodeRequired");
    must(person.as_ann([&](Context& ctx) { return end_second_factor(ctx, recovery[0]); }));
    CHECK(person.sign_in("") == "200");
    CHECK(person.as_ann([](Context& ctx) { return end_second_factor(ctx, "000000"); }).error().kind ==
          ErrorKind::conflict);
}

TEST_CASE("recovery codes are renewed with a code, which is used up by that", "[second factor]") {
    Person person;
    CHECK(person.as_ann([](Context& ctx) { return renew_recovery_codes(ctx, "000000"); }).error().kind ==
          ErrorKind::conflict);
    const auto before = person.turn_on();
    CHECK(must(person.as_ann(recovery_codes_left)) == 10U);
    const auto wrong = person.as_ann([](Context& ctx) { return renew_recovery_codes(ctx, "000000"); });
    CHECK(wrong.error().fields.at(0).property == "code");
    const auto code = person.code();
    const auto after = must(person.as_ann([&](Context& ctx) { return renew_recovery_codes(ctx, code); }));
    CHECK(after.size() == 10);
    CHECK(person.sign_in(code) == "SignInFailed");
    CHECK(person.sign_in(before[0]) == "SignInFailed");
    CHECK(person.sign_in(after[0]) == "200");
    CHECK(person.world.inconsistency().empty());
}

TEST_CASE("a second factor is dropped only where there is one", "[second factor]") {
    Person person;
    CHECK(person.as_ann(drop_second_factor).error().kind == ErrorKind::conflict);
    person.turn_on();
    must(person.as_ann(drop_second_factor));
    CHECK(person.sign_in("") == "200");
}
