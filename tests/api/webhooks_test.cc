// Webhooks over the wire: what is refused, what is shown once, and what belongs to whom.
#include "core/work/hook_queue.h"
#include "http/api/webhook_shapes.h"
#include "tests/api/api_world.h"
#include "tests/support/hooks.h"
#include "tests/support/must.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace slashpost;
using namespace slashpost::test;

namespace {

std::string at_url(std::string_view url) { return fmt::format(R"({{"url":"{}"}})", url); }

struct Hooks : ApiWorld {
    HookQueue queue{service, *engine, clock};

    std::string make(std::string_view more = {}) {
        const auto made =
            send(post("/webhooks", fmt::format(R"({{"url":"https://example.com/slashpost"{}}})", more)));
        REQUIRE(made.summary() == "200");
        return made.at("id");
    }
    std::vector<DeliveryAttempt> take() {
        while (must(queue.look_at_events())) {
        }
        return must(queue.take(100));
    }
    void answer(const DeliveryAttempt& attempt, std::uint16_t status, std::string text = "said") {
        must(queue.book({{.delivery = Delivery::primary_of(attempt.delivery),
                          .verdict = verdict_of(status),
                          .answered = status,
                          .text = std::move(text),
                          .took_ms = 12,
                          .retry_after_seconds = {}}}));
    }
};

} // namespace

TEST_CASE("a webhook is answered as the interface shows it, with its secret once", "[webhooks]") {
    Hooks world;
    const auto made = world.send(post("/webhooks", R"({"url":"https://example.com/slashpost",)"
                                                   R"("types":["link.created"],"description":"Shop"})"));
    CHECK(made.body ==
          fmt::format(
              R"({{"id":"{}","url":"https://example.com/slashpost","types":["link.created"],)"
              R"("description":"Shop","signature":"hmac","status":"enabled","failures":0,"replaying":false,)"
              R"("createdAt":"2027-01-15T08:00:00.000Z","updatedAt":"2027-01-15T08:00:00.000Z",)"
              R"("secret":"{}"}})",
              made.at("id"), made.at("secret")));
    CHECK(made.at("secret").starts_with("whsec_"));
    CHECK(made.at("secret").size() == 50); // 32 bytes as base64
    const auto read = world.send(get("/webhooks/" + made.at("id")));
    CHECK(read.at("secret") == "(absent)");
    CHECK(read.at("url") == "https://example.com/slashpost");
    CHECK(world.send(get("/webhooks")).column("id") == made.at("id"));
    CHECK(world.send(get("/webhooks")).body.find("whsec_") == std::string::npos);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a webhook that is signed by Ed25519 shows its public key, as often as it is asked", "[webhooks]") {
    Hooks world;
    const auto made =
        world.send(post("/webhooks", R"({"url":"https://example.com/slashpost","signature":"ed25519"})"));
    CHECK(made.at("signature") == "ed25519");
    CHECK(made.at("publicKey").starts_with("whpk_"));
    CHECK(made.at("publicKey").size() == 49); // 32 bytes as base64
    CHECK(made.at("secret") == "(absent)");
    CHECK(world.send(get("/webhooks/" + made.at("id"))).at("publicKey") == made.at("publicKey"));
    const auto renewed = world.send(post("/webhooks/" + made.at("id") + "/secret"));
    CHECK(renewed.at("publicKey") != made.at("publicKey"));
    CHECK(renewed.at("oldSecretUntil") == "2027-01-16T08:00:00.000Z");
    world.link_id("spring");
    const auto attempt = world.take().at(0);
    CHECK(attempt.signature == WebhookSignature::ed25519);
    CHECK(attempt.secrets.size() == 2);
    CHECK(world.send(post("/webhooks", R"({"url":"https://example.com/","signature":"rsa"})")).summary() ==
          "403 InvalidFormat webhook: InvalidFormat signature");
}

TEST_CASE("the address of a webhook is https, of a public place, and names no user",
          "[webhooks][threat-14]") {
    Hooks world;
    world.settings.may_be_sent_to = [](std::string_view host) { return host != "127.0.0.1"; };
    for (const auto* url :
         {"http://example.com/", "ftp://example.com/", "mailto:ann@example.com", "example",
          "https://ann:secret@example.com/", "https://example.com:22/", "https://example.com:25/",
          "https://example.com:1023/", "https://127.0.0.1/", "https://0x7f.1/", "https://2130706433:8443/"}) {
        INFO(url);
        CHECK(world.send(post("/webhooks", at_url(url))).summary() ==
              "403 InvalidFormat webhook: InvalidFormat url");
    }
    for (const auto* url :
         {"https://example.com/", "https://example.com:443/x?y=z", "https://example.com:80/",
          "https://example.com:8443/", "https://example.com:1024/"}) {
        INFO(url);
        CHECK(world.send(post("/webhooks", at_url(url))).summary() == "200");
    }
    CHECK(world.send(post("/webhooks", "{}")).summary() == "403 InvalidFormat webhook: RequiredField url");
    CHECK(world.send(post("/webhooks", R"({"types":["link.exploded"],"url":"http://example.com/"})"))
              .summary() == "403 InvalidFormat webhook: InvalidFormat types[0], InvalidFormat url");
    CHECK(world.send(post("/webhooks", at_url("https://example.com/" + std::string(2'048, 'x')))).summary() ==
          "403 InvalidFormat webhook: InvalidLength url");
    world.settings.webhooks_plain = true;
    CHECK(world.send(post("/webhooks", at_url("http://example.com/"))).summary() == "200");
}

TEST_CASE("a workspace has so many webhooks and no more", "[webhooks]") {
    Hooks world;
    world.settings.webhooks_max = 2;
    const auto first = world.make();
    world.make();
    CHECK(world.send(post("/webhooks", at_url("https://example.com/"))).summary() ==
          "403 LimitReached webhook");
    world.send(del("/webhooks/" + first));
    CHECK(world.send(post("/webhooks", at_url("https://example.com/"))).summary() == "200");
}

TEST_CASE("webhooks are the admins' of their workspace, and nothing to anybody else",
          "[webhooks][threat-15][threat-18]") {
    Hooks world;
    const auto id = world.make();
    world.link_id("spring");
    world.take();
    const auto outsider = world.outsider();
    const auto user = world.colleague(Role::user), admin = world.colleague(Role::admin);
    const auto delivery = world.send(get("/webhooks/" + id + "/deliveries")).at("0.id");
    const std::vector<Call> calls{get("/webhooks/" + id),
                                  post("/webhooks/" + id, at_url("https://example.org/")),
                                  del("/webhooks/" + id),
                                  post("/webhooks/" + id + "/secret"),
                                  post("/webhooks/" + id + "/pause"),
                                  post("/webhooks/" + id + "/resume"),
                                  post("/webhooks/" + id + "/test"),
                                  post("/webhooks/" + id + "/replay", R"({"from":"2027-01-01"})"),
                                  get("/webhooks/" + id + "/deliveries"),
                                  post("/webhooks/" + id + "/deliveries/" + delivery + "/replay")};
    for (const auto& call : calls) {
        INFO(call.target);
        CHECK(world.send(Call(call).as(outsider.key)).summary() == "404 NotFound webhook"); // in its own
        CHECK(world.send(Call(call).as(outsider.key).with("Workspace", world.workspace_id())).summary() ==
              "404 NotFound workspace");
        CHECK(world.send(Call(call).as(user.key).with("Workspace", world.workspace_id())).summary() ==
              "403 Forbidden workspace");
    }
    CHECK(world.send(get("/webhooks").as(admin.key).with("Workspace", world.workspace_id())).column("id") ==
          id);
    const auto other = world.make();
    CHECK(world.send(post("/webhooks/" + other + "/deliveries/" + delivery + "/replay")).summary() ==
          "404 NotFound delivery"); // which is another one's
}

TEST_CASE("a webhook is changed field by field", "[webhooks]") {
    Hooks world;
    const auto id = world.make(R"(,"types":["link.created","link.created","tag.created"])");
    CHECK(world.send(get("/webhooks/" + id)).at("types") == R"(["link.created","tag.created"])");
    world.clock.advance_seconds(1);
    const auto changed =
        world.send(post("/webhooks/" + id, R"({"types":["link.deleted"],"description":"Shop"})"));
    CHECK(changed.at("types") == R"(["link.deleted"])");
    CHECK(changed.at("description") == "Shop");
    CHECK(changed.at("url") == "https://example.com/slashpost");
    CHECK(changed.at("updatedAt") == "2027-01-15T08:00:01.000Z");
    CHECK(world.send(post("/webhooks/" + id, R"({"types":null,"description":null})")).at("types") == "[]");
    CHECK(world.send(post("/webhooks/" + id, at_url("http://example.com/"))).summary() ==
          "403 InvalidFormat webhook: InvalidFormat url");
    const auto whole = world.send(get("/webhooks/" + id));
    CHECK(world.send(post("/webhooks/" + id, whole.body)).summary() == "200"); // as it is stored
}

TEST_CASE("a webhook is paused and goes on", "[webhooks]") {
    Hooks world;
    const auto id = world.make();
    CHECK(world.send(post("/webhooks/" + id + "/pause")).at("status") == "paused");
    world.link_id("spring");
    CHECK(world.take().empty());
    CHECK(world.send(post("/webhooks/" + id + "/resume")).at("status") == "enabled");
    const auto attempts = world.take();
    REQUIRE(attempts.size() == 1);
    world.answer(attempts[0], 410);
    const auto disabled = world.send(get("/webhooks/" + id));
    CHECK(disabled.at("status") == "disabled");
    CHECK(disabled.at("disabledReason") == "gone");
    CHECK(disabled.at("failures") == "1");
    CHECK(disabled.at("failingSince") == "2027-01-15T08:00:00.000Z");
    const auto again = world.send(post("/webhooks/" + id + "/resume"));
    CHECK(again.at("status") == "enabled");
    CHECK(again.at("disabledReason") == "(absent)");
    CHECK(again.at("failures") == "0");
}

TEST_CASE("a new secret is shown once, and says how long the old one is good", "[webhooks]") {
    Hooks world;
    const auto id = world.make();
    const auto renewed = world.send(post("/webhooks/" + id + "/secret"));
    CHECK(renewed.at("secret").starts_with("whsec_"));
    CHECK(renewed.at("oldSecretUntil") == "2027-01-16T08:00:00.000Z");
    world.link_id("spring");
    CHECK(world.take().at(0).secrets.size() == 2);
}

TEST_CASE("deliveries are listed by status, page by page, with what the receiver said", "[webhooks]") {
    Hooks world;
    const auto id = world.make(R"(,"types":["link.created"])");
    for (const auto* slashtag : {"one", "two", "three"})
        world.link_id(slashtag);
    const auto attempts = world.take();
    REQUIRE(attempts.size() == 3);
    world.answer(attempts[0], 200, "thanks");
    world.answer(attempts[1], 500, "no");
    const auto path = "/webhooks/" + id + "/deliveries";
    const auto all = world.send(get(path));
    CHECK(all.column("status") == "waiting waiting delivered");
    CHECK(all.at("2.type") == "link.created");
    CHECK(all.at("2.id") == attempts[0].event->id.hex());
    CHECK(all.at("2.answerStatus") == "200");
    CHECK(all.at("2.answer") == "thanks");
    CHECK(all.at("2.durationMs") == "12");
    CHECK(all.at("2.endedAt") == "2027-01-15T08:00:00.000Z");
    CHECK(all.at("1.attempts") == "1");
    CHECK(all.at("1.answerStatus") == "500");
    CHECK(all.at("1.endedAt") == "(absent)");
    CHECK(all.at("0.answerStatus") == "(absent)"); // is under way
    CHECK(world.send(get(path + "?status=delivered")).column("id") == all.at("2.id"));
    CHECK(world.send(get(path + "?limit=1&last=" + all.at("0.id"))).column("id") == all.at("1.id"));
    CHECK(world.send(get(path + "?status=lost&last=x")).summary() ==
          "403 InvalidFormat delivery: InvalidFormat status, InvalidFormat last");
    world.answer(attempts[2], 200); // what waits for the receiver is due then
    const auto replay = path + "/" + all.at("2.id") + "/replay";
    CHECK(world.send(post(replay)).at("status") == "waiting");
    CHECK(world.send(post(replay)).summary() == "403 Conflict delivery");
    CHECK(world.take().size() == 2);
    CHECK(world.send(post(path + "/" + std::string(32, '0') + "/replay")).summary() ==
          "404 NotFound delivery");
}

TEST_CASE("a test is sent once and shows among the deliveries", "[webhooks]") {
    Hooks world;
    const auto id = world.make();
    const auto sent = world.send(post("/webhooks/" + id + "/test"));
    CHECK(sent.at("type") == "webhook.test");
    CHECK(sent.at("status") == "waiting");
    const auto attempts = world.take();
    REQUIRE(attempts.size() == 1);
    CHECK(api::webhook_test_message(attempts[0].delivery) ==
          R"({"type":"webhook.test","timestamp":"2027-01-15T08:00:00.000Z",)"
          R"("data":{"message":"This is a test. Nothing happened."}})");
    world.answer(attempts[0], 404, "nothing here");
    const auto told = world.send(get("/webhooks/" + id + "/deliveries"));
    CHECK(told.at("0.status") == "failed");
    CHECK(told.at("0.answer") == "nothing here");
    CHECK(world.send(post("/webhooks/" + id + "/deliveries/" + sent.at("id") + "/replay")).summary() ==
          "403 Conflict delivery");
}

TEST_CASE("the events of a time are asked for with a beginning before its end", "[webhooks]") {
    Hooks world;
    const auto id = world.make(R"(,"types":["link.created"])");
    world.link_id("spring");
    world.answer(world.take().at(0), 200);
    world.clock.advance_seconds(10);
    const auto replay = [&](std::string_view json) {
        return world.send(post("/webhooks/" + id + "/replay", json));
    };
    CHECK(replay("{}").summary() == "403 InvalidFormat webhook: RequiredField from");
    CHECK(replay(R"({"from":"x"})").summary() == "403 InvalidFormat webhook: InvalidFormat from");
    CHECK(replay(R"({"from":"2027-01-16"})").summary() == "403 InvalidFormat webhook: OutOfRange from");
    CHECK(replay(R"({"from":"2027-01-15T08:00Z","to":"2027-01-15T07:00Z"})").summary() ==
          "403 InvalidFormat webhook: OutOfRange from");
    CHECK(replay(R"({"from":"2027-01-15"})").at("replaying") == "true");
    CHECK(world.take().size() == 1);
    CHECK(world.send(get("/webhooks/" + id)).at("replaying") == "false");
}

TEST_CASE("what is posted is the event as the feed has it", "[webhooks]") {
    Hooks world;
    const auto begin = world.send(get("/events")).at("last");
    world.make(R"(,"types":["link.created"])");
    world.link_id("spring");
    const auto feed = world.send(get("/events?types=link.created&last=" + begin));
    const auto attempt = world.take().at(0);
    const auto details =
        must(world.engine->read([&](data::View& view) { return details_of(view, *attempt.event); }));
    CHECK(api::webhook_message(details) ==
          fmt::format(R"({{"type":"link.created","timestamp":"2027-01-15T08:00:00.000Z","data":{}}})",
                      feed.at("events.0")));
}
