// Clicks as events: for whom they are, how many come at once, and who misses some.
#include "core/work/click_events.h"

#include "core/base/errors.h"
#include "core/ops/events.h"
#include "tests/support/hooks.h"

using namespace slashpost;
using namespace slashpost::test;

namespace {

struct ClickWorld : HookWorld {
    ClickEvents events{service, *engine};
    Link link = must(create({.destination = "https://example.com/"})).link;

    // What a fold with so many clicks does.
    void fold(std::size_t clicks = 1) {
        if (!must(events.begin()))
            return;
        for (std::size_t i = 0; i < clicks; ++i)
            events.hear({.link = link.id,
                         .workspace = link.workspace,
                         .domain = link.domain,
                         .time = clock.now(),
                         .visitor = 0x2a,
                         .country = CountryCode::of("de"),
                         .agent = {.device = Device::mobile},
                         .referrer = ReferrerHost::of("news.example.com")});
        must(events.commit([](data::Txn&) { return Result<void>(); }));
    }
    std::vector<Event> told() {
        std::vector<Event> out;
        must(engine->read([&](data::View& view) {
            return schema().events.each(view, [&](const Event& event) -> Result<bool> {
                if (event.type == EventType::link_clicked)
                    out.push_back(event);
                return true;
            });
        }));
        return out;
    }
    std::size_t clicks_of_next_attempt() {
        const auto attempts = take();
        REQUIRE(attempts.size() == 1);
        answer(attempts[0], 200);
        return attempts[0].event->clicks.size();
    }
};

} // namespace

TEST_CASE("clicks are told to webhooks that name them, and without one nothing is written",
          "[clicks][webhooks]") {
    ClickWorld world;
    make_webhook(world); // of all types
    world.fold();
    CHECK(world.told().empty());
    const auto webhook = make_webhook(world, {EventType::link_clicked}).row;
    world.fold();
    const auto told = world.told();
    REQUIRE(told.size() == 1);
    REQUIRE(told[0].clicks.size() == 1);
    const auto& click = told[0].clicks[0];
    CHECK(click.link == world.link.id);
    CHECK(click.at == world.clock.now());
    CHECK(click.country == "de");
    CHECK(click.device == "mobile");
    CHECK(click.os.empty());
    CHECK(click.referrer == "news.example.com");
    CHECK(click.visitor == "000000000000002a");
    CHECK(world.take().empty()); // for a second more may come
    world.clock.advance_seconds(1);
    const auto attempts = world.take();
    REQUIRE(attempts.size() == 1); // the other one hears nothing
    CHECK(attempts[0].delivery.webhook == webhook.id);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a webhook that is disabled hears of no clicks, one that is paused later", "[clicks][webhooks]") {
    ClickWorld world;
    const auto webhook = make_webhook(world, {EventType::link_clicked}).row;
    world.change(webhook.id, pause_webhook);
    world.fold();
    CHECK(world.told().size() == 1);
    world.change(webhook.id, resume_webhook);
    world.look();
    world.clock.advance_seconds(1);
    const auto attempts = world.take();
    REQUIRE(attempts.size() == 1);
    world.answer(attempts[0], 410);
    world.fold();
    CHECK(world.told().size() == 1);
}

TEST_CASE("clicks of several folds are one request, and the next is a second later", "[clicks][webhooks]") {
    ClickWorld world;
    make_webhook(world, {EventType::link_clicked});
    for (const auto clicks : std::vector<std::size_t>{200, 200, 100, 7}) {
        world.fold(clicks);
        world.look();
    }
    world.clock.advance_seconds(1);
    CHECK(world.clicks_of_next_attempt() == 500);
    CHECK(world.take().empty());
    world.clock.advance_seconds(1);
    CHECK(world.clicks_of_next_attempt() == 7);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("clicks that are under way take in no more, and wait for nothing but each other",
          "[clicks][webhooks]") {
    ClickWorld world;
    const auto webhook = make_webhook(world, {EventType::link_clicked, EventType::link_created}).row;
    world.fold(2);
    world.look();
    world.clock.advance_seconds(1);
    const auto first = world.take();
    REQUIRE(first.size() == 1);
    world.fold(3);
    must(world.create({.destination = "https://example.com/"}));
    const auto other = world.take();
    REQUIRE(other.size() == 1);
    CHECK(other[0].event->type == EventType::link_created);
    world.answer(first[0], 200);
    CHECK(world.take().empty());
    world.clock.advance_seconds(1);
    CHECK(world.clicks_of_next_attempt() == 3);
    const auto told = world.deliveries(webhook).at(0);
    const auto again = world.change(
        webhook.id, [&](Context& ctx, const Webhook& row) { return replay_delivery(ctx, row, told); });
    CHECK(again.clicks == 2);
}

TEST_CASE("of more clicks at once than one event has the rest is missed, and counted", "[clicks][webhooks]") {
    ClickWorld world;
    make_webhook(world, {EventType::link_clicked});
    world.fold(503);
    CHECK(world.told().at(0).clicks.size() == 500);
    CHECK(world.events.missed() == 3);
}

TEST_CASE("a webhook that is half a minute behind misses clicks, and nothing else", "[clicks][webhooks]") {
    ClickWorld world;
    const auto webhook = make_webhook(world, {EventType::link_clicked, EventType::link_created}).row;
    for (int i = 0; i < 32; ++i)
        world.fold(500);
    must(world.create({.destination = "https://example.com/"}));
    world.look();
    CHECK(world.deliveries(webhook).size() == 31);
    CHECK(world.queue.figures().clicks_missed == 1000);
    const auto attempts = world.take();
    REQUIRE(attempts.size() == 1);
    CHECK(attempts[0].event->type == EventType::link_created);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a fold that fails tells of nothing", "[clicks][webhooks]") {
    ClickWorld world;
    make_webhook(world, {EventType::link_clicked});
    REQUIRE(must(world.events.begin()));
    world.events.hear({.link = world.link.id, .workspace = world.link.workspace, .time = world.clock.now()});
    CHECK_FALSE(world.events.commit([](data::Txn&) -> Result<void> { return fault("no"); }).has_value());
    CHECK(world.told().empty());
}

TEST_CASE("visits that are no clicks, and those of other workspaces, are told to nobody",
          "[clicks][webhooks]") {
    ClickWorld world;
    make_webhook(world, {EventType::link_clicked});
    REQUIRE(must(world.events.begin()));
    world.events.hear({.link = world.link.id,
                       .workspace = world.link.workspace,
                       .time = world.clock.now(),
                       .counts = false});
    world.events.hear({.link = world.link.id, .workspace = {}, .time = world.clock.now()});
    must(world.events.commit([](data::Txn&) { return Result<void>(); }));
    CHECK(world.told().empty());
}

TEST_CASE("clicks are in the feed and the audit for who names them, for a day", "[clicks][events]") {
    ClickWorld world;
    make_webhook(world, {EventType::link_clicked});
    world.fold();
    const auto feed = [&](std::vector<EventType> types) {
        return must(world.read([&](Context& ctx) { return read_feed(ctx, {.types = types}, "", 100); }))
            .events;
    };
    const auto is_of_clicks = [](const EventDetails& one) {
        return one.event.type == EventType::link_clicked;
    };
    CHECK(std::ranges::none_of(feed({}), is_of_clicks));
    const auto both = feed({EventType::link_created, EventType::link_clicked});
    REQUIRE(both.size() == 2);
    CHECK(both[0].event.type == EventType::link_created); // in the order of all
    CHECK(both[1].event.clicks.size() == 1);
    const auto audit =
        must(world.read([&](Context& ctx) { return audit_of_workspace(ctx, {}, {.limit = 100}); }));
    CHECK(std::ranges::none_of(audit, is_of_clicks));
    world.clock.advance_seconds(24 * 3600);
    must(world.operate([](SystemContext& system) { return prune_events(system); }));
    CHECK(world.told().size() == 1);
    world.clock.advance_seconds(1);
    must(world.operate([](SystemContext& system) { return prune_events(system); }));
    CHECK(world.told().empty());
    CHECK(feed({EventType::link_created}).size() == 1);
    CHECK(world.inconsistency().empty());
}
