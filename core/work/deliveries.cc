#include "core/work/deliveries.h"

#include "core/access/ended_rows.h"
#include "core/access/events_behind.h"
#include "core/access/webhook_signing.h"
#include "core/schema/schema.h"
#include "core/work/click_deliveries.h"
#include "core/work/mails.h"

#include <algorithm>
#include <array>
#include <map>

namespace slashpost {

namespace {

constexpr std::size_t events_of_batch_max = 200; // of a batch
constexpr std::size_t erased_batch_max = 200;
constexpr std::int64_t success_noted_every_ms = 60'000;
// As the example of the standard: 75 hours and 36 minutes in all.
constexpr std::array<std::int64_t, delivery_attempts_max - 1> waits{
    5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 14 * 3600L, 20 * 3600L, 24 * 3600L};
constexpr std::int64_t jitter_part = 10; // so much of a wait may come on top: a tenth

const WebhookTable& webhooks() { return schema().webhooks; }
const DeliveryTable& deliveries() { return schema().deliveries; }

// When a delivery goes out at the earliest.
Timestamp soonest(const SystemContext& system, EventType type) {
    return type == EventType::link_clicked ? system.now.plus_seconds(click_seconds) : system.now;
}

// The first open delivery of that thing.
Result<std::optional<Delivery>> first_open(data::View& view, WebhookId webhook, const RawId& subject) {
    data::Bytes found;
    TRY(deliveries().by_subject.walk(view, {.scope = data::key(webhook, subject)},
                                     [&](data::BytesView primary) -> Result<bool> {
                                         found = primary;
                                         return false;
                                     }));
    return found.empty() ? std::optional<Delivery>() : TRY(deliveries().find(view, found));
}

// The next one of that thing is no longer behind another.
Result<void> let_next_go(const SystemContext& system, const Delivery& ended) {
    const auto next = TRY(first_open(system.txn, ended.webhook, ended.subject));
    if (!next || next->status != DeliveryStatus::queued)
        return {};
    auto free = *next;
    free.status = DeliveryStatus::waiting;
    free.due_at = soonest(system, free.type);
    return deliveries().update(system.txn, *next, free);
}

Result<void> end(const SystemContext& system, const Delivery& was, Delivery now, DeliveryStatus how) {
    now.status = how;
    now.ended_at = system.now;
    TRY(deliveries().update(system.txn, was, now));
    return let_next_go(system, now);
}

// Erases what is above the bound, oldest first.
Result<void> trim_log(data::Txn& txn, WebhookId webhook) {
    auto above = TRY(deliveries().per_webhook.count(txn, webhook, false)) - ended_deliveries_max;
    std::vector<data::Bytes> oldest;
    if (above > 0)
        TRY(deliveries().ended_of.walk(txn, {.scope = data::key(webhook)},
                                       [&](data::BytesView primary) -> Result<bool> {
                                           oldest.emplace_back(primary);
                                           return --above > 0;
                                       }));
    for (const auto& primary : oldest)
        if (const auto row = TRY(deliveries().find(txn, primary)))
            TRY(deliveries().remove(txn, *row));
    return {};
}

// What waits for a receiver that is back is due, each once.
Result<void> bring_forward(const SystemContext& system, WebhookId webhook,
                           const std::function<bool(data::BytesView)>& under_way) {
    std::vector<data::Bytes> waiting;
    TRY(deliveries().by_due.walk(
        system.txn, {.scope = data::key(webhook), .from = data::key(Timestamp{system.now.ms + 1})},
        [&](data::BytesView primary) -> Result<bool> {
            if (!under_way(primary))
                waiting.emplace_back(primary);
            return waiting.size() < static_cast<std::size_t>(open_deliveries_max);
        }));
    for (const auto& primary : waiting) {
        const auto row = TRY(deliveries().find(system.txn, primary));
        if (!row || row->brought_forward)
            continue;
        auto due = *row;
        due.due_at = soonest(system, due.type);
        due.brought_forward = true;
        TRY(deliveries().update(system.txn, *row, due));
    }
    return {};
}

// Of one webhook, what a batch of outcomes makes of it.
class Consequences {
  public:
    Consequences(SystemContext& system, Webhook webhook,
                 const std::function<bool(data::BytesView)>& under_way)
        : system_(system),
          was_(webhook),
          now_(std::move(webhook)),
          under_way_(under_way) {}

    Result<void> book(const Delivery& delivery, const DeliveryOutcome& outcome);
    Result<void> write();

  private:
    void note_success();
    Result<void> note_failure(const DeliveryOutcome& outcome);
    Result<void> disable(WebhookStatus why);
    [[nodiscard]] Timestamp next_attempt_after(std::uint32_t attempts) const;

    SystemContext& system_;
    const Webhook was_;
    Webhook now_;
    const std::function<bool(data::BytesView)>& under_way_;
    bool is_back_ = false;
    bool ended_any_ = false;
};

void Consequences::note_success() {
    is_back_ = is_back_ || now_.failing_since.has_value();
    now_.failures = 0;
    now_.failing_since.reset();
    now_.rests_until.reset();
    if (!now_.succeeded_at || now_.succeeded_at->ms + success_noted_every_ms <= system_.now.ms)
        now_.succeeded_at = system_.now;
}

Result<void> Consequences::note_failure(const DeliveryOutcome& outcome) {
    ++now_.failures;
    if (!now_.failing_since)
        now_.failing_since = system_.now;
    if (outcome.retry_after_seconds.value_or(0) > 0)
        now_.rests_until = system_.now.plus_seconds(std::min(*outcome.retry_after_seconds, rest_seconds_max));
    if (outcome.verdict == Verdict::gone)
        return disable(WebhookStatus::gone);
    return now_.failing_since->plus_seconds(failing_seconds_max) <= system_.now
               ? disable(WebhookStatus::failing)
               : Result<void>();
}

Result<void> Consequences::disable(WebhookStatus why) {
    if (now_.status == WebhookStatus::gone || now_.status == WebhookStatus::failing)
        return {};
    now_.status = why;
    if (!system_.tools.settings.sends_mail)
        return {};
    TRY(withdraw_mail(system_.txn, MailKind::webhook_disabled, now_.id));
    return enqueue_mail(system_, MailKind::webhook_disabled, now_.id);
}

Timestamp Consequences::next_attempt_after(std::uint32_t attempts) const {
    const auto wait = seconds_before_retry(attempts) * 1000;
    const auto jitter = system_.tools.random.below(static_cast<std::uint32_t>(wait / jitter_part) + 1);
    const Timestamp planned{system_.now.ms + wait + jitter};
    return std::max(planned, now_.rests_until.value_or(planned));
}

Result<void> Consequences::book(const Delivery& delivery, const DeliveryOutcome& outcome) {
    auto now = delivery;
    now.answered = outcome.answered;
    now.answer = outcome.text.substr(0, answer_bytes_max);
    now.took_ms = outcome.took_ms;
    const bool success = outcome.verdict == Verdict::delivered;
    if (!delivery.is_test && success)
        note_success();
    else if (!delivery.is_test)
        TRY(note_failure(outcome));
    const bool last =
        delivery.is_test || outcome.verdict == Verdict::gone || delivery.attempts >= delivery_attempts_max;
    if (success || last) {
        ended_any_ = true;
        return end(system_, delivery, now, success ? DeliveryStatus::delivered : DeliveryStatus::failed);
    }
    now.due_at = next_attempt_after(delivery.attempts);
    return deliveries().update(system_.txn, delivery, now);
}

Result<void> Consequences::write() {
    if (data::encode(now_) != data::encode(was_))
        TRY(webhooks().update(system_.txn, was_, now_));
    if (is_back_)
        TRY(bring_forward(system_, now_.id, under_way_));
    return ended_any_ ? trim_log(system_.txn, now_.id) : Result<void>();
}

// Behind which event a batch begins and before which bytes of an id it ends.
struct Span {
    const EventId& last; // empty: with the first one
    data::Bytes until;
};

// Looks at the events of a span; true when there were no more of them.
Result<bool> open_some(const SystemContext& system, const Webhook& webhook, const Span& span,
                       std::int64_t room, EventId& last, std::uint64_t& missed,
                       const std::function<bool(const Event&)>& is_wanted) {
    const auto after = span.last.empty() ? std::optional<data::Bytes>() : data::Bytes(span.last.view());
    const auto found =
        TRY(events_behind(system.txn, webhook.workspace, webhook.hears_of(EventType::link_clicked), after,
                          span.until, events_of_batch_max));
    for (const auto& id : found.ids) {
        const auto event = TRY(schema().events.find(system.txn, id.view()));
        if (event && webhook.hears_of(event->type) && is_wanted(*event)) {
            if (event->type == EventType::link_clicked) {
                TRY(open_clicks(system, webhook, *event, missed));
            } else {
                if (room-- == 0)
                    return false;
                TRY(open_delivery(system, webhook, *event));
            }
        }
        last = id;
    }
    return found.all;
}

Result<bool> replay_some(const SystemContext& system, Webhook& webhook, std::int64_t room,
                         std::uint64_t& missed) {
    auto& replay = *webhook.replay;
    const Span span{.last = replay.last, .until = data::Bytes(replay.until.view()) + '\0'};
    const auto is_of_time = [&](const Event& event) {
        return event.at >= replay.from && event.at < replay.to;
    };
    const bool ended = TRY(open_some(system, webhook, span, room, replay.last, missed, is_of_time));
    if (ended)
        webhook.replay.reset();
    return false; // what is new comes next
}

Result<bool> open_new(const SystemContext& system, Webhook& webhook, std::int64_t room, std::uint64_t horizon,
                      std::uint64_t& missed) {
    const Span span{.last = webhook.cursor, .until = data::key(horizon)};
    return open_some(system, webhook, span, room, webhook.cursor, missed, [](const Event&) { return true; });
}

} // namespace

std::int64_t seconds_before_retry(std::uint32_t attempts) {
    return waits.at(std::clamp<std::size_t>(attempts, 1, waits.size()) - 1);
}

Result<void> open_delivery(const SystemContext& system, const Webhook& webhook, const Event& event) {
    Delivery delivery{.webhook = webhook.id,
                      .event = event.id,
                      .workspace = webhook.workspace,
                      .subject = event.type == EventType::link_clicked ? RawId(webhook.id) : event.subject,
                      .type = event.type,
                      .created_at = system.now,
                      .due_at = soonest(system, event.type),
                      .answer = {},
                      .more = {},
                      .clicks = static_cast<std::uint32_t>(event.clicks.size()),
                      .unknown = {}};
    const auto before = TRY(deliveries().find(system.txn, Delivery::primary_of(delivery)));
    if (before && before->is_open())
        return {};
    if (before) { // clicks that were told together are told so again
        delivery.more = before->more;
        delivery.clicks = before->clicks;
    }
    if (TRY(first_open(system.txn, webhook.id, delivery.subject)))
        delivery.status = DeliveryStatus::queued;
    return before ? deliveries().update(system.txn, *before, delivery)
                  : deliveries().insert_new(system.txn, delivery);
}

Result<Delivery> open_test(const SystemContext& system, const Webhook& webhook) {
    const auto id = system.tools.ids.next<EventId>();
    Delivery delivery{.webhook = webhook.id,
                      .event = id,
                      .workspace = webhook.workspace,
                      .subject = id,
                      .is_test = true,
                      .created_at = system.now,
                      .due_at = system.now,
                      .answer = {},
                      .more = {},
                      .unknown = {}};
    TRY(deliveries().insert_new(system.txn, delivery));
    return delivery;
}

Result<bool> take_events(SystemContext& system, WebhookId id, std::uint64_t horizon, std::uint64_t& missed) {
    const auto webhook = TRY(webhooks().find(system.txn, id.view()));
    if (!webhook || webhook->status != WebhookStatus::enabled)
        return false;
    const auto room = open_deliveries_max - TRY(deliveries().per_webhook.count(system.txn, id, true));
    auto now = *webhook;
    now.behind = true;
    bool goes_on = false;
    if (room > 0) {
        const bool replays = webhook->replay.has_value();
        const bool done = replays ? TRY(replay_some(system, now, room, missed))
                                  : TRY(open_new(system, now, room, horizon, missed));
        now.behind = !done;
        // Without progress there is no room.
        goes_on = !done && (now.cursor != webhook->cursor || now.replay != webhook->replay);
    }
    if (data::encode(now) != data::encode(*webhook))
        TRY(webhooks().update(system.txn, *webhook, now));
    return goes_on;
}

Result<std::vector<DeliveryAttempt>> begin_attempts(SystemContext& system,
                                                    std::span<const data::Bytes> primaries) {
    std::vector<DeliveryAttempt> out;
    for (const auto& primary : primaries) {
        const auto delivery = TRY(deliveries().find(system.txn, primary));
        if (!delivery || delivery->status != DeliveryStatus::waiting || delivery->due_at > system.now)
            continue;
        const auto webhook = TRY(webhooks().find(system.txn, delivery->webhook.view()));
        if (!webhook || (webhook->status != WebhookStatus::enabled && !delivery->is_test))
            continue;
        auto event = delivery->is_test ? std::optional<Event>()
                                       : TRY(schema().events.find(system.txn, delivery->event.view()));
        auto begun = *delivery;
        if (!event && !delivery->is_test) {
            begun.answer = "The event is kept no longer.";
            TRY(end(system, *delivery, begun, DeliveryStatus::failed));
            continue;
        }
        for (const auto& id : begun.more)
            if (auto further = TRY(schema().events.find(system.txn, id.view())))
                std::ranges::move(further->clicks, std::back_inserter(event->clicks));
        ++begun.attempts;
        begun.attempted_at = system.now;
        begun.due_at = system.now.plus_seconds(attempt_lost_seconds);
        TRY(deliveries().update(system.txn, *delivery, begun));
        auto secrets = TRY(webhook_secrets(system.txn, *webhook, system.now));
        out.push_back({.delivery = std::move(begun),
                       .url = webhook->url,
                       .event = std::move(event),
                       .signature = webhook->signature(),
                       .secrets = std::move(secrets)});
    }
    return out;
}

Result<void> book_outcomes(SystemContext& system, std::span<const DeliveryOutcome> outcomes,
                           const std::function<bool(data::BytesView)>& under_way) {
    std::map<WebhookId, Consequences> of;
    for (const auto& outcome : outcomes) {
        const auto delivery = TRY(deliveries().find(system.txn, outcome.delivery));
        if (!delivery || !delivery->is_open()) // erased meanwhile, with its webhook
            continue;
        auto known = of.find(delivery->webhook);
        if (known == of.end()) {
            auto webhook = TRY(webhooks().find(system.txn, delivery->webhook.view()));
            if (!webhook)
                continue;
            known = of.try_emplace(delivery->webhook, system, *std::move(webhook), under_way).first;
        }
        TRY(known->second.book(*delivery, outcome));
    }
    for (auto& [id, consequences] : of)
        TRY(consequences.write());
    return {};
}

Result<bool> prune_deliveries(SystemContext& system) { return erase_ended(system, deliveries()); }

Result<bool> erase_deliveries(data::Txn& txn, WebhookId webhook) {
    std::vector<data::Bytes> found;
    TRY(deliveries().by_webhook.walk(txn, {.scope = data::key(webhook)},
                                     [&](data::BytesView primary) -> Result<bool> {
                                         found.emplace_back(primary);
                                         return found.size() < erased_batch_max;
                                     }));
    for (const auto& primary : found)
        if (const auto row = TRY(deliveries().find(txn, primary)))
            TRY(deliveries().remove(txn, *row));
    return found.size() == erased_batch_max;
}

} // namespace slashpost
