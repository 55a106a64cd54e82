// The second factor, over the calls that the account page makes.
#include "core/base/totp.h"
#include "tests/http/dashboard/dashboard_world.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::test;
using enum http::Method;

namespace {

constexpr auto good = "correct horse battery";
constexpr auto factor = "/session/second-factor";
constexpr std::int64_t step_seconds = 30;
constexpr std::int64_t fresh_seconds = 15LL * 60; // in which a one-time address stands for the password

struct FactorWorld : DashboardWorld {
    FactorWorld() { set_password(good); }

    [[nodiscard]] std::string code() const {
        const auto stored = must(engine->read([&](data::View& view) {
                                return schema().credentials.find(view, installed.account.id.view());
                            })).value();
        return totp_code(stored.totp_secret, clock.now().ms / 1000 / step_seconds);
    }
    PageAnswer send_code(http::Method method, std::string_view text, std::string target = factor) {
        return send(page_send(method, std::move(target), fmt::format(R"({{"code":"{}"}})", text)));
    }
    PageAnswer sign_in_with(std::string_view with_code) {
        return send(page_post(
            "/session", fmt::format(R"({{"user":"admin","password":"{}","code":"{}"}})", good, with_code)));
    }
    std::vector<std::string> turn_on() {
        REQUIRE(send(page_post(factor)).status == 200);
        const auto confirmed = send_code(put, code());
        REQUIRE(confirmed.status == 200);
        clock.advance_seconds(step_seconds);
        return codes_in(confirmed);
    }
    static std::vector<std::string> codes_in(const PageAnswer& answer) {
        std::vector<std::string> out;
        const auto body = boost::json::parse(answer.body);
        for (const auto& one : body.at("recoveryCodes").as_array())
            out.emplace_back(one.as_string());
        return out;
    }
    std::string shown(std::string_view name) { return send(page_get("/session")).at(name); }
};

} // namespace

TEST_CASE("a second factor is offered, confirmed, asked for and taken away", "[dashboard]") {
    FactorWorld world;
    CHECK(world.shown("hasSecondFactor") == "false");
    const auto offer = world.send(page_post(factor));
    CHECK(offer.status == 200);
    CHECK(offer.at("address").starts_with("otpauth://totp/Slashpost:admin?secret=" + offer.at("secret")));
    CHECK(world.send_code(put, "000000").summary() == "403 InvalidFormat InvalidFormat code");
    const auto confirmed = world.send_code(put, world.code());
    CHECK(confirmed.status == 200);
    CHECK(FactorWorld::codes_in(confirmed).size() == 10);
    CHECK(world.shown("hasSecondFactor") == "true");
    CHECK(world.shown("recoveryCodes") == "10");
    CHECK(world.sign_in_with("").summary() == "401 CodeRequired");
    CHECK(world.sign_in_with("000000").summary() == "401 SignInFailed");
    world.clock.advance_seconds(step_seconds);
    CHECK(world.sign_in_with(world.code()).status == 200);
    CHECK(world.send(page_post(factor, "{}")).summary() == "403 InvalidFormat RequiredField current");
    world.clock.advance_seconds(step_seconds);
    CHECK(world.send_code(del, world.code()).status == 204);
    CHECK(world.shown("hasSecondFactor") == "false");
    CHECK(world.faults.empty());
}

TEST_CASE("recovery codes are renewed by who has the second factor, and those before are worth nothing",
          "[dashboard]") {
    FactorWorld world;
    const auto before = world.turn_on();
    const std::string codes = std::string(factor) + "/codes";
    CHECK(world.send_code(post, "000000", codes).summary() == "403 InvalidFormat InvalidFormat code");
    CHECK(world.send_code(post, "", codes).summary() == "403 InvalidFormat RequiredField code");
    const auto renewed = FactorWorld::codes_in(world.send_code(post, before[0], codes));
    CHECK(renewed.size() == 10);
    CHECK(world.sign_in_with(before[1]).summary() == "401 SignInFailed");
    CHECK(world.sign_in_with(renewed[1]).status == 200);
    CHECK(world.shown("recoveryCodes") == "9");
    CHECK(world.faults.empty());
}

TEST_CASE(
    "the second factor is switched off with the password, and by who came in with the operator's address",
    "[dashboard][threat-21]") {
    FactorWorld world;
    const auto end = [&](std::string_view json) {
        return world.send(page_send(del, factor, std::string(json))).summary();
    };
    const auto codes = world.turn_on();
    REQUIRE(world.sign_in_with(codes[0]).status == 200);
    CHECK(end("{}") == "403 InvalidFormat RequiredField code");
    CHECK(end(R"({"current":"something else"})") == "403 InvalidFormat InvalidFormat current");
    CHECK(world.shown("hasSecondFactor") == "true");
    CHECK(end(fmt::format(R"({{"current":"{}"}})", good)) == "204");
    CHECK(world.shown("hasSecondFactor") == "false");
    CHECK(end("{}").starts_with("409"));

    world.sign_in(); // by the operator's address
    world.turn_on();
    world.clock.advance_seconds(fresh_seconds);
    CHECK(end("{}") == "403 InvalidFormat RequiredField code");
    world.sign_in();
    CHECK(world.shown("asksForPassword") == "false");
    CHECK(end("{}") == "204");
    world.clock.advance_seconds(fresh_seconds);
    CHECK(world.shown("asksForPassword") == "true");
    CHECK(world.faults.empty());
}
