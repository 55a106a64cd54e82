// What becomes of a delivery and of its webhook, attempt by attempt, with a clock that the test moves.
#include "core/work/deliveries.h"

#include "core/work/jobs.h"
#include "core/work/mails.h"
#include "tests/support/hooks.h"
#include "tests/support/labels.h"
#include "tests/support/workspaces.h"

using namespace slashpost;
using namespace slashpost::test;

namespace {

constexpr std::int64_t hour = 3600, day = 24 * hour;

std::optional<Letter> take_letter(World& world) {
    return must(world.operate([](SystemContext& system) { return take_due_mail(system); }));
}

// The owner of the world's workspace has an address, and the server sends mails.
void let_owner_have_mail(World& world) {
    world.settings.sends_mail = true;
    world.settings.api_url = "https://api.example.com/v1";
    must(world.operate([&](SystemContext& system) -> Result<void> {
        const auto was = TRY(schema().accounts.find(system.txn, world.installed.account.id.view())).value();
        auto now = was;
        now.email = "owner@example.com";
        return schema().accounts.update(system.txn, was, now);
    }));
}

void rename(World& world, LinkId link, std::string title) {
    must(world.update(link, {.title = Change<std::string>::set(std::move(title))}));
}

} // namespace

TEST_CASE("the waits between attempts are those of the standard's example", "[deliveries]") {
    CHECK(seconds_before_retry(1) == 5);
    CHECK(seconds_before_retry(2) == 300);
    CHECK(seconds_before_retry(3) == 1800);
    CHECK(seconds_before_retry(4) == 7200);
    CHECK(seconds_before_retry(5) == 18'000);
    CHECK(seconds_before_retry(6) == 36'000);
    CHECK(seconds_before_retry(7) == 50'400);
    CHECK(seconds_before_retry(8) == 72'000);
    CHECK(seconds_before_retry(9) == 86'400);
}

TEST_CASE("a webhook hears of what is done after it was made, of the types that it wants", "[deliveries]") {
    HookWorld world;
    make_link(world, "before");
    const auto webhook = make_webhook(world, {EventType::link_created, EventType::tag_created}).row;
    const auto link = make_link(world, "after");
    rename(world, link.id, "Other");
    make_tag(world, "Spring");
    const auto attempts = world.take();
    REQUIRE(attempts.size() == 2);
    CHECK(attempts[0].event->type == EventType::link_created);
    CHECK(attempts[0].event->subject == link.id);
    CHECK(attempts[0].url == "https://example.com/slashpost");
    CHECK(attempts[0].secrets.size() == 1);
    CHECK(attempts[1].event->type == EventType::tag_created);
    CHECK(world.deliveries(webhook).size() == 2);
    CHECK(world.take().empty()); // they are under way
    CHECK(world.inconsistency().empty());
}

TEST_CASE("what was rolled back is told to nobody", "[deliveries]") {
    HookWorld world;
    make_webhook(world);
    CHECK_FALSE(world
                    .write([](Context& ctx) -> Result<LinkDetails> {
                        TRY(create_link(ctx, {.destination = "https://example.com/"}));
                        return conflict("It does not happen.");
                    })
                    .has_value());
    CHECK(world.take().empty());
}

TEST_CASE("another workspace's events are not told", "[deliveries][threat-15]") {
    HookWorld world;
    make_webhook(world);
    const auto room = make_workspace(world, "room");
    world.take(); // what the making itself told
    must(link_in(world, room.id, "elsewhere"));
    CHECK(world.take().empty());
}

TEST_CASE("events of one link go out one after the other, those of others beside", "[deliveries]") {
    HookWorld world;
    const auto webhook = make_webhook(world).row;
    const auto one = make_link(world, "one");
    rename(world, one.id, "A");
    rename(world, one.id, "B");
    const auto two = make_link(world, "two");
    auto attempts = world.take();
    REQUIRE(attempts.size() == 2);
    CHECK(attempts[0].event->type == EventType::link_created);
    CHECK(attempts[1].event->subject == two.id);
    world.answer(attempts[1], 200);
    world.answer(attempts[0], 500);
    CHECK(world.take().empty()); // what follows waits for what failed
    CHECK(world.deliveries(webhook)[1].status == DeliveryStatus::queued);
    world.clock.advance_seconds(6);
    attempts = world.take();
    REQUIRE(attempts.size() == 1);
    CHECK(attempts[0].event->type == EventType::link_created);
    CHECK(attempts[0].delivery.attempts == 2);
    world.answer(attempts[0], 204);
    attempts = world.take();
    REQUIRE(attempts.size() == 1);
    CHECK(attempts[0].event->changes.front().after.front() == "A");
    world.answer(attempts[0], 200);
    CHECK(world.take().at(0).event->changes.front().after.front() == "B");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a delivery is tried ten times over three days, each after its wait and at most a tenth more",
          "[deliveries]") {
    HookWorld world;
    const auto webhook = make_webhook(world).row;
    const auto link = make_link(world, "one");
    rename(world, link.id, "A");
    const auto begun = world.clock.now();
    for (std::uint32_t attempt = 1; attempt <= 10; ++attempt) {
        INFO(attempt);
        auto attempts = world.take();
        REQUIRE(attempts.size() == 1);
        CHECK(attempts[0].delivery.attempts == attempt);
        CHECK(attempts[0].event->type == EventType::link_created);
        world.answer(attempts[0], attempt % 2 == 0 ? 0 : 503);
        if (attempt == 10)
            break;
        const auto wait = seconds_before_retry(attempt);
        const auto due = world.deliveries(webhook)[0].due_at.ms - world.clock.now().ms;
        CHECK(due >= wait * 1000);
        CHECK(due <= wait * 1100);
        world.clock.time.ms += due - 1;
        CHECK(world.take().empty());
        world.clock.time.ms += 1;
    }
    CHECK(world.clock.now().ms - begun.ms >= 272'105'000);
    const auto first = world.deliveries(webhook)[0];
    CHECK(first.status == DeliveryStatus::failed);
    CHECK(first.answered == 0);
    CHECK(first.answer == "said");
    CHECK(first.ended_at == world.clock.now());
    CHECK(world.take().at(0).event->type == EventType::link_updated); // the next has its turn
}

TEST_CASE("an attempt whose process ended is made again after a minute", "[deliveries]") {
    HookWorld world;
    make_webhook(world);
    make_link(world, "one");
    REQUIRE(world.take().size() == 1);
    HookQueue restarted(world.service, *world.engine, world.clock);
    while (must(restarted.look_at_events())) {
    }
    CHECK(must(restarted.take(100)).empty());
    world.clock.advance_seconds(60);
    const auto again = must(restarted.take(100));
    REQUIRE(again.size() == 1);
    CHECK(again[0].delivery.attempts == 2);
}

TEST_CASE("events that nobody had looked at when the process ended are told at the next start",
          "[deliveries]") {
    HookWorld world;
    make_webhook(world);
    make_link(world, "one");
    HookQueue restarted(world.service, *world.engine, world.clock);
    while (must(restarted.look_at_events())) {
    }
    CHECK(must(restarted.take(100)).size() == 1);
}

TEST_CASE("a receiver that answers 410 is sent nothing more, and the owner is told", "[deliveries]") {
    HookWorld world;
    let_owner_have_mail(world);
    const auto webhook = make_webhook(world).row;
    make_link(world, "one");
    world.answer(world.take().at(0), 410);
    CHECK(world.stored(webhook.id).status == WebhookStatus::gone);
    CHECK(world.deliveries(webhook)[0].status == DeliveryStatus::failed);
    make_link(world, "two");
    CHECK(world.take().empty());
    const auto letter = take_letter(world);
    REQUIRE(letter);
    CHECK(letter->to == "owner@example.com");
    CHECK(letter->subject == "A webhook of the workspace \"Main workspace\" is disabled");
    CHECK(letter->text ==
          "The webhook of the workspace \"Main workspace\" that is sent to\n\n"
          "https://example.com/slashpost\n\n"
          "is disabled: Its receiver answered that it is gone for good (410).\n\n"
          "Nothing is sent to it any more. When the receiver is mended, resume the webhook, and it goes on "
          "where it stood, as far as events are kept:\n\n"
          "curl -X POST -H 'apikey: YOUR_KEY' -H 'workspace: " +
              webhook.workspace.hex() + "' https://api.example.com/v1/webhooks/" + webhook.id.hex() +
              "/resume\n");
    world.change(webhook.id, resume_webhook);
    CHECK(world.take().size() == 1); // that of the second link
}

TEST_CASE("five days of nothing but failures disable a webhook, one success begins them anew",
          "[deliveries]") {
    HookWorld world;
    const auto webhook = make_webhook(world).row;
    make_link(world, "one");
    world.answer(world.take().at(0), 500);
    world.clock.advance_seconds(5 * day - 2);
    make_link(world, "two"); // a second later
    const auto attempts = world.take(1);
    world.answer(attempts.at(0), 500);
    CHECK(world.stored(webhook.id).status == WebhookStatus::enabled);
    CHECK(world.stored(webhook.id).failures == 2);
    world.clock.advance_seconds(6);
    world.answer(world.take(1).at(0), 200);
    CHECK(world.stored(webhook.id).failures == 0);
    CHECK_FALSE(world.stored(webhook.id).failing_since);
    make_link(world, "three");
    world.answer(world.take(1).at(0), 500);
    world.clock.advance_seconds(5 * day);
    world.answer(world.take(1).at(0), 500);
    CHECK(world.stored(webhook.id).status == WebhookStatus::failing);
    CHECK_FALSE(take_letter(world)); // no mail server is set
    CHECK(world.take().empty());
}

TEST_CASE("the owner is told of a webhook that failed for five days", "[deliveries]") {
    HookWorld world;
    let_owner_have_mail(world);
    const auto webhook = make_webhook(world).row;
    make_link(world, "one");
    world.answer(world.take().at(0), 500);
    CHECK_FALSE(take_letter(world));
    world.clock.advance_seconds(5 * day);
    world.answer(world.take(1).at(0), 500);
    CHECK(world.stored(webhook.id).status == WebhookStatus::failing);
    const auto letter = take_letter(world);
    REQUIRE(letter);
    CHECK(letter->to == "owner@example.com");
    CHECK(letter->text.contains("For five days every attempt to reach its receiver has failed."));
    CHECK_FALSE(take_letter(world));
}

TEST_CASE("a receiver rests as long as it asks, for a day at most", "[deliveries]") {
    HookWorld world;
    const auto webhook = make_webhook(world).row;
    make_link(world, "one");
    world.answer(world.take().at(0), 429, 120);
    make_link(world, "two");
    CHECK(world.take().empty());
    world.clock.advance_seconds(118);
    CHECK(world.take().empty());
    world.clock.advance_seconds(1);
    const auto attempts = world.take();
    REQUIRE(attempts.size() == 1); // one at a time, as the last failed
    world.answer(attempts[0], 503, 10 * day);
    CHECK(world.stored(webhook.id).rests_until == world.clock.now().plus_seconds(day));
}

TEST_CASE("what waits goes out at once when the receiver is back", "[deliveries]") {
    HookWorld world;
    const auto webhook = make_webhook(world).row;
    const auto one = make_link(world, "one");
    for (int attempt = 1; attempt <= 6; ++attempt) {
        world.answer(world.take().at(0), 500);
        world.clock.time = world.deliveries(webhook)[0].due_at;
    }
    world.answer(world.take().at(0), 500); // the next is due in 14 hours
    make_link(world, "two");
    const auto attempts = world.take();
    REQUIRE(attempts.size() == 1);
    CHECK(attempts[0].event->subject != one.id);
    world.answer(attempts[0], 200);
    const auto waiting = world.take();
    REQUIRE(waiting.size() == 1);
    CHECK(waiting[0].event->subject == one.id);
    world.answer(waiting[0], 500);
    make_link(world, "three");
    world.answer(world.take().at(0), 200);
    CHECK(world.take().empty()); // brought forward once
}

TEST_CASE("a paused webhook is sent nothing but tests, and goes on where it stood", "[deliveries]") {
    HookWorld world;
    const auto webhook = make_webhook(world).row;
    make_link(world, "one");
    world.look();
    world.change(webhook.id, pause_webhook);
    make_link(world, "two");
    CHECK(world.take().empty());
    world.change(webhook.id, test_webhook);
    const auto tests = world.take();
    REQUIRE(tests.size() == 1);
    CHECK_FALSE(tests[0].event);
    world.answer(tests[0], 500);
    CHECK(world.stored(webhook.id).failures == 0); // a test says nothing of the webhook
    CHECK(world.take().empty());                   // and is sent once
    world.change(webhook.id, resume_webhook);
    CHECK(world.answer_all(200) == 2);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("of an event that is kept no longer nothing is sent", "[deliveries]") {
    HookWorld world;
    const auto webhook = make_webhook(world).row;
    make_link(world, "one");
    world.look();
    must(world.operate([](SystemContext& system) -> Result<void> {
        std::vector<Event> all;
        TRY(schema().events.each(system.txn, [&](const Event& event) -> Result<bool> {
            all.push_back(event);
            return true;
        }));
        for (const auto& event : all)
            TRY(schema().events.remove(system.txn, event));
        return {};
    }));
    CHECK(world.take().empty());
    CHECK(world.deliveries(webhook)[0].status == DeliveryStatus::failed);
    CHECK(world.deliveries(webhook)[0].answer == "The event is kept no longer.");
}

TEST_CASE("the log of a webhook is kept for seven days", "[deliveries]") {
    HookWorld world;
    const auto webhook = make_webhook(world).row;
    make_link(world, "one");
    world.answer_all(200);
    world.clock.advance_seconds(7 * day - 1);
    CHECK_FALSE(must(world.operate(prune_deliveries)));
    CHECK(world.deliveries(webhook).size() == 1);
    world.clock.advance_seconds(1);
    must(world.operate(prune_deliveries));
    CHECK(world.deliveries(webhook).empty());
    CHECK(world.inconsistency().empty());
}

TEST_CASE("the log of a webhook has a thousand deliveries at most", "[deliveries]") {
    HookWorld world;
    const auto webhook = make_webhook(world).row;
    for (int i = 0; i < 1'010; ++i)
        must(world.create({.destination = "https://example.com/"}));
    CHECK(world.answer_all(200) == 1'010);
    const auto ended = must(world.engine->read(
        [&](data::View& view) { return schema().deliveries.per_webhook.count(view, webhook.id, false); }));
    CHECK(ended == 1'000);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a webhook that is deleted takes its deliveries with it", "[deliveries]") {
    HookWorld world;
    const auto webhook = make_webhook(world).row;
    make_link(world, "one");
    make_link(world, "two");
    const auto attempts = world.take(1);
    world.change(webhook.id, delete_webhook);
    CHECK(world.take().empty());
    world.answer(attempts.at(0), 200); // changes nothing any more
    JobRunner jobs(world.service);
    while (must(jobs.run_batch())) {
    }
    CHECK(world.deliveries(webhook).empty());
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a deleted workspace takes its webhooks with it", "[deliveries]") {
    HookWorld world;
    const auto room = make_workspace(world, "room");
    must(write_in(world, room.id, [](Context& ctx) {
        return create_webhook(ctx, {.url = std::string(hook_url), .types = {}, .description = {}});
    }));
    must(link_in(world, room.id, "one"));
    world.look();
    must(remove_in(world, room.id, Removal::deleted));
    JobRunner jobs(world.service);
    while (must(jobs.run_batch())) {
    }
    CHECK(must(world.engine->read(
              [&](data::View& view) { return schema().webhooks.per_workspace.count(view, room.id); })) == 0);
    CHECK(world.take().empty());
    CHECK(world.inconsistency().empty());
}
