// What people change of their own account, over the calls that the account page makes.
#include "core/work/mails.h"
#include "tests/http/dashboard/dashboard_world.h"
#include "tests/support/people.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::test;
using enum http::Method;

namespace {

struct ProfileWorld : DashboardWorld {
    ProfileWorld() { sign_in(); }

    PageAnswer rename(std::string_view username, std::string_view full_name = "Ada Lovelace") {
        return send(page_send(put, "/session/profile",
                              fmt::format(R"({{"username":"{}","fullName":"{}"}})", username, full_name)));
    }
    PageAnswer want(std::string_view email) {
        return send(page_send(put, "/session/email", fmt::format(R"({{"email":"{}"}})", email)));
    }
    PageAnswer confirm(std::string_view code) {
        return send(page_post("/session/email", fmt::format(R"({{"code":"{}"}})", code)));
    }
    // The letter that is due, and the code in it; empty without one.
    std::optional<Letter> take() {
        return must(operate([](SystemContext& system) { return take_due_mail(system); }));
    }
    static std::string code_in(const Letter& letter) {
        constexpr std::string_view before = "within 15 minutes:\n\n";
        const auto begin = letter.text.find(before);
        REQUIRE(begin != letter.text.npos);
        return letter.text.substr(begin + before.size(), 19);
    }
    Account account() {
        return must(engine->read([&](data::View& view) {
                   return schema().accounts.find(view, installed.account.id.view());
               }))
            .value();
    }
};

} // namespace

TEST_CASE("people change their name and user name, and no user name looks like somebody's address",
          "[dashboard]") {
    ProfileWorld world;
    person(world, "ann", "ann@example.com");
    const auto renamed = world.rename("ada");
    CHECK(renamed.status == 200);
    CHECK(boost::json::parse(renamed.at("account")).at("username") == "ada");
    CHECK(world.account().full_name == "Ada Lovelace");
    CHECK(world.rename("ada", "").status == 200);
    CHECK(world.account().full_name == "ada");
    CHECK(world.rename("ANN").summary() == "403 InvalidFormat AlreadyExists username");
    CHECK(world.rename("").summary() == "403 InvalidFormat RequiredField username");
    CHECK(world.rename("bob@example.com").summary() == "403 InvalidFormat InvalidFormat username");
    CHECK(world.account().username == "ada");
    CHECK(world.inconsistency().empty());
    CHECK(world.faults.empty());
}

TEST_CASE("people have a picture by its address, until they take it away", "[dashboard]") {
    ProfileWorld world;
    const auto with = [&](std::string_view avatar) {
        return world.send(page_send(put, "/session/profile",
                                    fmt::format(R"({{"username":"ada","avatarUrl":{}}})", avatar)));
    };
    const auto answer = with("\"https://example.com/a b.png\"");
    CHECK(answer.status == 200);
    CHECK(boost::json::parse(answer.at("account")).at("avatarUrl") == "https://example.com/a%20b.png");
    CHECK(world.rename("ada").status == 200);
    CHECK(world.account().avatar_url == "https://example.com/a%20b.png");
    for (const auto* address : {"\"javascript:alert(1)\"", "\"me.png\""})
        CHECK(with(address).summary() == "403 InvalidFormat InvalidFormat avatarUrl");
    CHECK(with("null").status == 200);
    CHECK(world.account().avatar_url.empty());
    CHECK(world.faults.empty());
}

TEST_CASE("an address becomes the account's when the code that was mailed there is shown", "[dashboard]") {
    ProfileWorld world;
    CHECK(world.want("ada@example.com").summary() == "403 NoMail");
    world.settings.sends_mail = true;
    CHECK(world.want("nonsense").summary() == "403 InvalidFormat InvalidFormat email");
    CHECK(world.want("").summary() == "403 InvalidFormat RequiredField email");
    CHECK(world.want("ada@example.com").status == 204);
    CHECK(world.account().email.empty());
    const auto letter = world.take();
    REQUIRE(letter);
    CHECK(letter->to == "ada@example.com");
    CHECK(world.confirm("aaaa aaaa aaaa aaaa").summary() == "403 InvalidFormat InvalidFormat code");
    CHECK(world.account().email.empty());
    const auto confirmed = world.confirm(ProfileWorld::code_in(*letter));
    CHECK(boost::json::parse(confirmed.at("account")).at("email") == "ada@example.com");
    CHECK(world.confirm(ProfileWorld::code_in(*letter)).summary() == "403 InvalidFormat InvalidFormat code");
    CHECK(world.rename("ADA@example.com").status == 200);
    CHECK(world.inconsistency().empty());
    CHECK(world.faults.empty());
}

TEST_CASE("the code of an address is good for a quarter of an hour, for one account, and signs nobody in",
          "[dashboard][threat-21]") {
    ProfileWorld world;
    world.settings.sends_mail = true;
    const auto ann = person(world, "ann", "ann@example.com");
    REQUIRE(world.want("ada@example.com").status == 204);
    const auto first = ProfileWorld::code_in(world.take().value());
    CHECK(world.send(page_post("/session", fmt::format(R"({{"token":"{}"}})", first))).summary() ==
          "401 SignInFailed");
    world.clock.advance_seconds(15LL * 60);
    CHECK(world.confirm(first).summary() == "403 InvalidFormat InvalidFormat code");

    REQUIRE(world.want("ada@example.com").status == 204);
    auto second = ProfileWorld::code_in(world.take().value());
    std::erase(second, ' ');
    REQUIRE(
        world.send(page_post("/session", fmt::format(R"({{"token":"{}"}})", world.token_for(ann.account.id))))
            .status == 200);
    CHECK(world.confirm(second).summary() == "403 InvalidFormat InvalidFormat code");
    CHECK(world.send(page_post("/session", fmt::format(R"({{"token":"{}"}})", second))).summary() ==
          "401 SignInFailed");
    world.sign_in();
    CHECK(world.confirm(second).status == 200);
    CHECK(world.faults.empty());
}

TEST_CASE("an address is changed by who says the password, and no more often than mails are sent",
          "[dashboard][threat-21]") {
    ProfileWorld world;
    world.settings.sends_mail = true;
    for (int i = 0; i < 3; ++i)
        CHECK(world.want("ada@example.com").status == 204);
    CHECK(world.want("ada@example.com").summary() == "403 TooManyMails");
    world.set_password("correct horse battery");
    world.clock.advance_seconds(15LL * 60);
    CHECK(world.want("ada@example.com").summary() == "403 InvalidFormat RequiredField current");
}
