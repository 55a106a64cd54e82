// Sets of document numbers, and postings as bytes (core/search/postings.h).
#include "core/search/postings.h"
#include "tests/support/must.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <set>

using namespace slashpost;
using namespace slashpost::search;
using namespace slashpost::test;

namespace {

using Places = std::set<std::uint32_t>;

// Places of a chunk, none of them or nearly all, in clusters or spread.
Places some_places(std::mt19937& random, std::uint32_t end) {
    Places places;
    const std::uint32_t step_max = std::array{1U, 3U, 50U, 2000U, 40'000U}.at(random() % 5);
    for (auto place = random() % end; place < end; place += 1 + random() % step_max)
        places.insert(static_cast<std::uint32_t>(place));
    return places;
}

DocumentSet set_of(const Places& places, std::size_t chunks) {
    DocumentSet set(chunks);
    for (const auto place : places)
        set.add(place);
    return set;
}

Places places_of(const DocumentSet& set) {
    Places places;
    for (std::size_t chunk = 0; chunk < set.chunks(); ++chunk) {
        const auto from = static_cast<std::uint32_t>(chunk * chunk_documents);
        set.each_within(from, from + static_cast<std::uint32_t>(chunk_documents),
                        [&](std::uint32_t number) { places.insert(number); });
    }
    return places;
}

std::vector<std::uint16_t> as_list(const Places& places) { return {places.begin(), places.end()}; }

Posting read(const data::Bytes& bytes) {
    Posting posting{};
    must(add_posting(bytes, posting));
    return posting;
}

Places places_of(const ChunkSet& set) {
    Places places;
    set.each([&](std::uint16_t place) { places.insert(place); });
    return places;
}

} // namespace

TEST_CASE("sets of documents behave as sets of numbers", "[search_index]") {
    std::mt19937 random(7);
    for (int round = 0; round < 12; ++round) {
        constexpr std::size_t chunks = 3;
        constexpr auto end = static_cast<std::uint32_t>(chunks * chunk_documents);
        const auto a = some_places(random, end), b = some_places(random, end);
        Places both, either, only;
        std::ranges::set_intersection(a, b, std::inserter(both, both.end()));
        std::ranges::set_union(a, b, std::inserter(either, either.end()));
        std::ranges::set_difference(a, b, std::inserter(only, only.end()));
        const auto x = set_of(a, chunks), y = set_of(b, chunks);
        auto z = x;
        CHECK(places_of(z &= y) == both);
        CHECK(z.size() == both.size());
        z = x;
        CHECK(places_of(z |= y) == either);
        z = x;
        CHECK(places_of(z -= y) == only);
        for (int i = 0; i < 100; ++i) {
            const auto number = static_cast<std::uint32_t>(random() % end);
            CHECK(x.contains(number) == a.contains(number));
            z.remove(number);
            CHECK(!z.contains(number));
        }
        const auto from = static_cast<std::uint32_t>(chunk_documents + random() % 1000);
        const auto until = from + static_cast<std::uint32_t>(random() % 60'000);
        Places within;
        x.each_within(from, until, [&](std::uint32_t number) { within.insert(number); });
        CHECK(within == Places(a.lower_bound(from), a.lower_bound(until)));
    }
}

TEST_CASE("a posting is read as it was written, segment by segment or at once",
          "[search_index][long][volume]") {
    std::mt19937 random(11);
    for (int round = 0; round < 200; ++round) {
        data::Bytes bytes;
        std::array<Places, fields> expected;
        for (std::uint32_t from = 0; from < chunk_documents; from += 8192)
            for (std::size_t field = 0; field < fields; ++field) {
                Places places;
                for (const auto place : some_places(random, 8192))
                    places.insert(from + place);
                if (random() % 3 == 0 || places.empty())
                    continue;
                append_segment(bytes, field, as_list(places));
                expected.at(field).insert(places.begin(), places.end());
            }
        const auto posting = read(bytes);
        for (std::size_t field = 0; field < fields; ++field)
            CHECK(places_of(posting.at(field)) == expected.at(field));
        const auto whole = encode_posting(posting);
        CHECK(read(whole) == posting);
        CHECK(whole.size() <= bytes.size() + 200);
    }
    CHECK(encode_posting({}).empty());
}

TEST_CASE("these are the bytes of segments", "[search_index]") {
    data::Bytes bytes;
    append_segment(bytes, 2, std::vector<std::uint16_t>{5, 6, 300});
    CHECK(bytes == std::string("\x14\x05\x00\xa5\x02", 5)); // 3 - 1 places, field 2; 5, +1, +294
    bytes.clear();
    std::vector<std::uint16_t> dense;
    for (std::uint16_t place = 128; place < 192; ++place)
        dense.push_back(place);
    append_segment(bytes, 0, dense);
    // 64 - 1 places as a bitmap: from word 2, one word
    CHECK(bytes == std::string("\xf9\x03\x02\x01", 4) + std::string(8, '\xff'));
}

TEST_CASE("bytes that are no posting are a fault, whatever they are", "[search_index]") {
    const std::vector<data::Bytes> broken{
        std::string("\x10", 1),                                  // no places
        std::string("\x10\x01", 2),                              // two missing
        std::string("\x00\xff\xff\x7f", 4),                      // a place beyond the chunk
        std::string("\x08\xff\xff\x03\x00", 5),                  // a step beyond it
        std::string("\x01\x00\x01", 3),                          // a bitmap without its words
        std::string("\x01\x00\x01\x03\0\0\0\0\0\0\0", 11),       // a bitmap of two, said to be one
        std::string("\x01\xff\x07\x02", 4) + std::string(16, 1), // words beyond the chunk
        std::string("\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x01", 12),
        std::string("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10),
    };
    for (const auto& bytes : broken) {
        Posting posting{};
        INFO(data::BytesView(bytes).size());
        CHECK(!add_posting(bytes, posting).has_value());
    }
    std::mt19937 random(13);
    data::Bytes sound;
    append_segment(sound, 1, as_list(some_places(random, 65'536)));
    for (int round = 0; round < 3000; ++round) {
        auto bytes = sound.substr(0, random() % (sound.size() + 1));
        for (std::size_t i = 0; i < 3 && !bytes.empty(); ++i)
            bytes[random() % bytes.size()] = static_cast<char>(random());
        Posting posting{};
        (void)add_posting(bytes, posting); // sanitizers watch
    }
}
