// How events are on the disk: these bytes may never change, or older stores could not be read.
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

TEST_CASE("an event is stored as these bytes", "[schema]") {
    const Event event{.id = id<EventId>('1'),
                      .type = EventType::link_updated,
                      .workspace = id<WorkspaceId>('2'),
                      .subject = id<LinkId>('3'),
                      .name = "N",
                      .at = {1},
                      .account = id<AccountId>('4'),
                      .key = id<ApiKeyId>('5'),
                      .call = "C",
                      .changes = {{.name = "t", .kind = ValueKind::list, .before = {"a"}, .after = {"b"}}},
                      .link_before = "L",
                      .parts_changed = true,
                      .parts_before = "P"};
    const Bytes change("\x01\x01t\x02\x01\x08\x03\x02\x01"
                       "a\x04\x02\x01"
                       "b",
                       14);
    const auto bytes = Bytes(1, '\x01') + id_field(1, 1) + Bytes("\x02\x01\x04", 3) + id_field(3, 2) +
                       id_field(4, 3) + "\x05\x01N" + "\x06\x01\x02" + id_field(7, 4) + id_field(8, 5) +
                       "\x09\x01"
                       "C" +
                       "\x0a\x0f\x0e" + change +
                       "\x0b\x01"
                       "L" +
                       "\x0c\x01\x02" + "\x0d\x01P";
    CHECK(data::encode(event) == bytes);
    CHECK(data::encode(*data::decode<Event>(bytes)) == bytes);
}
