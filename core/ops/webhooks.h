#pragma once
// Operations on webhooks: who is told of a workspace's events. How they are told: core/work/deliveries.h.
#include "core/access/context.h"
#include "core/access/webhook_signing.h"
#include "core/base/change.h"
#include "core/base/errors.h"
#include "core/base/page.h"
#include "core/model/webhook.h"

namespace slashpost {

inline constexpr std::size_t webhook_description_length_max = 255;

struct NewWebhook {
    std::string url;
    std::vector<EventType> types; // empty: all
    std::string description;
    WebhookSignature signature = WebhookSignature::hmac; // for ever
};

struct WebhookChange {
    Change<std::string> url;
    Change<std::vector<EventType>> types;
    Change<std::string> description;
};

// A webhook with its secret, which is shown this once.
struct IssuedWebhook {
    Webhook row;
    std::string secret; // "whsec_…"; empty: nobody needs it, as the row has a public key
};

// Oldest first; there are few.
Result<std::vector<Webhook>> list_webhooks(Context& ctx);
// It hears of what is done from then on. Invalid on `url` for an address that is not https (unless the
// operator allows http), names a user, or has a port other than 443, 80 and those from 1024 on; refused with
// LimitReached for one too many in the workspace.
Result<IssuedWebhook> create_webhook(Context& ctx, const NewWebhook& in, Problems problems = {});
Result<Webhook> update_webhook(Context& ctx, const Webhook& webhook, const WebhookChange& change,
                               Problems problems = {});
// With its deliveries, of which none is sent any more.
Result<Webhook> delete_webhook(Context& ctx, const Webhook& webhook);
// The secret of before signs too for a day; one of before that no longer.
Result<IssuedWebhook> renew_webhook_secret(Context& ctx, const Webhook& webhook);

// Nothing is sent until it goes on; events wait.
Result<Webhook> pause_webhook(Context& ctx, const Webhook& webhook);
// Goes on behind the last event that was told, as far as events are kept; also after it was disabled.
Result<Webhook> resume_webhook(Context& ctx, const Webhook& webhook);

// Sends something that is no event. Refused with LimitReached while too much waits.
Result<Delivery> test_webhook(Context& ctx, const Webhook& webhook);

struct DeliveryFilter {
    std::optional<bool> open; // nothing: both
    std::optional<DeliveryStatus> status;
};
// The newest events first, unless the page says otherwise. `last` is the id of a delivery.
Result<std::vector<Delivery>> list_deliveries(Context& ctx, const Webhook& webhook,
                                              const DeliveryFilter& filter, const PageRequest& page,
                                              Problems problems = {});

// Tells of the event again. Refused with Conflict while it waits to be told anyway, and for a test; with
// LimitReached while too much waits; not found when the event is kept no longer.
Result<Delivery> replay_delivery(Context& ctx, const Webhook& webhook, const Delivery& delivery);

struct ReplaySpan {
    std::optional<Timestamp> from;
    std::optional<Timestamp> to; // events before it; nothing: until now
};
// Tells again of the events of that time that the webhook hears of, in front of those that are new. Takes the
// place of a replay that is not done yet.
Result<Webhook> replay_span(Context& ctx, const Webhook& webhook, const ReplaySpan& span,
                            Problems problems = {});

} // namespace slashpost
