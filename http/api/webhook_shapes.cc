#include "http/api/webhook_shapes.h"

#include "http/api/names.h"
#include "http/wire/encode.h"

namespace slashpost::api {

using wire::example;
using wire::field;
using wire::Fields;
using wire::note;

namespace {

struct MessageReply {
    EventType type = EventType::link_created;
    Timestamp timestamp;
    EventReply data;
    static constexpr std::string_view wire_name = "WebhookMessage";
    static Fields fields() {
        return {field("type", &MessageReply::type, note("What happened.")),
                field("timestamp", &MessageReply::timestamp, note("When it happened.")),
                field("data", &MessageReply::data, note("The event, as the feed of events has it."))};
    }
};

struct TestReply {
    std::string message;
    static constexpr std::string_view wire_name = "WebhookTest";
    static Fields fields() { return {field("message", &TestReply::message, note("That nothing happened."))}; }
};

struct TestMessageReply {
    std::string type{webhook_test_type};
    Timestamp timestamp;
    TestReply data;
    static constexpr std::string_view wire_name = "WebhookTestMessage";
    static Fields fields() {
        return {field("type", &TestMessageReply::type, note("That it is a test.")),
                field("timestamp", &TestMessageReply::timestamp, note("When the test was asked for.")),
                field("data", &TestMessageReply::data, note("In place of an event."))};
    }
};

WebhookState state_of(WebhookStatus status) {
    return status == WebhookStatus::enabled  ? WebhookState::enabled
           : status == WebhookStatus::paused ? WebhookState::paused
                                             : WebhookState::disabled;
}

} // namespace

std::string webhook_message(const EventDetails& details) {
    return wire::encode(MessageReply{
        .type = details.event.type, .timestamp = details.event.at, .data = EventReply::of(details)});
}

const wire::ValueType& webhook_message_type() { return wire::type_of<MessageReply>(); }

std::string webhook_test_message(const Delivery& test) {
    return wire::encode(TestMessageReply{.timestamp = test.created_at,
                                         .data = {.message = "This is a test. Nothing happened."}});
}

Fields WebhookReply::fields() {
    return {
        field("id", &WebhookReply::id, note("Id of the webhook.")),
        field("url", &WebhookReply::url, note("The address that events are posted to."),
              example("https://example.com/slashpost")),
        field("types", &WebhookReply::types,
              note("The types of events that are sent; empty: all but link.clicked.")),
        field("description", &WebhookReply::description,
              note("What the webhook is for; empty: nobody said.")),
        field("signature", &WebhookReply::signature,
              note("How what is sent is signed: hmac, with a secret that both sides have; or ed25519, which "
                   "the public key verifies.")),
        field("publicKey", &WebhookReply::public_key,
              note("What verifies what is signed by ed25519; absent for hmac."),
              example("whpk_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=")),
        field("status", &WebhookReply::status,
              note("enabled; paused, by somebody of the workspace; or disabled, as disabledReason says. "
                   "Events wait for one that is not enabled, as long as they are kept.")),
        field("disabledReason", &WebhookReply::disabled_reason,
              note("gone: the receiver answered 410. failing: for five days every attempt failed. Absent "
                   "unless the webhook is disabled.")),
        field("failures", &WebhookReply::failures,
              note("How many attempts have failed since the last one that went well.")),
        field("failingSince", &WebhookReply::failing_since,
              note("When the first of them failed; absent when there is none.")),
        field("lastSuccessAt", &WebhookReply::succeeded_at,
              note("When an attempt last went well, to the minute; absent: never.")),
        field("oldSecretUntil", &WebhookReply::old_secret_until,
              note("Until when the secret of before signs too; absent when there is none.")),
        field("replaying", &WebhookReply::replaying,
              note("Whether events of a time are being sent again, as asked for.")),
        field("createdAt", &WebhookReply::created_at, note("When the webhook was made.")),
        field("updatedAt", &WebhookReply::updated_at,
              note("When somebody of the workspace last changed the webhook."))};
}

WebhookReply WebhookReply::of(const Webhook& webhook) {
    WebhookReply out{.id = webhook.id,
                     .url = webhook.url,
                     .types = webhook.types,
                     .description = webhook.description,
                     .signature = webhook.signature(),
                     .status = state_of(webhook.status),
                     .failures = webhook.failures,
                     .failing_since = webhook.failing_since,
                     .succeeded_at = webhook.succeeded_at,
                     .old_secret_until = webhook.old_secret_until,
                     .replaying = webhook.replay.has_value(),
                     .created_at = webhook.created_at,
                     .updated_at = webhook.updated_at};
    if (!webhook.public_key.empty())
        out.public_key = shown_public_key(webhook.public_key);
    if (out.status == WebhookState::disabled)
        out.disabled_reason = webhook.status == WebhookStatus::gone ? WebhookEnd::gone : WebhookEnd::failing;
    return out;
}

Fields IssuedWebhookReply::fields() {
    return wire::joined(
        {wire::part(&IssuedWebhookReply::row),
         {field("secret", &IssuedWebhookReply::secret,
                note("What requests to the receiver are signed with. Shown this once; absent for "
                     "ed25519."),
                example("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="))}});
}

Fields DeliveryReply::fields() {
    return {
        field("id", &DeliveryReply::id,
              note("Id of the delivery: that of its event, which is in the header webhook-id."),
              example("01a3185c500000030000000000000000")),
        field("type", &DeliveryReply::type, note("The type of the event; webhook.test for a test."),
              example("link.created")),
        field("status", &DeliveryReply::status,
              note("waiting for an attempt or its outcome; queued behind an earlier event of the same thing; "
                   "delivered; or failed for the last time.")),
        field("attempts", &DeliveryReply::attempts, note("How many attempts were made, of ten at most.")),
        field("createdAt", &DeliveryReply::created_at,
              note("When the delivery was made, or asked for again.")),
        field("attemptedAt", &DeliveryReply::attempted_at,
              note("When the last attempt began; absent before the first.")),
        field("nextAttemptAt", &DeliveryReply::due_at,
              note("When the next attempt is due, unless one is under way; absent unless the delivery is "
                   "waiting.")),
        field("endedAt", &DeliveryReply::ended_at,
              note("When the delivery was done with; absent until then.")),
        field("answerStatus", &DeliveryReply::answered,
              note("The HTTP status of the last answer; absent when there was none.")),
        field("answer", &DeliveryReply::answer,
              note("The beginning of the last answer, or why there was none; empty before the first.")),
        field("durationMs", &DeliveryReply::took_ms,
              note("How long the last attempt took, in milliseconds."))};
}

DeliveryReply DeliveryReply::of(const Delivery& delivery) {
    DeliveryReply out{.id = delivery.event,
                      .type =
                          std::string(delivery.is_test ? webhook_test_type : wire::name_of(delivery.type)),
                      .status = delivery.status,
                      .attempts = delivery.attempts,
                      .created_at = delivery.created_at,
                      .attempted_at = delivery.attempted_at,
                      .ended_at = delivery.ended_at,
                      .answer = delivery.answer,
                      .took_ms = delivery.took_ms};
    if (delivery.status == DeliveryStatus::waiting)
        out.due_at = delivery.due_at;
    if (delivery.answered != 0)
        out.answered = delivery.answered;
    return out;
}

} // namespace slashpost::api
