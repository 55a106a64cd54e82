#include "core/ops/webhooks.h"

#include "core/base/host.h"
#include "core/base/url.h"
#include "core/schema/schema.h"
#include "core/work/deliveries.h"
#include "core/work/jobs.h"

#include <algorithm>
#include <fmt/format.h>

namespace slashpost {

namespace {

const WebhookTable& webhooks() { return schema().webhooks; }
const DeliveryTable& deliveries() { return schema().deliveries; }

constexpr std::string_view secure_scheme = "https://", plain_scheme = "http://";
constexpr std::uint16_t secure_port = 443, plain_port = 80, unprivileged_ports = 1024;
constexpr std::size_t deliveries_looked_at_max = 2'500; // of a page; there are fewer

bool is_good_port(std::optional<std::uint16_t> port) {
    return !port || *port == secure_port || *port == plain_port || *port >= unprivileged_ports;
}

// The stored form; empty after a problem was added.
std::string read_url(const Context& ctx, const std::string& given, Problems& problems) {
    const auto refuse = [&](std::string_view why) {
        problems.add(invalid_format("url", why));
        return std::string();
    };
    auto read = destination("url", given);
    if (!read.has_value()) {
        problems.add(std::move(read).error());
        return {};
    }
    const bool secure = read->stored.starts_with(secure_scheme);
    if (!secure && !ctx.settings.webhooks_plain)
        return refuse("must begin with https://");
    const auto rest = std::string_view(read->stored).substr((secure ? secure_scheme : plain_scheme).size());
    const auto place = rest.substr(0, rest.find_first_of("/?#"));
    if (place.find('@') != place.npos)
        return refuse("must name no user");
    const auto authority = split_authority(place);
    if (!authority || !is_good_port(authority->port_number()))
        return refuse("must have the port 443 or 80, or one from 1024 on");
    const auto host = browser_host(authority->host);
    if (!host || (ctx.settings.may_be_sent_to && !ctx.settings.may_be_sent_to(*host)))
        return refuse("must lead to a public address");
    return std::move(read->stored);
}

// In the order in which they were given, each once.
std::vector<EventType> read_types(const std::vector<EventType>& given) {
    std::vector<EventType> out;
    for (const auto type : given)
        if (std::ranges::find(out, type) == out.end())
            out.push_back(type);
    return out;
}

IssuedWebhook issued(Webhook webhook, const std::string& secret) {
    const bool is_shown = webhook.signature() == WebhookSignature::hmac;
    return {.row = std::move(webhook), .secret = is_shown ? shown_secret(secret) : std::string()};
}

Result<void> admit_webhook(Context& ctx) {
    if (TRY(list_webhooks(ctx)).size() < ctx.settings.webhooks_max)
        return {};
    return refused("LimitReached", "webhook",
                   fmt::format("A workspace has at most {} webhooks; delete one that is not used any more.",
                               ctx.settings.webhooks_max));
}

Result<void> admit_request(Context& ctx, const Webhook& webhook) {
    if (TRY(deliveries().per_webhook.count(ctx.view(), webhook.id, true)) < requested_deliveries_max)
        return {};
    return refused("LimitReached", "delivery",
                   fmt::format("At most {} deliveries may wait; try again when some are done.",
                               requested_deliveries_max));
}

} // namespace

Result<std::vector<Webhook>> list_webhooks(Context& ctx) {
    std::vector<Webhook> out;
    TRY(webhooks().by_created.walk(ctx.view(), {.scope = data::key(ctx.workspace.id)},
                                   [&](data::BytesView primary) -> Result<bool> {
                                       if (auto row = TRY(webhooks().find(ctx.view(), primary)))
                                           out.push_back(*std::move(row));
                                       return true;
                                   }));
    return out;
}

Result<IssuedWebhook> create_webhook(Context& ctx, const NewWebhook& in, Problems problems) {
    auto url = in.url.empty() ? std::string() : read_url(ctx, in.url, problems);
    TRY(problems.result("webhook"));
    TRY(admit_webhook(ctx));
    const auto id = ctx.ids.next<WebhookId>();
    Webhook webhook{.id = id,
                    .workspace = ctx.workspace.id,
                    .url = std::move(url),
                    .types = read_types(in.types),
                    .secret = {},
                    .old_secret = {},
                    .created_at = id.made_at(),
                    .updated_at = id.made_at(),
                    .cursor = event_id_below(std::max<std::uint64_t>(ctx.event_horizon, 1)),
                    .description = in.description,
                    .public_key = {},
                    .unknown = {}};
    const auto secret = TRY(set_webhook_secret(ctx.txn(), ctx.random, in.signature, webhook));
    TRY(webhooks().insert(ctx.txn(), webhook));
    return issued(std::move(webhook), secret);
}

Result<Webhook> update_webhook(Context& ctx, const Webhook& webhook, const WebhookChange& change,
                               Problems problems) {
    auto changed = webhook;
    if (change.url.is_set())
        changed.url = read_url(ctx, change.url.value(), problems);
    if (change.types.is_set())
        changed.types = read_types(change.types.value());
    else if (change.types.is_clear())
        changed.types.clear();
    change.description.apply_to(changed.description);
    TRY(problems.result("webhook"));
    if (changed.url != webhook.url) // what was wrong with the one before says nothing of this one
        changed.rests_until.reset();
    changed.updated_at = ctx.now;
    TRY(webhooks().update(ctx.txn(), webhook, changed));
    return changed;
}

Result<Webhook> delete_webhook(Context& ctx, const Webhook& webhook) {
    TRY(webhooks().remove(ctx.txn(), webhook));
    TRY(enqueue_job(ctx.txn(), {.id = ctx.ids.next<JobId>(),
                                .kind = JobKind::purge_webhook,
                                .workspace = webhook.workspace,
                                .subject = webhook.id,
                                .created_at = ctx.now,
                                .done = {},
                                .unknown = {}}));
    return webhook;
}

Result<IssuedWebhook> renew_webhook_secret(Context& ctx, const Webhook& webhook) {
    auto changed = webhook;
    changed.old_secret = webhook.secret;
    changed.old_secret_until = ctx.now.plus_seconds(old_secret_seconds);
    const auto secret = TRY(set_webhook_secret(ctx.txn(), ctx.random, webhook.signature(), changed));
    changed.updated_at = ctx.now;
    TRY(webhooks().update(ctx.txn(), webhook, changed));
    return issued(std::move(changed), secret);
}

Result<Webhook> pause_webhook(Context& ctx, const Webhook& webhook) {
    if (webhook.status != WebhookStatus::enabled)
        return webhook;
    auto changed = webhook;
    changed.status = WebhookStatus::paused;
    changed.updated_at = ctx.now;
    TRY(webhooks().update(ctx.txn(), webhook, changed));
    return changed;
}

Result<Webhook> resume_webhook(Context& ctx, const Webhook& webhook) {
    if (webhook.status == WebhookStatus::enabled)
        return webhook;
    auto changed = webhook;
    changed.status = WebhookStatus::enabled;
    changed.behind = true;
    changed.failures = 0; // it has five days again
    changed.failing_since.reset();
    changed.rests_until.reset();
    changed.updated_at = ctx.now;
    TRY(webhooks().update(ctx.txn(), webhook, changed));
    return changed;
}

Result<Delivery> test_webhook(Context& ctx, const Webhook& webhook) {
    TRY(admit_request(ctx, webhook));
    return open_test(ctx.system_context(), webhook);
}

Result<std::vector<Delivery>> list_deliveries(Context& ctx, const Webhook& webhook,
                                              const DeliveryFilter& filter, const PageRequest& page,
                                              Problems problems) {
    data::Walk walk{.scope = data::key(webhook.id),
                    .order = page.direction == Direction::ascending ? data::Order::forward
                                                                    : data::Order::backward};
    if (const auto last = EventId::parse(page.last))
        walk.after = data::key(webhook.id, *last);
    else if (!page.last.empty())
        problems.add(invalid_format("last", "is not the id of a delivery"));
    TRY(problems.result("delivery"));
    std::vector<Delivery> out;
    auto to_skip = page.offset;
    std::size_t looked_at = 0;
    TRY(deliveries().by_webhook.walk(ctx.view(), walk, [&](data::BytesView primary) -> Result<bool> {
        auto row = TRY(deliveries().find(ctx.view(), primary));
        if (row && (!filter.status || row->status == *filter.status) &&
            (!filter.open || row->is_open() == *filter.open)) {
            if (to_skip > 0)
                --to_skip;
            else
                out.push_back(*std::move(row));
        }
        return out.size() < page.limit && ++looked_at < deliveries_looked_at_max;
    }));
    return out;
}

Result<Delivery> replay_delivery(Context& ctx, const Webhook& webhook, const Delivery& delivery) {
    if (delivery.is_test)
        return refused("Conflict", "delivery", "This was a test; send another one.");
    if (delivery.is_open())
        return refused("Conflict", "delivery", "This waits to be delivered already.");
    const auto event = TRY(schema().events.find(ctx.view(), delivery.event.view()));
    if (!event)
        return not_found("event", delivery.event.hex());
    TRY(admit_request(ctx, webhook));
    TRY(open_delivery(ctx.system_context(), webhook, *event));
    return TRY(deliveries().find(ctx.view(), Delivery::primary_of(delivery))).value();
}

Result<Webhook> replay_span(Context& ctx, const Webhook& webhook, const ReplaySpan& span, Problems problems) {
    if (!span.from && problems.none())
        problems.add(required_field("from"));
    const auto to = std::min(span.to.value_or(ctx.now), ctx.now);
    if (span.from && *span.from >= to)
        problems.add(out_of_range("from", "must be before the end of the time"));
    TRY(problems.result("webhook"));
    auto changed = webhook;
    changed.replay = WebhookReplay{.last = {},
                                   .until = event_id_below(std::max<std::uint64_t>(ctx.event_horizon, 1)),
                                   .from = *span.from,
                                   .to = to,
                                   .unknown = {}};
    // Those that it has not heard of yet are no part of it.
    changed.replay->until = std::min(changed.replay->until, webhook.cursor);
    changed.behind = true;
    changed.updated_at = ctx.now;
    TRY(webhooks().update(ctx.txn(), webhook, changed));
    return changed;
}

} // namespace slashpost
