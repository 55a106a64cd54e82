#include "core/work/mails.h"

#include "core/base/secret.h"
#include "core/work/backlog.h"
#include "tests/support/people.h"

using namespace slashpost;
using namespace slashpost::test;

namespace {

struct PostOffice : World {
    PostOffice() {
        settings.sends_mail = true;
        settings.api_url = "https://api.example.com/v1";
    }
    std::optional<Letter> take() {
        return must(operate([](SystemContext& system) { return take_due_mail(system); }));
    }
    bool book(MailId mail, MailOutcome::Kind kind, std::string reason = {}) {
        return must(operate([&](SystemContext& system) {
            return book_outcome(system, mail, {.kind = kind, .reason = reason});
        }));
    }
    Invite stored(const SentInvite& sent) {
        return must(engine->read(
            [&](data::View& view) { return find_any_invite(view, sent.details.invite.id.hex()); }));
    }
    std::uint64_t waiting() {
        return must(engine->read([](data::View& view) { return count_backlog(view); })).mails;
    }
};

// The token in a letter's text.
std::string token_in(const Letter& letter) {
    constexpr std::string_view before = "https://api.example.com/v1/invites/";
    const auto begin = letter.text.find(before);
    REQUIRE(begin != letter.text.npos);
    return letter.text.substr(begin + before.size(), 64);
}

constexpr auto sent_kind = MailOutcome::Kind::sent;
constexpr auto later_kind = MailOutcome::Kind::later;
constexpr auto refused_kind = MailOutcome::Kind::refused;

} // namespace

TEST_CASE("an invite's mail is written with it and says all there is to say", "[mails]") {
    PostOffice world;
    const auto sent = must(try_invites(world, {.emails = {"ann@example.com"},
                                               .role = Role::guest,
                                               .message = "Hi Ann,\r\njoin us"}))
                          .front();
    CHECK(sent.address.empty());
    CHECK(world.stored(sent).token_hash.empty());
    const auto letter = world.take();
    REQUIRE(letter);
    CHECK(letter->to == "ann@example.com");
    CHECK(letter->subject == "Invitation to the workspace \"Main workspace\"");
    CHECK(letter->text ==
          "Administrator invites you to work in the workspace \"Main workspace\", as guest.\n\n"
          "> Hi Ann,\n> join us\n\n"
          "To accept, send this with your own API key before 2027-02-14 (UTC):\n\n"
          "curl -X POST -H 'apikey: YOUR_KEY' https://api.example.com/v1/invites/" +
              token_in(*letter) +
              "/accept\n\n"
              "If you have no account on this server yet, ask the sender or the server's operator for one. "
              "If you did not expect this mail, ignore it.\n");
    CHECK(world.stored(sent).token_hash == sha256(token_in(*letter)));
    CHECK(world.inconsistency().empty());
    must(accept_with(world, person(world, "ann").caller, token_in(*letter)));
    CHECK(world.waiting() == 0);
}

TEST_CASE("where there is a dashboard, an invite's mail leads to it", "[mails]") {
    PostOffice world;
    world.settings.dashboard_url = "https://links.example.com";
    must(try_invites(world, {.emails = {"ann@example.com"}, .role = Role::guest, .message = {}}));
    const auto letter = world.take();
    REQUIRE(letter);
    CHECK(letter->text ==
          "Administrator invites you to work in the workspace \"Main workspace\", as guest.\n\n"
          "To accept or refuse, open this before 2027-02-14 (UTC). If you have no account on this "
          "server yet, you make one there:\n\n"
          "https://links.example.com/invite#" +
              token_in(*letter) +
              "\n\n"
              "Or send this with your own API key:\n\n"
              "curl -X POST -H 'apikey: YOUR_KEY' https://api.example.com/v1/invites/" +
              token_in(*letter) +
              "/accept\n\n"
              "If you did not expect this mail, ignore it.\n");
}

TEST_CASE("a mail that was sent is never taken again", "[mails]") {
    PostOffice world;
    const auto sent = make_invite(world, "ann@example.com");
    const auto letter = world.take();
    REQUIRE(letter);
    CHECK_FALSE(world.take()); // being sent
    world.clock.advance_seconds(1);
    CHECK(world.book(letter->mail, sent_kind));
    CHECK(world.stored(sent).mailed_at == world.clock.now());
    CHECK(world.waiting() == 0);
    world.clock.advance_seconds(30 * 24 * 3600);
    CHECK_FALSE(world.take());
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a mail that could not be sent is tried again, later each time, and then given up", "[mails]") {
    CHECK(seconds_before_next_attempt(1) == 5);
    CHECK(seconds_before_next_attempt(2) == 10);
    CHECK(seconds_before_next_attempt(13) == 20'480);
    CHECK(seconds_before_next_attempt(14) == 21'600);
    CHECK(seconds_before_next_attempt(16) == 21'600);

    PostOffice world;
    const auto sent = make_invite(world, "ann@example.com");
    std::string token;
    for (std::uint32_t attempt = 1; attempt <= 16; ++attempt) {
        const auto letter = world.take();
        REQUIRE(letter);
        CHECK(token_in(*letter) != token); // no token is stored, so each attempt has its own
        token = token_in(*letter);
        CHECK(world.book(letter->mail, later_kind, "no route") == (attempt == 16));
        world.clock.advance_seconds(seconds_before_next_attempt(attempt) - 1);
        CHECK_FALSE(world.take());
        world.clock.advance_seconds(1);
    }
    CHECK_FALSE(world.take());
    CHECK(world.waiting() == 0);
    CHECK(world.stored(sent).mail_error == "no route");
    CHECK_FALSE(world.stored(sent).mailed_at);
}

TEST_CASE("a mail that the server refuses for good is given up at once", "[mails]") {
    PostOffice world;
    const auto sent = make_invite(world, "nobody@example.com");
    CHECK(world.book(world.take()->mail, refused_kind, "no such mailbox"));
    CHECK(world.stored(sent).mail_error == "no such mailbox");
    CHECK(world.waiting() == 0);
}

TEST_CASE("a mail whose process ended while it was being sent is tried again", "[mails]") {
    PostOffice world;
    make_invite(world, "ann@example.com");
    REQUIRE(world.take());
    world.clock.advance_seconds(4);
    CHECK_FALSE(world.take());
    world.clock.advance_seconds(1);
    CHECK(world.take());
}

TEST_CASE("nobody is mailed for an invite that is withdrawn, replaced, over or worth nothing", "[mails]") {
    PostOffice world;
    const auto withdrawn = make_invite(world, "a@example.com");
    must(world.write([&](Context& ctx) { return withdraw_invite(ctx, withdrawn.details.invite); }));
    CHECK(world.waiting() == 0);

    const auto replaced = make_invite(world, "b@example.com");
    const auto begun = world.take(); // its mail is on its way
    make_invite(world, "b@example.com");
    CHECK(world.waiting() == 1);
    CHECK(world.book(begun->mail, sent_kind)); // changes nothing any more
    const auto letter = world.take();
    CHECK(letter->to == "b@example.com");
    CHECK(world.book(letter->mail, sent_kind));

    const auto room = make_workspace(world, "room");
    must(invite_into(world, room.id, {.emails = {"c@example.com"}, .message = {}}));
    set_state(world, room.id, {.trashed = Change<bool>::set(true)});
    make_invite(world, "d@example.com");
    CHECK(world.take()->to == "d@example.com");
    CHECK(world.waiting() == 1);

    make_invite(world, "e@example.com");
    world.clock.advance_seconds(31LL * 24 * 3600);
    CHECK_FALSE(world.take());
    CHECK(world.waiting() == 0);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("mails go out in the order in which they are due", "[mails]") {
    PostOffice world;
    for (const auto* email : {"a@example.com", "b@example.com", "c@example.com"}) {
        make_invite(world, email);
        world.clock.advance_seconds(1);
    }
    const auto first = world.take();
    CHECK(first->to == "a@example.com");
    world.book(first->mail, later_kind);
    CHECK(world.take()->to == "b@example.com");
    CHECK(world.take()->to == "c@example.com");
    CHECK_FALSE(world.take());
}
