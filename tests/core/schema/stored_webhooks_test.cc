// How webhooks and deliveries are on the disk: these bytes may never change, or older stores could not be
// read.
#include "core/schema/schema.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using data::Bytes;

namespace {

template <class I>
I id(char last) {
    return *I::parse("0000000000000000000000000000000" + std::string(1, last));
}

// As a field of this number.
Bytes id_field(char number, char last) { return Bytes{number, 16} + Bytes(15, '\0') + last; }

} // namespace

TEST_CASE("a webhook is stored as these bytes", "[schema]") {
    const Webhook webhook{
        .id = id<WebhookId>('1'),
        .workspace = id<WorkspaceId>('2'),
        .url = "U",
        .types = {EventType::link_created, EventType::tag_created},
        .secret = "S",
        .old_secret = "O",
        .old_secret_until = Timestamp{1},
        .status = WebhookStatus::paused,
        .created_at = {2},
        .updated_at = {3},
        .cursor = id<EventId>('3'),
        .behind = true,
        .replay = WebhookReplay{.last = id<EventId>('4'), .until = id<EventId>('5'), .from = {4}, .to = {5}},
        .failures = 6,
        .failing_since = Timestamp{7},
        .succeeded_at = Timestamp{8},
        .rests_until = Timestamp{9},
        .description = "D",
        .public_key = "P"};
    const auto replay = id_field(1, 4) + id_field(2, 5) + "\x03\x01\x08\x04\x01\x0a";
    const auto bytes = Bytes(1, '\x01') + id_field(1, 1) + id_field(2, 2) + "\x03\x01U" +
                       "\x04\x04\x01\x02\x01\x28" + "\x05\x01S\x06\x01O\x07\x01\x02" + "\x08\x01\x04" +
                       "\x09\x01\x04\x0a\x01\x06" + id_field(11, 3) + "\x0c\x01\x02" + "\x0d\x2a" + replay +
                       "\x0e\x01\x0c\x0f\x01\x0e\x10\x01\x10\x11\x01\x12\x12\x01"
                       "D\x13\x01P";
    CHECK(data::encode(webhook) == bytes);
    CHECK(data::encode(*data::decode<Webhook>(bytes)) == bytes);
}

TEST_CASE("a delivery is stored as these bytes", "[schema]") {
    const Delivery delivery{.webhook = id<WebhookId>('1'),
                            .event = id<EventId>('2'),
                            .workspace = id<WorkspaceId>('3'),
                            .subject = id<LinkId>('4'),
                            .type = EventType::link_updated,
                            .is_test = true,
                            .status = DeliveryStatus::failed,
                            .created_at = {1},
                            .due_at = {2},
                            .attempts = 3,
                            .attempted_at = Timestamp{4},
                            .ended_at = Timestamp{5},
                            .answered = 500,
                            .answer = "A",
                            .took_ms = 7,
                            .brought_forward = true,
                            .more = {id<EventId>('5')},
                            .clicks = 6};
    const auto bytes = Bytes(1, '\x01') + id_field(1, 1) + id_field(2, 2) + id_field(3, 3) + id_field(4, 4) +
                       "\x05\x01\x04\x06\x01\x02\x07\x01\x08" + "\x08\x01\x02\x09\x01\x04\x0a\x01\x06" +
                       "\x0b\x01\x08\x0c\x01\x0a\x0d\x02\xe8\x07" +
                       "\x0e\x01"
                       "A" +
                       "\x0f\x01\x0e\x10\x01\x02" + "\x11\x11\x10" + Bytes(15, '\0') + "\x05\x12\x01\x0c";
    CHECK(data::encode(delivery) == bytes);
    CHECK(data::encode(*data::decode<Delivery>(bytes)) == bytes);
}
