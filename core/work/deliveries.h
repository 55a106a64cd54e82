#pragma once
// What webhooks are told of events: a delivery is a row, made from an event when its turn has come, worked
// off attempt by attempt, and kept for some days as a log.
//
// Events that nobody was told of yet are no rows: behind a webhook's cursor they wait in the table of events,
// and only so many deliveries of one webhook are open at a time. So a receiver that is away for days costs
// what those cost, and a hundred thousand events cost nothing until their turn.
//
// Of one thing (a link, a domain) one delivery of a webhook is tried at a time, in the order of the events;
// the others are queued. Each attempt is booked before it is made, and its outcome after, so that what was on
// its way when the process died is tried again: at least once, never knowingly twice.
#include "core/access/context.h"
#include "core/model/webhook.h"

#include <functional>
#include <span>

namespace slashpost {

inline constexpr std::int64_t open_deliveries_max = 256;        // of one webhook, replays and tests apart
inline constexpr std::int64_t requested_deliveries_max = 1'000; // open ones, above which nobody asks for more
inline constexpr std::int64_t ended_deliveries_max = 1'000;
// Of clicks: one request of a webhook a second, and who has so many open, each with hundreds of clicks, is
// half a minute behind and misses what comes then.
inline constexpr std::int64_t click_seconds = 1;
inline constexpr std::size_t click_deliveries_max = 30;
inline constexpr std::size_t click_events_max = 100;       // of one delivery
inline constexpr std::uint32_t delivery_attempts_max = 10; // which take about three days
inline constexpr std::int64_t attempt_lost_seconds = 60; // an attempt whose outcome is not booked until then
inline constexpr std::int64_t failing_seconds_max = 5LL * 24 * 3600; // then a webhook is disabled
inline constexpr std::int64_t rest_seconds_max = 24LL * 3600;        // that a receiver may ask for
inline constexpr std::size_t answer_bytes_max = 1'000;               // that are kept

// After so many attempts; at least one.
std::int64_t seconds_before_retry(std::uint32_t attempts);

// Opens the delivery of an event, or of one that was told before. Does nothing while one is open.
Result<void> open_delivery(const SystemContext& system, const Webhook& webhook, const Event& event);
// One of no event. Goes out at once, once, whatever the state of the webhook.
Result<Delivery> open_test(const SystemContext& system, const Webhook& webhook);

// Makes deliveries of the next events that the webhook hears of, as far as there is room for them, in one
// bounded batch; true when the next one can begin at once. Events from the number `horizon` on are not looked
// at. Adds to `missed` how many clicks it misses, as it is too far behind.
Result<bool> take_events(SystemContext& system, WebhookId id, std::uint64_t horizon, std::uint64_t& missed);

// One attempt, to be made now.
struct DeliveryAttempt {
    Delivery delivery;
    std::string url;
    std::optional<Event> event; // nothing: a test
    WebhookSignature signature = WebhookSignature::hmac;
    std::vector<std::string> secrets; // that sign it
};
// Books an attempt of each delivery that is still due. What has nothing left to tell is ended on the way.
Result<std::vector<DeliveryAttempt>> begin_attempts(SystemContext& system,
                                                    std::span<const data::Bytes> primaries);

// What an answer means for its delivery.
enum class Verdict : std::uint8_t {
    failed,    // to be tried again; also when there was no answer
    delivered, // it arrived
    gone,      // nothing is to be sent there any more
};
struct DeliveryOutcome {
    data::Bytes delivery; // primary key
    Verdict verdict = Verdict::failed;
    std::uint16_t answered = 0; // HTTP status, to be shown; 0: no answer
    std::string text;           // the beginning of the answer, or why there was none
    std::uint32_t took_ms = 0;
    std::optional<std::int64_t> retry_after_seconds; // if the receiver asked
};
// What came of attempts, with what follows for their webhooks. `under_way` says of a delivery, by its primary
// key, that an attempt of it is under way besides.
Result<void> book_outcomes(SystemContext& system, std::span<const DeliveryOutcome> outcomes,
                           const std::function<bool(data::BytesView)>& under_way);

// Erases deliveries that ended long ago, and those of a webhook that is gone: bounded batches, true when
// there may be more.
Result<bool> prune_deliveries(SystemContext& system);
Result<bool> erase_deliveries(data::Txn& txn, WebhookId webhook);

} // namespace slashpost
