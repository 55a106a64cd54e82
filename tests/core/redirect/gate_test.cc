// What visitors of guarded links get, by what the gate says (core/redirect/gate.h).
#include "core/redirect/gate.h"

#include "tests/core/redirect/redirect_world.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::test;
using namespace slashpost::redirect;

namespace {

struct SaidGate final : Gate {
    Admission admit(LinkId link, const GuardedVisit& visit, bool is_person) override {
        asked_for = link;
        password = visit.password;
        counts = visit.counts;
        person = is_person;
        ++asked;
        return says;
    }
    Admission says;
    LinkId asked_for;
    std::optional<std::string> password;
    bool counts = false, person = false;
    int asked = 0;
};

// A link at go.example.com/sale that is guarded by what a test says.
struct GuardedWorld : RedirectWorld {
    GuardedWorld() {
        redirector =
            make_redirector({.directory = directory,
                             .resolver = resolver,
                             .engine = *engine,
                             .clock = clock,
                             .random = random,
                             .figures = figures,
                             .gate = &gate,
                             .lane_of_workers = [this] { return Result<data::JournalLane*>(&workers); }});
        link.password_hash = "a hash";
        link.password_set_at = clock.now();
        link.title = "Summer";
        put(link);
    }
    const Answer& come(Passage passage, Visit visit = {.path = "/sale"}) {
        gate.says = {.passage = passage, .wait_seconds = 7};
        return this->visit(visit);
    }
    Link link = RedirectWorld::link("sale", "https://secret.example/");
    SaidGate gate;
    MemoryLane workers; // where their clicks go
};

} // namespace

TEST_CASE("nobody gets to a guarded link's destination but through its gate", "[gate]") {
    GuardedWorld world;
    for (const auto& [passage, note] : {std::pair(Passage::asks, GateNote::asks),
                                        {Passage::wrong, GateNote::wrong},
                                        {Passage::waits, GateNote::waits},
                                        {Passage::busy, GateNote::busy},
                                        {Passage::shut, GateNote::shut}}) {
        const auto& answer = world.come(passage);
        CHECK(answer.outcome == Outcome::page);
        CHECK(answer.location.empty());
        REQUIRE(answer.page);
        CHECK(answer.page->kind == Page::Kind::gate);
        CHECK(answer.page->note == note);
        CHECK(answer.page->wait_seconds == 7);
        CHECK(answer.page->title.empty());
    }
    CHECK(world.come(Passage::gone).outcome == Outcome::missing);
    CHECK(world.come(Passage::ended).outcome == Outcome::expired);
    CHECK(world.come(Passage::unavailable).outcome == Outcome::unavailable);
    CHECK(world.answer.location.empty());
    CHECK(world.figures.store_failures == 1);
    CHECK(world.workers.records.empty());
    CHECK(world.lane.records.empty());
    CHECK(world.gate.asked_for == link_id);
}

TEST_CASE("who gets through is redirected as anybody, for this once, and counts as a click", "[gate]") {
    GuardedWorld world;
    world.link.redirect_type = 308;
    world.put(world.link);
    const auto& answer = world.come(Passage::open, {.path = "/sale", .query = "utm_source=x"});
    CHECK(answer.outcome == Outcome::forward);
    CHECK(answer.location == "https://secret.example/?utm_source=x");
    CHECK(answer.redirect_type == 302);
    CHECK(world.lane.records.empty());
    REQUIRE(world.workers.records.size() == 2); // the campaign is told beside the click
    const auto click = decode_click(world.workers.records.front());
    REQUIRE(click);
    CHECK(click->link == link_id);
    CHECK(click->counts);
    CHECK(world.come(Passage::open, {.path = "/sale", .posts = true}).redirect_type == 303);
}

TEST_CASE("a preview of a guarded link shows its gate, a code is only its address", "[gate]") {
    GuardedWorld world;
    const auto& preview = world.come(Passage::shut, {.path = "/sale+"});
    REQUIRE(preview.page);
    CHECK(preview.page->kind == Page::Kind::gate);
    CHECK_FALSE(world.gate.counts);
    CHECK(world.come(Passage::open, {.path = "/sale+", .posts = true}).location == "https://secret.example/");
    CHECK(world.gate.counts);
    world.gate.asked = 0;
    const auto& code = world.come(Passage::asks, {.path = "/sale.qr"});
    REQUIRE(code.page);
    CHECK(code.page->kind == Page::Kind::qr_code);
    CHECK(world.gate.asked == 0);
}

TEST_CASE("the gate is told who only looks, and which visitors are programs", "[gate]") {
    GuardedWorld world;
    world.come(Passage::shut, {.path = "/sale", .counts = false});
    CHECK_FALSE(world.gate.counts);
    CHECK(world.gate.person);
    world.come(Passage::shut, {.path = "/sale", .user_agent = "Slackbot-LinkExpanding 1.0"});
    CHECK_FALSE(world.gate.person);
}

TEST_CASE("the last visitor that may get through does, though the link has ended with them", "[gate]") {
    GuardedWorld world;
    world.gate.says = {.passage = Passage::open};
    world.redirector->answer({.host = "go.example.com", .path = "/sale", .query = {}, .user_agent = person},
                             world.lane, world.answer);
    REQUIRE(world.answer.outcome == Outcome::ordered);
    const PageOrder order(*world.answer.order);
    world.link.status = LinkStatus::expired;
    world.put(world.link);
    world.redirector->make(order, world.answer);
    CHECK(world.answer.location == "https://secret.example/");
    CHECK(world.come(Passage::open).outcome == Outcome::expired);
}

TEST_CASE("forms are posted to guarded links, and no method is kept there", "[gate]") {
    GuardedWorld world;
    world.link.redirect_type = 307;
    world.put(world.link);
    CHECK(world.redirector->is_guarded("go.example.com", "/sale"));
    CHECK(world.redirector->is_guarded("go.example.com", "/sale+"));
    CHECK_FALSE(world.redirector->is_guarded("go.example.com", "/other"));
    CHECK_FALSE(world.redirector->is_guarded("elsewhere.example", "/sale"));
    CHECK_FALSE(world.redirector->keeps_method("go.example.com", "/sale"));
    world.link.password_hash.clear();
    world.link.password_set_at.reset();
    world.put(world.link);
    CHECK_FALSE(world.redirector->is_guarded("go.example.com", "/sale"));
    CHECK(world.redirector->keeps_method("go.example.com", "/sale"));
}

TEST_CASE("where there is no gate nobody gets through", "[gate]") {
    RedirectWorld world;
    auto link = RedirectWorld::link("sale", "https://secret.example/");
    link.clicks_max = 5;
    world.put(link);
    CHECK(world.visit({.path = "/sale"}).outcome == Outcome::unavailable);
    CHECK(world.answer.location.empty());
}
