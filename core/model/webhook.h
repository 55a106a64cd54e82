#pragma once
// Who is told of a workspace's events, and what was told: an address that is posted to, and for each event
// that it is to hear of a delivery (core/work/deliveries.h).
#include "core/data/codec.h"
#include "core/data/key.h"
#include "core/model/event.h"

#include <algorithm>

namespace slashpost {

// On disk: never renumber.
enum class WebhookStatus : std::uint8_t {
    enabled = 1,
    paused = 2,  // by somebody of the workspace
    gone = 3,    // by its receiver, who answered 410
    failing = 4, // for days there were nothing but failures
};

// How what is sent is signed.
enum class WebhookSignature : std::uint8_t { hmac, ed25519 };

// Events of a time that are told again, those of before in front of those that are new.
struct WebhookReplay {
    EventId last;  // of those that were looked at; empty: none yet
    EventId until; // the last one to look at
    Timestamp from;
    Timestamp to; // events before it
    data::Unknown unknown;
    bool operator==(const WebhookReplay&) const = default;

    static constexpr auto fields() {
        using data::stored;
        return std::tuple{stored(1, "last", &WebhookReplay::last), stored(2, "until", &WebhookReplay::until),
                          stored(3, "from", &WebhookReplay::from), stored(4, "to", &WebhookReplay::to)};
    }
};

struct Webhook {
    WebhookId id;
    WorkspaceId workspace;
    std::string url;              // http or https, in its stored form
    std::vector<EventType> types; // that it hears of; empty: all but clicks
    // What is signed with, sealed with the installation's secret (core/access/webhook_signing.h); with a
    // public key: its seed.
    data::Bytes secret;
    data::Bytes old_secret; // signs too until then; empty: there is none
    std::optional<Timestamp> old_secret_until;
    WebhookStatus status = WebhookStatus::enabled;
    Timestamp created_at; // always id.made_at()
    Timestamp updated_at; // by somebody of the workspace
    EventId cursor;       // of the last event that was looked at for it
    bool behind = false;  // there may be more behind the cursor, or to be told again
    std::optional<WebhookReplay> replay;
    std::uint32_t failures = 0;             // attempts since the last that went well
    std::optional<Timestamp> failing_since; // the first of them
    std::optional<Timestamp> succeeded_at;
    std::optional<Timestamp> rests_until; // as the receiver asked
    std::string description;              // for people; may be empty
    data::Bytes public_key;               // of Ed25519; empty: what is sent is signed by HMAC
    data::Unknown unknown;

    [[nodiscard]] bool hears_of(EventType type) const {
        return types.empty() ? type != EventType::link_clicked
                             : std::ranges::find(types, type) != types.end();
    }
    [[nodiscard]] bool is_disabled() const {
        return status == WebhookStatus::gone || status == WebhookStatus::failing;
    }
    [[nodiscard]] WebhookSignature signature() const {
        return public_key.empty() ? WebhookSignature::hmac : WebhookSignature::ed25519;
    }

    static constexpr std::size_t primary_bytes = 16;
    static data::Bytes primary_of(const Webhook& w) { return data::Bytes(w.id.view()); }
    static constexpr auto fields() {
        using data::stored;
        return std::tuple{stored(1, "id", &Webhook::id),
                          stored(2, "workspace", &Webhook::workspace),
                          stored(3, "url", &Webhook::url),
                          stored(4, "types", &Webhook::types),
                          stored(5, "secret", &Webhook::secret),
                          stored(6, "old_secret", &Webhook::old_secret),
                          stored(7, "old_secret_until", &Webhook::old_secret_until),
                          stored(8, "status", &Webhook::status),
                          stored(9, "created_at", &Webhook::created_at),
                          stored(10, "updated_at", &Webhook::updated_at),
                          stored(11, "cursor", &Webhook::cursor),
                          stored(12, "behind", &Webhook::behind),
                          stored(13, "replay", &Webhook::replay),
                          stored(14, "failures", &Webhook::failures),
                          stored(15, "failing_since", &Webhook::failing_since),
                          stored(16, "succeeded_at", &Webhook::succeeded_at),
                          stored(17, "rests_until", &Webhook::rests_until),
                          stored(18, "description", &Webhook::description),
                          stored(19, "public_key", &Webhook::public_key)};
    }
};

// On disk: never renumber.
enum class DeliveryStatus : std::uint8_t {
    waiting = 1, // for its time; or an attempt is under way
    queued = 2,  // behind an earlier event of the same thing
    delivered = 3,
    failed = 4, // for the last time
};

// One event for one webhook, or a test, whose event is none.
struct Delivery {
    WebhookId webhook;
    EventId event; // a test: an id of its own
    WorkspaceId workspace;
    RawId subject; // of the event; of clicks the webhook, as they have an order of their own
    EventType type = EventType::link_created;
    bool is_test = false;
    DeliveryStatus status = DeliveryStatus::waiting;
    Timestamp created_at; // or when it was asked for again
    Timestamp due_at;     // of the next attempt; of one under way: when it is given up for lost
    std::uint32_t attempts = 0;
    std::optional<Timestamp> attempted_at;
    std::optional<Timestamp> ended_at;
    std::uint16_t answered = 0; // HTTP status of the last attempt; 0: there was no answer
    data::Bytes answer;         // how it began, or why there was none
    std::uint32_t took_ms = 0;
    bool brought_forward = false; // once, when the receiver was back
    std::vector<EventId> more;    // later events of clicks that are told with it
    std::uint32_t clicks = 0;     // in all of them
    data::Unknown unknown;

    static constexpr std::int64_t kept_seconds = 7LL * 24 * 3600; // when it has ended, as a log

    [[nodiscard]] bool is_open() const {
        return status == DeliveryStatus::waiting || status == DeliveryStatus::queued;
    }

    // When it goes; only of one that has ended.
    [[nodiscard]] Timestamp log_ends_at() const {
        return ended_at.value_or(created_at).plus_seconds(kept_seconds);
    }

    static constexpr std::size_t primary_bytes = 32;
    static data::Bytes primary_of(const Delivery& d) { return data::key(d.webhook, d.event); }
    static constexpr auto fields() {
        using data::stored;
        return std::tuple{stored(1, "webhook", &Delivery::webhook),
                          stored(2, "event", &Delivery::event),
                          stored(3, "workspace", &Delivery::workspace),
                          stored(4, "subject", &Delivery::subject),
                          stored(5, "type", &Delivery::type),
                          stored(6, "is_test", &Delivery::is_test),
                          stored(7, "status", &Delivery::status),
                          stored(8, "created_at", &Delivery::created_at),
                          stored(9, "due_at", &Delivery::due_at),
                          stored(10, "attempts", &Delivery::attempts),
                          stored(11, "attempted_at", &Delivery::attempted_at),
                          stored(12, "ended_at", &Delivery::ended_at),
                          stored(13, "answered", &Delivery::answered),
                          stored(14, "answer", &Delivery::answer),
                          stored(15, "took_ms", &Delivery::took_ms),
                          stored(16, "brought_forward", &Delivery::brought_forward),
                          stored(17, "more", &Delivery::more),
                          stored(18, "clicks", &Delivery::clicks)};
    }
};

} // namespace slashpost
