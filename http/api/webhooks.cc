// Webhooks: who is told of a workspace's events, what they were told, and how they are told again.
#include "http/api/paging.h"
#include "http/api/path_resource.h"
#include "http/api/routes.h"
#include "http/api/webhook_shapes.h"
#include "http/wire/formats.h"

namespace slashpost::api {

using wire::example, wire::field, wire::items_max, wire::length, wire::note, wire::part, wire::required;
using wire::Fields;
namespace formats = wire::formats;

namespace {

constexpr std::size_t types_max = 64;
constexpr std::string_view url_note =
    "The address that events are posted to: https, with the port 443, 80, or one from 1024 on, on a public "
    "address. The operator may allow more.";
constexpr std::string_view types_note = "The types of events that are sent; all but link.clicked when absent "
                                        "or empty. link.clicked comes at most once "
                                        "a second, with up to 500 clicks.";

struct WebhookInput {
    std::string url;
    std::vector<EventType> types;
    std::string description;
    WebhookSignature signature = WebhookSignature::hmac;
    static constexpr std::string_view wire_name = "WebhookInput";
    static Fields fields() {
        return {field("url", &WebhookInput::url, required, formats::uri, note(url_note),
                      example("https://example.com/slashpost")),
                field("types", &WebhookInput::types, items_max(types_max), note(types_note)),
                field("description", &WebhookInput::description, length(0, webhook_description_length_max),
                      note("What the webhook is for.")),
                field("signature", &WebhookInput::signature,
                      note("How what is sent is signed, for ever: hmac, with a secret that is shown once; or "
                           "ed25519, which a public key verifies. hmac when absent."))};
    }
};

struct WebhookChangeInput {
    std::optional<std::string> url;
    Change<std::vector<EventType>> types;
    Change<std::string> description;
    static constexpr std::string_view wire_name = "WebhookChange";
    static Fields fields() {
        return {field("url", &WebhookChangeInput::url, formats::uri, note(url_note),
                      example("https://example.com/slashpost")),
                field("types", &WebhookChangeInput::types, items_max(types_max),
                      note("The types of events that are sent from then on; null and an empty list: all but "
                           "link.clicked.")),
                field("description", &WebhookChangeInput::description,
                      length(0, webhook_description_length_max), note("What the webhook is for."))};
    }
    [[nodiscard]] WebhookChange to_change() const {
        return {.url = Change<std::string>::of(url), .types = types, .description = description};
    }
};

struct ReplayInput {
    std::optional<Timestamp> from;
    std::optional<Timestamp> to;
    static constexpr std::string_view wire_name = "WebhookReplay";
    static Fields fields() {
        return {field("from", &ReplayInput::from, required, note("Events of this time and later."),
                      example("2026-01-30T09:00:00.000Z")),
                field("to", &ReplayInput::to,
                      note("Events before this time; until now when absent. All that were sent already are "
                           "sent again."))};
    }
};

struct DeliveryListQuery {
    PageQuery page;
    std::optional<DeliveryStatus> status;
    static constexpr std::string_view wire_name = "WebhookDeliveryList";
    static Fields fields() {
        return wire::joined({part(&DeliveryListQuery::page),
                             {field("status", &DeliveryListQuery::status,
                                    note("Only deliveries of this status; all when absent."))}});
    }
};

Result<std::vector<WebhookReply>> list(Context& ctx) {
    std::vector<WebhookReply> out;
    for (const auto& webhook : TRY(list_webhooks(ctx)))
        out.push_back(WebhookReply::of(webhook));
    return out;
}

Result<IssuedWebhookReply> create(Context& ctx, const Draft<Body<WebhookInput>>& body) {
    return IssuedWebhookReply::of(TRY(create_webhook(ctx,
                                                     {.url = body->url,
                                                      .types = body->types,
                                                      .description = body->description,
                                                      .signature = body->signature},
                                                     body.problems)));
}

Result<WebhookReply> read(Context&, const Webhook& webhook) { return WebhookReply::of(webhook); }

Result<WebhookReply> update(Context& ctx, const Webhook& webhook, const Update<WebhookChangeInput>& sent) {
    const auto body = TRY(sent.differing_from(WebhookReply::of(webhook)));
    return WebhookReply::of(TRY(update_webhook(ctx, webhook, body->to_change(), body.problems)));
}

Result<WebhookReply> remove(Context& ctx, const Webhook& webhook) {
    return WebhookReply::of(TRY(delete_webhook(ctx, webhook)));
}

Result<IssuedWebhookReply> renew_secret(Context& ctx, const Webhook& webhook) {
    return IssuedWebhookReply::of(TRY(renew_webhook_secret(ctx, webhook)));
}

Result<WebhookReply> pause(Context& ctx, const Webhook& webhook) {
    return WebhookReply::of(TRY(pause_webhook(ctx, webhook)));
}

Result<WebhookReply> resume(Context& ctx, const Webhook& webhook) {
    return WebhookReply::of(TRY(resume_webhook(ctx, webhook)));
}

Result<DeliveryReply> test(Context& ctx, const Webhook& webhook) {
    return DeliveryReply::of(TRY(test_webhook(ctx, webhook)));
}

Result<WebhookReply> replay(Context& ctx, const Webhook& webhook, const Draft<Body<ReplayInput>>& body) {
    return WebhookReply::of(
        TRY(replay_span(ctx, webhook, {.from = body->from, .to = body->to}, body.problems)));
}

Result<std::vector<DeliveryReply>> list_told(Context& ctx, const Webhook& webhook,
                                             const Draft<Query<DeliveryListQuery>>& query) {
    std::vector<DeliveryReply> out;
    for (const auto& delivery : TRY(list_deliveries(ctx, webhook, {.status = query->status},
                                                    query->page.request({}), query.problems)))
        out.push_back(DeliveryReply::of(delivery));
    return out;
}

Result<DeliveryReply> replay_one(Context& ctx, const Webhook& webhook, const Delivery& delivery) {
    return DeliveryReply::of(TRY(replay_delivery(ctx, webhook, delivery)));
}

} // namespace

const RouteList& webhook_routes() {
    using enum http::Method;
    using enum Role;
    constexpr auto write = Access::write;
    // clang-format off
    static const RouteList routes{"webhook", {
        {get,  "/webhooks", "listWebhooks", {.role = admin}, on(list),
         "List the webhooks of a workspace, oldest first."},
        {post, "/webhooks", "createWebhook", {.access = write, .role = admin}, on(create),
         "Make a webhook, which is sent what happens in the workspace from then on.",
         {"LimitReached"}},
        {get,  "/webhooks/{webhook_id}", "getWebhook", {.role = admin}, on(read),
         "Read one webhook."},
        {post, "/webhooks/{webhook_id}", "updateWebhook", {.access = write, .role = admin}, on(update),
         "Change the address, the types or the description of a webhook."},
        {del,  "/webhooks/{webhook_id}", "deleteWebhook", {.access = write, .role = admin}, on(remove),
         "Delete a webhook, to which nothing is sent any more."},
        {post, "/webhooks/{webhook_id}/secret", "renewWebhookSecret",
         {.access = write, .role = admin}, on(renew_secret),
         "Give a webhook a new secret. For a day the one before signs too."},
        {post, "/webhooks/{webhook_id}/pause", "pauseWebhook", {.access = write, .role = admin}, on(pause),
         "Send nothing to a webhook until it is resumed. Events wait."},
        {post, "/webhooks/{webhook_id}/resume", "resumeWebhook", {.access = write, .role = admin}, on(resume),
         "Go on with a webhook that is paused or disabled, behind the last event that was sent."},
        {post, "/webhooks/{webhook_id}/test", "testWebhook", {.access = write, .role = admin}, on(test),
         "Send a test to a webhook, once, whatever its status is. Its deliveries tell what came of it.",
         {"LimitReached"}},
        {post, "/webhooks/{webhook_id}/replay", "replayWebhook", {.access = write, .role = admin}, on(replay),
         "Send the events of a time to a webhook again, before those that are new."},
        {get,  "/webhooks/{webhook_id}/deliveries", "listWebhookDeliveries", {.role = admin}, on(list_told),
         "List what was sent to a webhook in the last seven days, and what waits; newest events first."},
        {post, "/webhooks/{webhook_id}/deliveries/{delivery_id}/replay", "replayWebhookDelivery",
         {.access = write, .role = admin}, on(replay_one),
         "Send an event to a webhook again.",
         {"LimitReached", "Conflict", "NotFound event"}},
    }};
    // clang-format on
    return routes;
}

} // namespace slashpost::api
