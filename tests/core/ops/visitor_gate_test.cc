#include "core/ops/visitor_gate.h"

#include "core/ops/events.h"
#include "core/ops/sign_in_tries.h"
#include "tests/support/must.h"
#include "tests/support/world.h"

#include <catch2/catch.hpp>

#include <atomic>
#include <thread>

using namespace slashpost;
using namespace slashpost::test;
using redirect::Passage;

namespace {

const redirect::Visit by_somebody{.host = "go.example.com",
                                  .path = "/sale",
                                  .query = {},
                                  .user_agent = "Lynx/2.9.0",
                                  .address = redirect::Address::of("192.0.2.7")};

struct GateWorld : World {
    Link make(NewLink in) {
        in.destination = "https://example.com/";
        in.slashtag = "sale";
        return must(create(in)).link;
    }
    redirect::Admission come(const Link& link, std::optional<std::string> password = {},
                             const redirect::Visit& visit = by_somebody, bool is_person = true) {
        redirect::GuardedVisit guarded(visit);
        guarded.password = std::move(password);
        return gate.admit(link.id, guarded, is_person);
    }
    Link stored(const Link& link) {
        return must(engine->read([&](data::View& view) { return schema().links.find(view, link.id.view()); }))
            .value();
    }
    VisitorGate gate{service, *engine, clock};
};

} // namespace

TEST_CASE("who knows a link's password gets through, whatever else they are", "[gate]") {
    GateWorld world;
    const auto link = world.make({.password = "open sesame"});
    CHECK(link.password_hash.starts_with("$argon2id$"));
    CHECK(world.come(link).passage == Passage::asks);
    CHECK(world.come(link, "open Sesame").passage == Passage::wrong);
    CHECK(world.come(link, "").passage == Passage::wrong);
    CHECK(world.come(link, "open sesame").passage == Passage::open);
    CHECK(world.come(link, "open sesame", by_somebody, false).passage == Passage::open);
}

TEST_CASE("ten wrong passwords an address and link, then a quarter of an hour is waited", "[gate]") {
    GateWorld world;
    const auto link = world.make({.password = "open sesame"});
    for (int i = 0; i < 9; ++i)
        CHECK(world.come(link, "wrong one").passage == Passage::wrong);
    CHECK(world.come(link, "open sesame").passage == Passage::open); // which counts for nothing
    CHECK(world.come(link, "wrong one").passage == Passage::wrong);
    world.clock.advance_seconds(60);
    const auto waits = world.come(link, "open sesame");
    CHECK(waits.passage == Passage::waits);
    CHECK(waits.wait_seconds == 14 * 60);
    auto other = by_somebody;
    other.address = redirect::Address::of("192.0.2.8");
    CHECK(world.come(link, "open sesame", other).passage == Passage::open);
    world.clock.advance_seconds(14 * 60);
    CHECK(world.come(link, "open sesame").passage == Passage::open);
}

TEST_CASE("a link leads so many people on, then it has ended", "[gate]") {
    GateWorld world;
    const auto link = world.make({.max_clicks = 2});
    CHECK(world.come(link).passage == Passage::open);
    CHECK(world.stored(link).clicks_used == 1);
    CHECK(world.stored(link).updated_at == link.updated_at);
    CHECK(world.come(link, {}, by_somebody, false).passage == Passage::shut);
    auto looks = by_somebody;
    looks.counts = false;
    CHECK(world.come(link, {}, looks).passage == Passage::shut);
    CHECK(world.stored(link).status == LinkStatus::active);
    CHECK(world.come(link).passage == Passage::open);
    CHECK(world.stored(link).status == LinkStatus::expired);
    CHECK(world.come(link).passage == Passage::ended);
    CHECK(world.stored(link).clicks_used == 2);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a password that is wrong takes no visit away", "[gate]") {
    GateWorld world;
    const auto link = world.make({.password = "open sesame", .max_clicks = 1});
    CHECK(world.come(link, "another").passage == Passage::wrong);
    CHECK(world.come(link).passage == Passage::asks);
    CHECK(world.come(link, "open sesame").passage == Passage::open);
    CHECK(world.come(link, "open sesame").passage == Passage::ended);
}

TEST_CASE("more clicks let a link go on, and fewer than there were end it", "[gate]") {
    GateWorld world;
    const auto link = world.make({.max_clicks = 1});
    CHECK(world.come(link).passage == Passage::open);
    must(world.update(link.id, {.max_clicks = Change<std::uint32_t>::set(3)}));
    CHECK(world.stored(link).status == LinkStatus::active);
    CHECK(world.come(link).passage == Passage::open);
    must(world.update(link.id, {.max_clicks = Change<std::uint32_t>::set(2)}));
    CHECK(world.stored(link).status == LinkStatus::expired);
    must(world.update(link.id, {.max_clicks = Change<std::uint32_t>::clear()}));
    CHECK(world.stored(link).status == LinkStatus::active);
    CHECK(world.stored(link).clicks_used == 0);
    CHECK(world.come(link).passage == Passage::open);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a link that is over, or not there, is neither asked for a password nor counted", "[gate]") {
    GateWorld world;
    const auto link = world.make({.ttl_seconds = 60, .password = "open sesame", .max_clicks = 5});
    world.clock.advance_seconds(60);
    CHECK(world.come(link).passage == Passage::ended);
    must(world.update(link.id, {.expires_at = Change<Timestamp>::clear(),
                                .active_from = Change<Timestamp>::set(world.clock.time.plus_seconds(60))}));
    CHECK(world.come(link, "open sesame").passage == Passage::ended);
    must(world.update(link.id,
                      {.active = Change<bool>::set(false), .active_from = Change<Timestamp>::clear()}));
    CHECK(world.come(link, "open sesame").passage == Passage::ended);
    must(world.write([&](Context& ctx) { return delete_link(ctx, link); }));
    CHECK(world.come(link, "open sesame").passage == Passage::gone);
}

TEST_CASE("of many visitors at once exactly as many as may get through", "[gate]") {
    GateWorld world;
    const auto link = world.make({.max_clicks = 25});
    std::atomic<int> open = 0, ended = 0;
    {
        std::vector<std::jthread> visitors;
        for (int i = 0; i < 4; ++i)
            visitors.emplace_back([&] {
                for (int visit = 0; visit < 10; ++visit) {
                    const auto passage =
                        world.gate.admit(link.id, redirect::GuardedVisit(by_somebody), true).passage;
                    open += passage == Passage::open ? 1 : 0;
                    ended += passage == Passage::ended ? 1 : 0;
                }
            });
    }
    CHECK(open == 25);
    CHECK(ended == 15);
    CHECK(world.stored(link).clicks_used == 25);
}

TEST_CASE("a link's password and bound have limits of their own", "[gate]") {
    GateWorld world;
    const auto problems_of = [&](NewLink in) {
        in.destination = "https://example.com/";
        const auto made = world.create(in);
        REQUIRE_FALSE(made.has_value());
        REQUIRE(made.error().fields.size() == 1);
        return made.error().fields.front().property;
    };
    CHECK(problems_of({.password = "12345"}) == "password");
    CHECK(problems_of({.password = std::string(257, 'a')}) == "password");
    CHECK(problems_of({.password = "a\nbcdefg"}) == "password");
    CHECK(problems_of({.max_clicks = 0}) == "maxClicks");
    CHECK(problems_of({.max_clicks = 1'000'000'001}) == "maxClicks");
    CHECK(must(world.create({.destination = "https://example.com/",
                             .password = "\xc3\xa4\xc3\xa4\xc3\xa4 \xc3\xa4\xc3\xa4"}))
              .link.is_guarded());
}
