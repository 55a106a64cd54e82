// Which documents have an attribute, held in memory (core/search/attribute_sets.h). That lists stay exact
// with them while everything changes is tested in ordinals_test.cc.
#include "core/search/attribute_sets.h"
#include "tests/core/search/big_world.h"
#include "tests/support/counting_engine.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::test;

namespace {

const WorkspaceId one(*RawId::parse(std::string(32, '1'))), other(*RawId::parse(std::string(32, '2')));

search::AttributeSets::Set set_of(std::size_t chunks, std::initializer_list<std::uint32_t> numbers) {
    search::DocumentSet set(chunks);
    for (const auto number : numbers)
        set.add(number);
    return std::make_shared<const search::DocumentSet>(std::move(set));
}

} // namespace

TEST_CASE("a batch makes the chunks unknown that it touches, and a gap the whole set", "[search_index]") {
    search::AttributeSets sets(SlotBounds{});
    sets.keep(one, "tag", 5, set_of(3, {7, 70'000, 140'000}));
    const auto before = sets.find(one, "tag", 5);
    REQUIRE(before.chunk(2) != nullptr);
    CHECK(before.chunk(2)->contains(140'000 - 2 * 65'536));
    CHECK(before.chunk(3) == nullptr); // there was none
    CHECK(sets.find(one, "tag", 6).chunk(0) == nullptr);
    CHECK(sets.find(one, "domain", 5).chunk(0) == nullptr);
    CHECK(sets.find(other, "tag", 5).chunk(0) == nullptr);

    sets.indexed({.workspace = other, .before = 1, .after = 2, .documents = {7}});
    sets.indexed({.workspace = one, .before = 5, .after = 6, .documents = {70'001, 200'000}});
    const auto after = sets.find(one, "tag", 6);
    REQUIRE(after.chunk(0) != nullptr);
    CHECK(after.chunk(0)->contains(7));
    CHECK(after.chunk(1) == nullptr);
    CHECK(after.chunk(2) != nullptr);
    CHECK(sets.find(one, "tag", 5).chunk(0) == nullptr); // older views read for themselves

    sets.indexed({.workspace = one, .before = 7, .after = 8, .documents = {}});
    CHECK(sets.find(one, "tag", 8).chunk(0) == nullptr);
    CHECK(sets.bytes() == 0);
}

TEST_CASE("sets of attributes go when they need too much memory or nobody asks", "[search_index]") {
    search::AttributeSets sets(
        {.bytes_max = 20'000, .slots_max = 8, .unused_max = std::chrono::milliseconds(0)});
    for (const auto* term : {"a", "b", "c"}) // 8 KiB each
        sets.keep(one, term, 1, set_of(1, {1}));
    CHECK(sets.find(one, "a", 1).chunk(0) == nullptr);
    CHECK(sets.find(one, "c", 1).chunk(0) != nullptr);
    CHECK(sets.bytes() < 20'000);
    sets.drop_unused();
    CHECK(sets.bytes() == 0);
}

TEST_CASE("a list under filters reads the postings of its attributes once", "[search_index]") {
    auto counting = std::make_unique<CountingEngine>(storage::make_memory_engine(space::all));
    auto& engine = *counting;
    BigWorld big(2000, std::move(counting));
    big.index_all();
    const auto postings_read = [&] {
        engine.take();
        must(big.world.list({.favourite = true}, {}));
        return engine.take().gets["postings"];
    };
    const auto first = postings_read();
    const auto second = postings_read();
    CHECK(first == second + 2); // active, favourite
    big.change_one();
    big.index_all();
    CHECK(postings_read() == first);
}
