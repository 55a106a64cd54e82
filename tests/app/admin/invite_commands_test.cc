// `slashpost-admin invite`.
#include "core/work/mails.h"
#include "tests/app/admin/run_command.h"

#include <sstream>

using namespace slashpost;
using namespace slashpost::test;

namespace {

// The line of an invite without its id and the spaces that make columns.
std::string line_of(const std::string& output, std::string_view email) {
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string id, first, out, word;
        words >> id >> first;
        if (first != email)
            continue;
        while (words >> word)
            out += (out.empty() ? "" : " ") + word;
        return out;
    }
    return "(none)";
}

std::string id_of(const std::string& output, std::string_view email) {
    const auto at = output.find(email);
    REQUIRE(at != output.npos);
    return output.substr(at - 34, 32);
}

} // namespace

TEST_CASE("invites are listed with what became of their mails", "[admin]") {
    StockedWorld world;
    const auto list = [&] { return run(world, {"invite", "list"}).output; };
    CHECK(line_of(list(), "ünal@example.com") ==
          "user accepted until 2027-02-14T08:00:01.000Z no mail Main workspace");
    CHECK(line_of(list(), "ann@example.com") ==
          "guest pending until 2027-02-14T08:00:01.000Z mail waits Main workspace");
    const auto take = [&] {
        return must(world.operate([](SystemContext& system) { return take_due_mail(system); }))->mail;
    };
    const auto book = [&](MailId mail, MailOutcome::Kind kind) {
        must(world.operate([&](SystemContext& system) {
            return book_outcome(system, mail, {.kind = kind, .reason = "no route"});
        }));
    };
    book(take(), MailOutcome::Kind::later);
    CHECK(
        line_of(list(), "ann@example.com") ==
        "guest pending until 2027-02-14T08:00:01.000Z mail waits for attempt 2 at 2027-01-15T08:00:06.000Z: "
        "no route Main workspace");
    world.clock.advance_seconds(5);
    book(take(), MailOutcome::Kind::sent);
    CHECK(line_of(list(), "ann@example.com") ==
          "guest pending until 2027-02-14T08:00:01.000Z mailed 2027-01-15T08:00:06.000Z Main workspace");
    CHECK(run(world, {"invite", "list", "--workspace", "Ünal"}).output.empty());
    CHECK(run(world, {"invite", "list", "--workspace", "admin"}).output == list());
}

TEST_CASE("the operator shows a new address to accept an invite at, with a mail that waits or not",
          "[admin]") {
    StockedWorld world;
    const auto id = id_of(run(world, {"invite", "list"}).output, "ann@example.com");
    const auto made = run(world, {"invite", "address", id});
    CHECK(made.code == 0);
    REQUIRE(made.output.starts_with("accept at: /v1/invites/"));
    CHECK_THAT(made.notes, Catch::Contains("shown this once"));
    CHECK_FALSE(must(world.operate([](SystemContext& system) { return take_due_mail(system); })));
    const auto address = made.output.substr(0, made.output.size() - 1);
    must(accept_with(world, person(world, "ann").caller, token_of(address)));
    const auto late = run(world, {"invite", "address", id});
    CHECK(late.code == 1);
    CHECK_THAT(late.notes, Catch::Contains("cannot be accepted any more"));
}

TEST_CASE("the operator withdraws an invite", "[admin]") {
    StockedWorld world;
    const auto list = run(world, {"invite", "list"}).output;
    const auto id = id_of(list, "ann@example.com");
    CHECK(run(world, {"invite", "withdraw", id}).output == "withdrawn: " + id + " for ann@example.com\n");
    CHECK_THAT(run(world, {"invite", "withdraw", id}).notes, Catch::Contains("not found"));
    CHECK_THAT(run(world, {"invite", "withdraw", id_of(list, "ünal@example.com")}).notes,
               Catch::Contains("was accepted"));
    CHECK(world.inconsistency().empty());
}
