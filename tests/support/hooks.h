#pragma once
// Webhooks of a World, and a receiver that does what a test says.
#include "core/ops/webhooks.h"
#include "core/work/hook_queue.h"
#include "tests/support/must.h"
#include "tests/support/world.h"

namespace slashpost::test {

inline constexpr std::string_view hook_url = "https://example.com/slashpost";

// As the sender takes them.
inline Verdict verdict_of(std::uint16_t status) {
    return status == 200 || status == 204 ? Verdict::delivered
           : status == 410                ? Verdict::gone
                                          : Verdict::failed;
}

inline IssuedWebhook make_webhook(World& world, std::vector<EventType> types = {},
                                  WebhookSignature signature = WebhookSignature::hmac) {
    return must(world.write([&](Context& ctx) {
        return create_webhook(ctx, {.url = std::string(hook_url),
                                    .types = std::move(types),
                                    .description = {},
                                    .signature = signature});
    }));
}

// An event that a new webhook of the world's workspace was told of.
inline Delivery make_delivery(World& world) {
    world.settings.webhooks_max = 1'000;
    const auto webhook = make_webhook(world).row;
    const auto link = must(world.create({.destination = "https://example.com/"})).link;
    return must(world.operate([&](SystemContext& system) -> Result<Delivery> {
        Delivery told{.webhook = webhook.id,
                      .event = {},
                      .workspace = webhook.workspace,
                      .subject = link.id,
                      .status = DeliveryStatus::delivered,
                      .created_at = system.now,
                      .due_at = system.now,
                      .ended_at = system.now,
                      .answer = {},
                      .unknown = {}};
        TRY(schema().events.each(system.txn, [&](const Event& event) -> Result<bool> {
            told.event = event.id; // the last one is the link's
            return true;
        }));
        TRY(schema().deliveries.insert(system.txn, told));
        return told;
    }));
}

// The path with the ids of such ones in place of its parameters.
inline std::string with_webhook(World& world, std::string path) {
    constexpr std::string_view webhook = "{webhook_id}", delivery = "{delivery_id}";
    const auto at = path.find(webhook);
    if (at == path.npos)
        return path;
    const auto told = make_delivery(world);
    path.replace(at, webhook.size(), told.webhook.hex());
    if (const auto place = path.find(delivery); place != path.npos)
        path.replace(place, delivery.size(), told.event.hex());
    return path;
}

// A World with a queue; what it hands out is answered when the test says so.
struct HookWorld : World {
    using World::World;

    HookQueue queue{service, *engine, clock};

    void look() {
        while (must(queue.look_at_events())) {
        }
    }
    std::vector<DeliveryAttempt> take(std::size_t room = 100) {
        look();
        return must(queue.take(room));
    }
    void answer(const DeliveryAttempt& attempt, std::uint16_t status,
                std::optional<std::int64_t> retry_after = {}) {
        must(queue.book({{.delivery = Delivery::primary_of(attempt.delivery),
                          .verdict = verdict_of(status),
                          .answered = status,
                          .text = "said",
                          .took_ms = 7,
                          .retry_after_seconds = retry_after}}));
    }
    // Answers all that is due, until nothing is; how many attempts that took.
    int answer_all(std::uint16_t status) {
        int count = 0;
        for (auto attempts = take(); !attempts.empty(); attempts = take())
            for (const auto& attempt : attempts) {
                answer(attempt, status);
                ++count;
            }
        return count;
    }
    Webhook stored(WebhookId id) {
        return must(engine->read([&](data::View& view) { return schema().webhooks.find(view, id.view()); }))
            .value();
    }
    std::vector<Delivery> deliveries(const Webhook& webhook) {
        return must(read([&](Context& ctx) {
            return list_deliveries(ctx, webhook, {}, {.limit = 100, .direction = Direction::ascending});
        }));
    }
    template <class Operation>
    auto change(WebhookId id, Operation operation) {
        return must(write([&](Context& ctx) -> std::invoke_result_t<Operation&, Context&, const Webhook&> {
            return operation(ctx, TRY(find_webhook(ctx, id.hex())));
        }));
    }
};

} // namespace slashpost::test
