#include "core/data/codec_code.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using data::Bytes;
using data::stored;

namespace {

struct Part {
    std::int64_t size = 1;
    bool operator==(const Part&) const = default;
    static constexpr auto fields() { return std::tuple{stored(1, "size", &Part::size)}; }
};

enum class Colour : std::uint8_t { red = 1, blue = 2 };

struct Thing {
    LinkId id;
    std::string name;
    bool good = true;
    Colour colour = Colour::red;
    std::int64_t count = 0;
    Timestamp at;
    std::optional<Timestamp> until;
    std::vector<std::string> words;
    Part part;
    data::Unknown unknown;

    static constexpr auto fields() {
        return std::tuple{stored(1, "id", &Thing::id),       stored(2, "name", &Thing::name),
                          stored(3, "good", &Thing::good),   stored(4, "colour", &Thing::colour),
                          stored(5, "count", &Thing::count), stored(6, "at", &Thing::at),
                          stored(7, "until", &Thing::until), stored(8, "words", &Thing::words),
                          stored(200, "part", &Thing::part)};
    }
};

// What an older build knew of a Thing.
struct OldThing {
    std::string name;
    data::Unknown unknown;
    static constexpr auto fields() { return std::tuple{stored(2, "name", &OldThing::name)}; }
};

Bytes bytes(std::initializer_list<int> values) {
    Bytes out;
    for (const int value : values)
        out += static_cast<char>(value);
    return out;
}

Thing full() {
    Thing thing;
    thing.id = *LinkId::parse("0f000000000000000000000000000001");
    thing.name = "ab";
    thing.good = false;
    thing.colour = Colour::blue;
    thing.count = -2;
    thing.at = {300};
    thing.until = Timestamp{0};
    thing.words = {"x", ""};
    thing.part.size = 5;
    return thing;
}

} // namespace

TEST_CASE("a row of defaults is its format byte alone", "[codec]") {
    CHECK(data::encode(Thing{}) == bytes({1}));
    CHECK(data::decode<Thing>(bytes({1}))->good);
}

TEST_CASE("every kind of field has its literal bytes", "[codec]") {
    CHECK(data::encode(full()) ==
          bytes({1,                                                                   //
                 1,    16,   0x0f, 0,    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x01, // id
                 2,    2,    'a',  'b',                                               // name
                 3,    1,    0,                                                       // good
                 4,    1,    4,                                                       // colour
                 5,    1,    3,                                                       // count
                 6,    2,    0xd8, 0x04,                                              // at
                 7,    1,    0,                                                       // until
                 8,    3,    1,    'x',  0,                                           // words
                 0xc8, 0x01, 3,    1,    1, 10}));                                    // part
}

TEST_CASE("a row is read back as it was written", "[codec]") {
    const auto read = data::decode<Thing>(data::encode(full()));
    REQUIRE(read.has_value());
    CHECK(data::encode(*read) == data::encode(full()));
    CHECK(read->until == Timestamp{0});
    CHECK(read->words == std::vector<std::string>{"x", ""});
    CHECK(read->part.size == 5);
}

TEST_CASE("fields that a build does not know survive its reading and writing", "[codec]") {
    auto old = data::decode<OldThing>(data::encode(full()));
    REQUIRE(old.has_value());
    old->name = "changed";
    auto read = data::decode<Thing>(data::encode(*old));
    REQUIRE(read.has_value());
    CHECK(read->name == "changed");
    read->name = "ab";
    CHECK(data::encode(*read) == data::encode(full()));
}

TEST_CASE("bytes that are no row are a fault, never a crash", "[codec]") {
    const auto good = data::encode(full());
    CHECK_FALSE(data::decode<Thing>("").has_value());
    CHECK_FALSE(data::decode<Thing>("\x02").has_value());
    CHECK_FALSE(data::decode<Thing>(bytes({1, 1, 3, 'a', 'b', 'c'})).has_value()); // an id of 3 bytes
    CHECK_FALSE(data::decode<Thing>(bytes({1, 5, 0})).has_value());                // a number without bytes
    CHECK_FALSE(data::decode<Thing>(bytes({1, 5, 2, 1, 1})).has_value());          // bytes behind a number
    CHECK_FALSE(data::decode<Thing>(bytes({1, 8, 1, 9})).has_value());             // an item that is too long
    for (std::size_t cut = 1; cut < good.size(); ++cut)
        (void)data::decode<Thing>(std::string_view(good).substr(0, cut)); // whatever it says
    for (std::size_t at = 0; at < good.size(); ++at)
        for (const char flip : {'\x01', '\x80', '\x7f'}) {
            auto damaged = good;
            damaged[at] = static_cast<char>(damaged[at] ^ flip);
            (void)data::decode<Thing>(damaged);
        }
}
