// Signing in and out, over the calls that the pages make.
#include "tests/http/dashboard/dashboard_world.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::test;
using enum http::Method;

namespace {

constexpr auto good = "correct horse battery";

std::string password_json(std::string_view user, std::string_view password) {
    return fmt::format(R"({{"user":"{}","password":"{}"}})", user, password);
}

} // namespace

TEST_CASE("a one-time address signs in, is worth nothing after that, and leads to a password",
          "[dashboard]") {
    DashboardWorld world;
    CHECK(world.send(page_get("/session")).summary() == "401 SignedOut");
    const auto token = world.token_for(world.installed.account.id);
    const auto by_token = page_post("/session", fmt::format(R"({{"token":"{}"}})", token));
    const auto answer = world.send(by_token);
    CHECK(answer.status == 200);
    CHECK(answer.at("signedInBy") == "address");
    CHECK(answer.at("hasPassword") == "false");
    CHECK(answer.at("expiresAt") == "2027-01-15T20:00:00.000Z");
    CHECK(answer.body.find(R"("account":{"id":")") != answer.body.npos);
    CHECK(answer.body.find(R"("username":"admin")") != answer.body.npos);
    CHECK(answer.header("Cache-Control") == "no-store");
    const auto cookie = world.cookie;
    CHECK(cookie.size() == std::string("slashpost=").size() + 64);
    CHECK(world.send(by_token).summary() == "401 SignInFailed"); // threat-21: replay
    CHECK(world.send(page_send(put, "/session/password", R"({"new":"correct horse battery"})")).status ==
          204);
    CHECK(world.send(page_get("/session")).at("hasPassword") == "true");
    CHECK(world.faults.empty());
}

TEST_CASE("a name and a password sign in; whatever is wrong is answered alike", "[dashboard][threat-21]") {
    DashboardWorld world;
    world.set_password(good);
    world.send(page_send(del, "/session"));
    CHECK(world.send(page_get("/session")).summary() == "401 SignedOut");
    const auto answer = world.send(page_post("/session", password_json("ADMIN", good)));
    CHECK(answer.status == 200);
    CHECK(answer.at("signedInBy") == "password");
    const auto wrong = world.send(page_post("/session", password_json("admin", "correct horse batterY")));
    const auto nobody = world.send(page_post("/session", password_json("nobody", good)));
    CHECK(wrong.summary() == "401 SignInFailed");
    CHECK(nobody.body == wrong.body);
    CHECK(world.send(page_post("/session", password_json("admin", std::string(5000, 'x')))).summary() ==
          "401 SignInFailed");
    CHECK(world.send(page_post("/session", "{}")).summary() ==
          "403 InvalidFormat RequiredField user RequiredField password");
    CHECK(world.send(page_post("/session", R"({"user":5,"password":[]})")).status == 403);
    CHECK(world.send(page_post("/session", "no JSON")).status == 400);
}

TEST_CASE("signing in makes a new token and ends the session that was open in the browser",
          "[dashboard][threat-22]") {
    DashboardWorld world;
    world.sign_in();
    const auto before = world.cookie;
    world.sign_in();
    CHECK(world.cookie != before);
    CHECK(world.send(page_get("/session").with_cookie(before)).summary() == "401 SignedOut");
    // One that somebody else chose is never taken up.
    const auto planted = "slashpost=" + std::string(64, 'a');
    world.cookie = planted;
    world.sign_in();
    CHECK(world.cookie != planted);
    CHECK(world.send(page_get("/session").with_cookie(planted)).summary() == "401 SignedOut");
}

TEST_CASE("signing out ends the session and takes the cookie away", "[dashboard]") {
    DashboardWorld world;
    world.sign_in();
    const auto cookie = world.cookie;
    const auto answer = world.send(page_send(del, "/session"));
    CHECK(answer.status == 204);
    CHECK(answer.header("Set-Cookie") == "slashpost=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict");
    CHECK(world.cookie.empty());
    CHECK(world.send(page_get("/v1/account").with_cookie(cookie)).summary() == "401 SignedOut");
    CHECK(world.send(page_send(del, "/session")).status == 204);
}

TEST_CASE("too many wrong passwords have to wait, the right one too; a one-time address has not",
          "[dashboard][threat-21]") {
    DashboardWorld world;
    world.set_password(good);
    for (int i = 0; i < 3; ++i)
        CHECK(world.send(page_post("/session", password_json("admin", "wrong password"))).status == 401);
    const auto answer = world.send(page_post("/session", password_json("admin", good)));
    CHECK(answer.summary() == "429 TooManyTries");
    CHECK(answer.header("Retry-After") == "4");
    CHECK(answer.at("message") ==
          "There were too many tries; wait for 4 s, or sign in with a one-time address.");
    world.sign_in();
    world.clock.advance_seconds(4);
    CHECK(world.send(page_post("/session", password_json("admin", good))).status == 200);
}

TEST_CASE("a password is changed by who knows it, and all that is wrong is said at once", "[dashboard]") {
    DashboardWorld world;
    world.set_password(good);
    CHECK(world.send(page_post("/session", password_json("admin", good))).status == 200);
    const auto change = [&](std::string json) {
        return world.send(page_send(put, "/session/password", std::move(json))).summary();
    };
    CHECK(change(R"({"new":"short"})") == "403 InvalidFormat InvalidFormat new RequiredField current");
    CHECK(change(R"({"current":"wrong","new":"another good one"})") ==
          "403 InvalidFormat InvalidFormat current");
    CHECK(change(R"({"current":"correct horse battery","new":"1234567890"})") ==
          "403 InvalidFormat InvalidFormat new");
    CHECK(change(R"({"current":"correct horse battery","new":"another good one"})") == "204");
    world.send(page_send(del, "/session"));
    CHECK(world.send(page_post("/session", password_json("admin", good))).summary() == "401 SignInFailed");
    CHECK(world.send(page_post("/session", password_json("admin", "another good one"))).status == 200);
    world.cookie.clear();
    CHECK(change(R"({"new":"another good one"})") == "401 SignedOut");
}

TEST_CASE("guessing the current password of an open session is as slow as signing in",
          "[dashboard][threat-21]") {
    DashboardWorld world;
    world.set_password(good);
    world.send(page_post("/session", password_json("admin", good)));
    for (int i = 0; i < 3; ++i)
        world.send(page_send(put, "/session/password", R"({"current":"x","new":"another good one"})"));
    CHECK(world.send(page_send(put, "/session/password", R"({"current":"x","new":"another good one"})"))
              .summary() == "429 TooManyTries");
}

TEST_CASE("nobody is told whether a mail goes out", "[dashboard][threat-21]") {
    DashboardWorld world;
    const auto ask = [&](std::string_view user) {
        return world.send(page_post("/session/mail", fmt::format(R"({{"user":"{}"}})", user))).summary();
    };
    CHECK(world.send(page_get("/session")).at("signInByMail") == "false");
    CHECK(ask("admin") == "403 NoMail");
    world.settings.sends_mail = true;
    CHECK(world.send(page_get("/session")).at("signInByMail") == "true");
    CHECK(ask("admin") == "204");
    CHECK(ask("nobody") == "204");
    for (int i = 2; i < 20; ++i)
        ask("nobody");
    CHECK(ask("nobody") == "429 TooManyTries");
}

TEST_CASE("nothing of a session is done for other sites, nor for forms", "[dashboard][threat-22]") {
    DashboardWorld world;
    const auto token = fmt::format(R"({{"token":"{}"}})", world.token_for(world.installed.account.id));
    for (const auto* site : {"cross-site", "same-site", "none"}) {
        CHECK(world.send(page_post("/session", token).with("sec-fetch-site", site)).summary() ==
              "403 ForeignPage");
        CHECK(world.send(page_send(del, "/session").with("sec-fetch-site", site)).summary() ==
              "403 ForeignPage");
        CHECK(world.send(page_get("/session").with("sec-fetch-site", site)).summary() == "403 ForeignPage");
    }
    CHECK(world.send(page_post("/session", token).with("content-type", "text/plain")).status == 406);
    CHECK(world.send(page_post("/session", token)).status == 200);
    CHECK(world.send(page_send(put, "/session")).status == 405);
    CHECK(world.send(page_get("/session/none")).summary() == "404 NotFound");
}
