// Whose turn it is: bounds of webhooks and of workspaces, backlogs, and what is told again.
#include "core/work/hook_queue.h"

#include "storage/memory/engine.h"
#include "tests/support/hooks.h"
#include "tests/support/labels.h"
#include "tests/support/workspaces.h"
#include "tests/support/wrapped_engine.h"

#include <fmt/format.h>

using namespace slashpost;
using namespace slashpost::test;

namespace {

std::vector<LinkId> make_links(World& world, int count) {
    std::vector<LinkId> out;
    for (int i = 0; i < count; ++i)
        out.push_back(must(world.create({.destination = "https://example.com/"})).link.id);
    return out;
}

Webhook webhook_in(World& world, WorkspaceId workspace) {
    return must(write_in(world, workspace,
                         [](Context& ctx) {
                             return create_webhook(
                                 ctx, {.url = std::string(hook_url), .types = {}, .description = {}});
                         }))
        .row;
}

std::int64_t open_of(World& world, const Webhook& webhook) {
    return must(world.engine->read(
        [&](data::View& view) { return schema().deliveries.per_webhook.count(view, webhook.id, true); }));
}

} // namespace

TEST_CASE("a workspace has eight attempts under way at most, whatever waits", "[hook_queue]") {
    HookWorld world;
    make_webhook(world);
    make_links(world, 20);
    const auto first = world.take();
    CHECK(first.size() == 8);
    CHECK(world.take().empty());
    world.answer(first[0], 200);
    CHECK(world.take().size() == 1);
}

TEST_CASE("a webhook that fails has one attempt under way, and the others their own", "[hook_queue]") {
    HookWorld world;
    const auto failing = make_webhook(world).row;
    make_links(world, 1);
    world.answer(world.take().at(0), 500);
    make_links(world, 5);
    CHECK(world.take().size() == 1);
    const auto room = make_workspace(world, "room");
    const auto other = webhook_in(world, room.id);
    for (const auto* slashtag : {"a", "b", "c"})
        must(link_in(world, room.id, slashtag));
    const auto beside = world.take();
    CHECK(beside.size() == 3);
    for (const auto& attempt : beside)
        CHECK(attempt.delivery.webhook == other.id);
    CHECK(world.queue.figures().under_way == 4);
    CHECK(world.stored(failing.id).failures == 1);
}

TEST_CASE("with little room all workspaces have their turn", "[hook_queue]") {
    HookWorld world;
    std::vector<WebhookId> webhooks;
    for (const auto* name : {"one", "two", "three"}) {
        const auto room = make_workspace(world, name);
        webhooks.push_back(webhook_in(world, room.id).id);
        for (const auto* slashtag : {"a", "b", "c", "d"})
            must(link_in(world, room.id, fmt::format("{}-{}", name, slashtag)));
    }
    std::set<WebhookId> served;
    for (int i = 0; i < 3; ++i)
        for (const auto& attempt : world.take(4))
            served.insert(attempt.delivery.webhook);
    CHECK(served == std::set<WebhookId>(webhooks.begin(), webhooks.end()));
}

TEST_CASE("of a long backlog 256 deliveries are open, and all come in the end", "[hook_queue]") {
    HookWorld world;
    const auto webhook = make_webhook(world).row;
    const auto links = make_links(world, 600);
    world.look();
    CHECK(open_of(world, webhook) == 256);
    CHECK(world.stored(webhook.id).behind);
    std::vector<RawId> told;
    for (auto attempts = world.take(); !attempts.empty(); attempts = world.take())
        for (const auto& attempt : attempts) {
            told.push_back(attempt.event->subject);
            world.answer(attempt, 200);
        }
    CHECK(told == std::vector<RawId>(links.begin(), links.end()));
    CHECK_FALSE(world.stored(webhook.id).behind);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a receiver that is away costs the open deliveries and no more", "[hook_queue]") {
    HookWorld world;
    const auto webhook = make_webhook(world).row;
    make_links(world, 300);
    for (int i = 0; i < 100; ++i) {
        for (const auto& attempt : world.take())
            world.answer(attempt, 500);
        world.clock.advance_seconds(1);
    }
    make_links(world, 50);
    world.look();
    CHECK(open_of(world, webhook) == 256);
}

TEST_CASE("a booking that the store refused is made later, and nothing is handed out twice meanwhile",
          "[hook_queue]") {
    const auto memory = storage::make_memory_engine(space::all);
    auto* const engine = new WrappedEngine(*memory); // the world's
    HookWorld world{std::unique_ptr<data::Engine>(engine)};
    make_webhook(world);
    make_links(world, 1);
    const auto attempt = world.take().at(0);
    const std::vector<DeliveryOutcome> outcomes{{.delivery = Delivery::primary_of(attempt.delivery),
                                                 .verdict = Verdict::delivered,
                                                 .answered = 200,
                                                 .text = {},
                                                 .retry_after_seconds = {}}};
    engine->fails = WrappedEngine::Fails::before_commit;
    CHECK_FALSE(world.queue.book(outcomes).has_value());
    engine->fails = WrappedEngine::Fails::never;
    world.clock.advance_seconds(3600); // long due again, going by its row
    CHECK(world.take().empty());
    must(world.queue.book(outcomes));
    CHECK(world.take().empty());
    CHECK(world.queue.figures().delivered == 1);
}

TEST_CASE("one event is told again, and waits for its turn behind nothing but its link", "[hook_queue]") {
    HookWorld world;
    const auto webhook = make_webhook(world).row;
    const auto link = make_link(world, "one");
    make_link(world, "two");
    world.answer_all(200);
    const auto told = world.deliveries(webhook);
    REQUIRE(told.size() == 2);
    const auto again =
        must(world.write([&](Context& ctx) { return replay_delivery(ctx, webhook, told[0]); }));
    CHECK(again.status == DeliveryStatus::waiting);
    CHECK(again.attempts == 0);
    CHECK_FALSE(world.write([&](Context& ctx) { return replay_delivery(ctx, webhook, again); }).has_value());
    const auto attempts = world.take();
    REQUIRE(attempts.size() == 1);
    CHECK(attempts[0].event->subject == link.id);
    CHECK(attempts[0].delivery.event == told[0].event); // the same id
}

TEST_CASE("the events of a time are told again, before those that are new", "[hook_queue]") {
    HookWorld world;
    const auto webhook = make_webhook(world, {EventType::link_created}).row;
    const auto one = make_link(world, "one"); // each a second after the other
    const auto from = world.clock.now().plus_seconds(1);
    const auto two = make_link(world, "two"), three = make_link(world, "three");
    const auto to = world.clock.now().plus_seconds(1);
    make_link(world, "four");
    world.answer_all(200);
    const auto replaying = must(world.write(
        [&](Context& ctx) { return replay_span(ctx, world.stored(webhook.id), {.from = from, .to = to}); }));
    CHECK(replaying.replay);
    const auto five = make_link(world, "five");
    std::vector<RawId> told;
    for (auto attempts = world.take(1); !attempts.empty(); attempts = world.take(1)) {
        told.push_back(attempts[0].event->subject);
        world.answer(attempts[0], 200);
    }
    std::ranges::sort(told);
    std::vector<RawId> wanted{two.id, three.id, five.id};
    std::ranges::sort(wanted);
    CHECK(told == wanted);
    CHECK_FALSE(world.stored(webhook.id).replay);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a clock that goes back an hour keeps no event from being told", "[hook_queue]") {
    HookWorld world;
    make_webhook(world);
    make_links(world, 1);
    CHECK(world.answer_all(200) == 1);
    world.clock.advance_seconds(-3600);
    make_links(world, 2);
    CHECK(world.answer_all(200) == 2);
}
