// What people allow applications of others, and the tokens that come of it.
#include "core/ops/grants.h"

#include "core/ops/applications.h"
#include "core/ops/operators.h"
#include "tests/support/must.h"
#include "tests/support/people.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace slashpost;
using namespace slashpost::test;

namespace {

constexpr Guard reading{.scope = Scope::account};
constexpr Guard writing{.access = Access::write, .scope = Scope::account};
// Of RFC 7636, appendix B.
constexpr auto verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
constexpr auto challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
constexpr auto there = "https://app.example/back";

struct GrantWorld : World {
    IssuedApplication app = register_one(true);
    IssuedApplication other = register_one(false);

    IssuedApplication register_one(bool keeps_secret) {
        return must(write(
            [&](Context& ctx) {
                return create_application(
                    ctx,
                    {.name = "Calendar", .website = {}, .redirects = {there}, .keeps_secret = keeps_secret});
            },
            writing));
    }
    Consent consent(std::vector<AppScope> scopes, WorkspaceId workspace = {}) const {
        return {.application = app.row,
                .wish = {.scopes = std::move(scopes), .challenge = challenge},
                .redirect = there,
                .workspace = workspace};
    }
    std::string code(const Consent& given) {
        return must(write([&](Context& ctx) { return issue_code(ctx, given); }, writing));
    }
    std::string code() { return code(consent({AppScope::links_read, AppScope::offline_access})); }
    OrRefusal<IssuedTokens> exchange(const CodeExchange& in, const Application& by) {
        return must(operate([&](SystemContext& system) { return exchange_code(system, by, in); }));
    }
    OrRefusal<IssuedTokens> exchange(const std::string& text) {
        return exchange({.code = text, .redirect = there, .verifier = verifier}, app.row);
    }
    OrRefusal<IssuedTokens> refresh(const std::string& token, std::string_view scope = {}) {
        return must(
            operate([&](SystemContext& system) { return refresh_tokens(system, app.row, token, scope); }));
    }
    IssuedTokens connect() { return exchange(code()).value(); }
    bool works(const std::string& access) { return service.authenticate(access).has_value(); }
    std::vector<Connection> connections() { return must(read(list_connections, reading)); }
};

std::string refusal_of(const OrRefusal<IssuedTokens>& answer) {
    return answer.has_value() ? "none" : answer.error().code;
}

} // namespace

TEST_CASE("a code gives an access token for an hour and a refresh token for thirty days", "[oauth]") {
    GrantWorld world;
    const auto code = world.code();
    CHECK(code.size() == 100);
    CHECK(code.starts_with("spc_"));
    const auto tokens = world.exchange(code).value();
    CHECK(tokens.access.starts_with("spa_"));
    CHECK(tokens.refresh.starts_with("spr_"));
    CHECK(tokens.expires_in_seconds == 3600);
    CHECK(scope_text(tokens.scopes) == "offline_access links:read");
    const auto caller = must(world.service.authenticate(tokens.access));
    CHECK(caller.account == world.installed.account.id);
    CHECK(caller.application == world.app.row.id);
    CHECK(caller.key.empty());
    world.clock.advance_seconds(3599);
    CHECK(world.works(tokens.access));
    world.clock.advance_seconds(1);
    CHECK_FALSE(world.works(tokens.access));
    world.clock.advance_seconds(30LL * 24 * 3600 - 3601);
    CHECK(world.refresh(tokens.refresh).has_value());
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a code without offline_access gives no refresh token", "[oauth]") {
    GrantWorld world;
    CHECK(world.exchange(world.code(world.consent({AppScope::everything})))->refresh.empty());
}

TEST_CASE("only tokens of the right kind, and all of them, open the API", "[oauth][threat-21]") {
    GrantWorld world;
    const auto code = world.code();
    CHECK_FALSE(world.works(code));
    const auto tokens = world.exchange(code).value();
    CHECK_FALSE(world.works(tokens.refresh));
    auto changed = tokens.access;
    changed.back() = changed.back() == '0' ? '1' : '0';
    CHECK_FALSE(world.works(changed));
    CHECK_FALSE(world.works(tokens.access + "0"));
    CHECK_FALSE(world.works(tokens.access.substr(0, 36)));
    CHECK(world.works(tokens.access));
}

TEST_CASE("a code is refused behind its minute, to others, and for another address or verifier",
          "[oauth][threat-21]") {
    GrantWorld world;
    const auto code = world.code();
    const auto with = [&](const CodeExchange& in) { return refusal_of(world.exchange(in, world.app.row)); };
    CHECK(with({.code = code, .redirect = "https://app.example/back/", .verifier = verifier}) ==
          "invalid_grant");
    CHECK(with({.code = code, .redirect = there, .verifier = {}}) == "invalid_grant");
    CHECK(with({.code = code, .redirect = there, .verifier = challenge}) == "invalid_grant");
    CHECK(with({.code = "spc_", .redirect = there, .verifier = verifier}) == "invalid_grant");
    CHECK(refusal_of(world.exchange({.code = code, .redirect = there, .verifier = verifier},
                                    world.other.row)) == "invalid_grant");
    CHECK(with({.code = code, .redirect = {}, .verifier = verifier}) == "none");
    const auto late = world.code();
    world.clock.advance_seconds(60);
    CHECK(with({.code = late, .redirect = there, .verifier = verifier}) == "invalid_grant");
}

TEST_CASE("a code that is used twice takes back what it gave", "[oauth][threat-21]") {
    GrantWorld world;
    const auto code = world.code();
    const auto tokens = world.exchange(code).value();
    CHECK(refusal_of(world.exchange(code)) == "invalid_grant");
    CHECK_FALSE(world.works(tokens.access));
    CHECK(refusal_of(world.refresh(tokens.refresh)) == "invalid_grant");
    CHECK(world.connections().empty());
}

TEST_CASE("a refresh token is good once, and within half a minute gives the same again", "[oauth]") {
    GrantWorld world;
    const auto first = world.connect();
    const auto second = world.refresh(first.refresh).value();
    CHECK(second.refresh != first.refresh);
    CHECK(world.works(first.access)); // until its end
    world.clock.advance_seconds(29);
    const auto again = world.refresh(first.refresh).value();
    CHECK(again.access == second.access);
    CHECK(again.refresh == second.refresh);
    CHECK(again.expires_in_seconds == 3571);
    const auto third = world.refresh(second.refresh).value();
    CHECK(world.works(second.access));
    CHECK(world.works(third.access));
    CHECK_FALSE(world.works(first.access)); // of three refreshes only the last two are kept
}

TEST_CASE("a refresh token that comes again after that ends everything", "[oauth][threat-21]") {
    GrantWorld world;
    const auto first = world.connect();
    const auto second = world.refresh(first.refresh).value();
    world.clock.advance_seconds(30);
    CHECK(refusal_of(world.refresh(first.refresh)) == "invalid_grant");
    CHECK_FALSE(world.works(second.access));
    CHECK(refusal_of(world.refresh(second.refresh)) == "invalid_grant");
}

TEST_CASE("a refresh asks for no more than was allowed", "[oauth]") {
    GrantWorld world;
    const auto tokens = world.connect();
    CHECK(refusal_of(world.refresh(tokens.refresh, "links:read links:write")) == "invalid_scope");
    CHECK(refusal_of(world.refresh(tokens.refresh, "nonsense")) == "invalid_scope");
    CHECK(scope_text(world.refresh(tokens.refresh, "links:read")->scopes) == "links:read");
}

TEST_CASE("a refresh for less gives a token that may less, from a grant that keeps what it may",
          "[oauth][threat-21]") {
    GrantWorld world;
    const auto may = [&](const std::string& access) {
        return scope_text(must(world.service.authenticate(access)).scopes);
    };
    const auto look = [&](const std::string& token) {
        return scope_text(must(world.operate([&](SystemContext& system) {
                              return look_at_token(system, world.app.row, token);
                          }))->scopes);
    };
    const auto first = world.connect();
    const auto second = world.refresh(first.refresh, "links:read").value();
    CHECK(scope_text(second.scopes) == "links:read");
    CHECK(may(second.access) == "links:read");
    CHECK(look(second.access) == "links:read");
    CHECK(look(second.refresh) == "offline_access links:read");
    CHECK(may(first.access) == "offline_access links:read");
    CHECK(look(first.access) == "offline_access links:read");
    CHECK(scope_text(world.connections()[0].scopes) == "offline_access links:read");
    const auto third = world.refresh(second.refresh).value();
    CHECK(scope_text(third.scopes) == "offline_access links:read");
    CHECK(may(third.access) == "offline_access links:read");
    CHECK(may(second.access) == "links:read"); // the one before
    CHECK(look(second.access) == "links:read");
    const auto fourth = world.refresh(third.refresh, "links:read").value();
    CHECK(may(fourth.access) == "links:read");
    CHECK(may(third.access) == "offline_access links:read");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("an answer that is given again may no more than before, nor more than is asked for", "[oauth]") {
    GrantWorld world;
    const auto first = world.connect();
    const auto second = world.refresh(first.refresh, "links:read").value();
    const auto again = world.refresh(first.refresh).value();
    CHECK(again.access == second.access);
    CHECK(scope_text(again.scopes) == "links:read");
    CHECK(scope_text(must(world.service.authenticate(again.access)).scopes) == "links:read");
    CHECK(world.refresh(first.refresh, "links:read offline_access")->access == second.access);
    const auto third = world.refresh(second.refresh).value();
    CHECK(refusal_of(world.refresh(second.refresh, "links:read")) == "invalid_scope");
    CHECK(world.refresh(second.refresh)->access == third.access);
    CHECK(world.works(third.access));
}

TEST_CASE("tokens die with the application, with who registered it, and with who allowed it",
          "[oauth][threat-17]") {
    const auto suspend = [](GrantWorld& world, const Account& account) {
        must(world.operate([&](SystemContext& system) {
            auto changed = account;
            changed.suspended_at = system.now;
            return schema().accounts.update(system.txn, account, changed);
        }));
    };
    SECTION("the application") {
        GrantWorld world;
        const auto tokens = world.connect();
        must(world.write([&](Context& ctx) { return delete_application(ctx, world.app.row); }, writing));
        CHECK_FALSE(world.works(tokens.access));
        CHECK(world.connections().empty());
        CHECK(world.inconsistency().empty());
    }
    SECTION("who registered it") {
        GrantWorld world;
        const auto maker = world.stranger("maker");
        world.app = must(world.service.run(maker.caller, {}, writing, [](Context& ctx) {
            return create_application(ctx, {.name = "Theirs", .website = {}, .redirects = {there}});
        }));
        const auto tokens = world.connect();
        CHECK(world.works(tokens.access));
        suspend(world, maker.account);
        CHECK_FALSE(world.works(tokens.access));
    }
    SECTION("who allowed it") {
        GrantWorld world;
        const auto tokens = world.connect();
        suspend(world, world.installed.account);
        CHECK_FALSE(world.works(tokens.access));
        CHECK(refusal_of(world.refresh(tokens.refresh)) == "invalid_grant");
    }
}

TEST_CASE("a person sees what is connected, and cuts it off", "[oauth]") {
    GrantWorld world;
    const auto workspace = world.installed.account.default_workspace;
    const auto tokens = world.exchange(world.code(world.consent({AppScope::links_write}, workspace))).value();
    world.code(); // is not used
    const auto listed = world.connections();
    REQUIRE(listed.size() == 1);
    CHECK(listed[0].application.name == "Calendar");
    CHECK(listed[0].registered_by == "admin");
    CHECK(scope_text(listed[0].scopes) == "links:write");
    REQUIRE(listed[0].workspaces.size() == 1);
    CHECK(listed[0].workspaces[0].id == workspace);
    world.connect(); // for all workspaces
    CHECK(scope_text(world.connections()[0].scopes) == "offline_access links:read links:write");
    CHECK(world.connections()[0].workspaces.empty());
    const auto cut_off = [&](const std::string& id) {
        return world.write([&](Context& ctx) { return end_connection(ctx, id); }, writing);
    };
    CHECK(cut_off(world.other.row.id.hex()).error().kind == ErrorKind::not_found);
    must(cut_off(world.app.row.id.hex()));
    CHECK_FALSE(world.works(tokens.access));
    CHECK(world.connections().empty());
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a grant for one workspace is for one where the person works, and works there only",
          "[oauth][threat-15]") {
    GrantWorld world;
    const auto elsewhere = world.stranger("else").account.default_workspace;
    const auto given = world.consent({AppScope::everything}, elsewhere);
    CHECK(world.write([&](Context& ctx) { return issue_code(ctx, given); }, writing).error().code ==
          "InvalidFormat");
    const auto tokens = world
                            .exchange(world.code(world.consent({AppScope::everything},
                                                               world.installed.account.default_workspace)))
                            .value();
    const auto caller = must(world.service.authenticate(tokens.access));
    const auto enter = [](Context& ctx) -> Result<std::string> { return ctx.workspace.id.hex(); };
    CHECK(must(world.service.run(caller, {}, Guard{}, enter)) ==
          world.installed.account.default_workspace.hex());
    CHECK(world.service.run(caller, elsewhere.hex(), Guard{}, enter).error().kind == ErrorKind::not_found);
    CHECK(world.service.run(caller, {}, reading, enter).error().code == "LimitedKey");
}

TEST_CASE("revocation takes an access token alone, a refresh token with all", "[oauth]") {
    GrantWorld world;
    const auto revoke = [&](const Application& by, const std::string& token) {
        must(world.operate([&](SystemContext& system) { return revoke_app_token(system, by, token); }));
    };
    const auto tokens = world.connect();
    revoke(world.other.row, tokens.access);
    revoke(world.app.row, "nonsense");
    CHECK(world.works(tokens.access));
    revoke(world.app.row, tokens.access);
    CHECK_FALSE(world.works(tokens.access));
    const auto next = world.refresh(tokens.refresh).value();
    revoke(world.app.row, next.refresh);
    CHECK_FALSE(world.works(next.access));
    CHECK(refusal_of(world.refresh(next.refresh)) == "invalid_grant");
}

TEST_CASE("an application looks at its own tokens", "[oauth]") {
    GrantWorld world;
    const auto look = [&](const Application& by, const std::string& token) {
        return must(world.operate([&](SystemContext& system) { return look_at_token(system, by, token); }));
    };
    const auto tokens = world.connect();
    const auto facts = look(world.app.row, tokens.access);
    REQUIRE(facts);
    CHECK(facts->username == "admin");
    CHECK(facts->ends_at == Timestamp{1'800'003'600'000});
    CHECK(look(world.app.row, tokens.refresh)->ends_at == Timestamp{1'802'592'000'000});
    CHECK_FALSE(look(world.other.row, tokens.access));
    CHECK_FALSE(look(world.app.row, "nonsense"));
}

TEST_CASE("who keeps a secret is not asked for again what was allowed; others always are", "[oauth]") {
    GrantWorld world;
    const auto asked_again = [&](const Application& app, std::vector<AppScope> scopes) {
        return !must(world.read(
            [&](Context& ctx) {
                return is_allowed_already(ctx, app, {.scopes = std::move(scopes), .challenge = challenge});
            },
            reading));
    };
    CHECK(asked_again(world.app.row, {AppScope::links_read}));
    world.connect();
    CHECK_FALSE(asked_again(world.app.row, {AppScope::links_read}));
    CHECK(asked_again(world.app.row, {AppScope::links_read, AppScope::links_write}));
    world.app = world.other;
    world.connect();
    CHECK(asked_again(world.other.row, {AppScope::links_read}));
}

TEST_CASE("an account has so many applications and grants; one grant more ends the oldest",
          "[oauth][threat-32]") {
    GrantWorld world;
    const auto first = world.connect();
    for (int i = 0; i < 19; ++i) {
        world.clock.advance_seconds(1);
        world.connect();
    }
    CHECK(world.works(first.access));
    world.clock.advance_seconds(1);
    world.connect();
    CHECK_FALSE(world.works(first.access));
    for (int i = 2; i < 20; ++i)
        world.register_one(false);
    const auto one_more = world.write(
        [](Context& ctx) {
            return create_application(ctx, {.name = "One more", .website = {}, .redirects = {there}});
        },
        writing);
    CHECK(one_more.error().code == "LimitReached");
}

TEST_CASE("an account is connected to 50 applications at most", "[oauth][threat-32]") {
    GrantWorld world;
    for (int i = 0; i < 50; ++i) {
        auto given = world.consent({AppScope::links_read});
        given.application.id = world.ids.next<ApplicationId>();
        world.code(given);
    }
    CHECK(world
              .write([&](Context& ctx) { return issue_code(ctx, world.consent({AppScope::links_read})); },
                     writing)
              .error()
              .code == "LimitReached");
}

TEST_CASE("grants that are over are cleared up", "[oauth]") {
    GrantWorld world;
    world.code();
    world.connect();
    world.clock.advance_seconds(60);
    CHECK_FALSE(must(world.operate(prune_grants)));
    const auto left = [&] {
        int count = 0;
        must(world.engine->read([&](data::View& view) {
            return schema().grants.each(view, [&](const Grant&) -> Result<bool> { return ++count > 0; });
        }));
        return count;
    };
    CHECK(left() == 1);
    world.clock.advance_seconds(30LL * 24 * 3600 - 60);
    must(world.operate(prune_grants));
    CHECK(left() == 0);
    CHECK(world.inconsistency().empty());
}
