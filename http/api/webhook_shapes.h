#pragma once
// Webhooks and their deliveries on the wire, and what is sent to receivers.
#include "core/ops/webhooks.h"
#include "http/api/event_shapes.h"

namespace slashpost::api {

// What is posted to a receiver, as JSON: of an event, and of a test.
std::string webhook_message(const EventDetails& details);
std::string webhook_test_message(const Delivery& test);

// The shape of the former.
const wire::ValueType& webhook_message_type();

inline constexpr std::string_view webhook_test_type = "webhook.test";

enum class WebhookState : std::uint8_t { enabled, paused, disabled };
enum class WebhookEnd : std::uint8_t { gone, failing };

struct WebhookReply {
    WebhookId id;
    std::string url;
    std::vector<EventType> types;
    std::string description;
    WebhookSignature signature = WebhookSignature::hmac;
    std::optional<std::string> public_key;
    WebhookState status = WebhookState::enabled;
    std::optional<WebhookEnd> disabled_reason;
    std::uint32_t failures = 0;
    std::optional<Timestamp> failing_since;
    std::optional<Timestamp> succeeded_at;
    std::optional<Timestamp> old_secret_until;
    bool replaying = false;
    Timestamp created_at;
    Timestamp updated_at;
    static constexpr std::string_view wire_name = "Webhook";
    static wire::Fields fields();

    static WebhookReply of(const Webhook& webhook);
};

struct IssuedWebhookReply {
    WebhookReply row;
    std::optional<std::string> secret;
    static constexpr std::string_view wire_name = "IssuedWebhook";
    static wire::Fields fields();

    static IssuedWebhookReply of(const IssuedWebhook& issued) {
        IssuedWebhookReply out{.row = WebhookReply::of(issued.row), .secret = {}};
        if (!issued.secret.empty())
            out.secret = issued.secret;
        return out;
    }
};

struct DeliveryReply {
    EventId id;
    std::string type;
    DeliveryStatus status = DeliveryStatus::waiting;
    std::uint32_t attempts = 0;
    Timestamp created_at;
    std::optional<Timestamp> attempted_at;
    std::optional<Timestamp> due_at;
    std::optional<Timestamp> ended_at;
    std::optional<std::uint16_t> answered;
    std::string answer;
    std::uint32_t took_ms = 0;
    static constexpr std::string_view wire_name = "WebhookDelivery";
    static wire::Fields fields();

    static DeliveryReply of(const Delivery& delivery);
};

} // namespace slashpost::api

namespace slashpost::wire {

template <>
struct EnumNames<api::WebhookState> {
    static constexpr std::array<std::pair<std::string_view, api::WebhookState>, 3> all{
        {{"enabled", api::WebhookState::enabled},
         {"paused", api::WebhookState::paused},
         {"disabled", api::WebhookState::disabled}}};
};
template <>
struct EnumNames<api::WebhookEnd> {
    static constexpr std::array<std::pair<std::string_view, api::WebhookEnd>, 2> all{
        {{"gone", api::WebhookEnd::gone}, {"failing", api::WebhookEnd::failing}}};
};
template <>
struct EnumNames<WebhookSignature> {
    static constexpr std::array<std::pair<std::string_view, WebhookSignature>, 2> all{
        {{"hmac", WebhookSignature::hmac}, {"ed25519", WebhookSignature::ed25519}}};
};
template <>
struct EnumNames<DeliveryStatus> {
    static constexpr std::array<std::pair<std::string_view, DeliveryStatus>, 4> all{
        {{"waiting", DeliveryStatus::waiting},
         {"queued", DeliveryStatus::queued},
         {"delivered", DeliveryStatus::delivered},
         {"failed", DeliveryStatus::failed}}};
};

} // namespace slashpost::wire
