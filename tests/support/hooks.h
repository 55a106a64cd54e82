#pragma once
// Webhooks of a World, and a receiver that does what a test says.
#include "core/ops/webhooks.h"
#include "core/work/hook_queue.h"
#include "tests/support/must.h"
#include "tests/support/world.h"

namespace slashpost::test {

inline constexpr std::string_view hook_url = "https://example.com/slashpost";

inline IssuedWebhook make_webhook(World& world, std::vector<EventType> types = {}) {
    return must(world.write([&](Context& ctx) {
        return create_webhook(ctx,
                              {.url = std::string(hook_url), .types = std::move(types), .description = {}});
    }));
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
