#include "core/base/errors.h"
#include "core/data/gather.h"
#include "storage/memory/engine.h"
#include "tests/support/counting_engine.h"
#include "tests/support/must.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::data;
using namespace slashpost::test;

namespace {

constexpr Space numbers{9, "numbers"};

LinkId id_of(std::uint32_t number) { return *LinkId::from_bytes(Bytes(12, '\0') + key(number)); }

std::vector<LinkId> ids_of(const std::vector<std::uint32_t>& wanted) {
    std::vector<LinkId> ids;
    for (const auto number : wanted)
        ids.push_back(id_of(number));
    return ids;
}

using Found = std::vector<std::pair<std::size_t, std::int64_t>>; // place, value

// The numbers from 1000 up to 1999 are there, each with itself and as a tally with ten times that.
struct Fixture {
    CountingEngine engine{storage::make_memory_engine(std::array{numbers})};
    int look_ups = 0, steps = 0; // of the last answer, but for tallies

    Fixture() {
        must(engine.transact([](Txn& txn) -> Result<void> {
            for (std::uint32_t number = 1000; number < 2000; ++number) {
                TRY(txn.put(numbers, key(Raw{"p"}, id_of(number)), std::to_string(number)));
                TRY(txn.add(key(Raw{"p"}, id_of(number)), 10 * std::int64_t{number}));
            }
            TRY(txn.put(numbers, key(Raw{"o"}, id_of(1000)), "another prefix"));
            return txn.put(numbers, key(Raw{"q"}, id_of(1000)), "another prefix");
        }));
    }
    Found find(const std::vector<std::uint32_t>& wanted) {
        Found found;
        (void)engine.take();
        must(engine.read([&](View& view) {
            return gather(view, numbers, "p", ids_of(wanted),
                          [&](std::size_t place, BytesView value) -> Result<void> {
                              found.emplace_back(place, std::stoll(Bytes(value)));
                              return {};
                          });
        }));
        steps = engine.rows();
        look_ups = engine.take().gets["numbers"];
        return found;
    }
    Found find_tallies(const std::vector<std::uint32_t>& wanted) {
        Found found;
        must(engine.read([&](View& view) {
            return gather_tallies(view, "p", ids_of(wanted),
                                  [&](std::size_t place, std::int64_t sum) -> Result<void> {
                                      found.emplace_back(place, sum);
                                      return {};
                                  });
        }));
        return found;
    }
};

} // namespace

TEST_CASE_METHOD(Fixture, "ids that lie close together are read by one scan", "[gather]") {
    CHECK(find({1000, 1001, 1004, 1090}) == Found{{0, 1000}, {1, 1001}, {2, 1004}, {3, 1090}});
    CHECK(steps == 91);
    CHECK(look_ups == 0);
    CHECK(find_tallies({1000, 1001, 1004, 1090}) ==
          Found{{0, 10'000}, {1, 10'010}, {2, 10'040}, {3, 10'900}});
}

TEST_CASE_METHOD(Fixture, "ids that have nothing are left out", "[gather]") {
    CHECK(find({}).empty());
    CHECK(find({7}).empty());
    CHECK(find({7, 8, 3000}).empty());
    CHECK(find({7, 1000, 1999, 2000, 3000}) == Found{{1, 1000}, {2, 1999}});
    CHECK(find({998, 999, 1000, 1001}) == Found{{2, 1000}, {3, 1001}});
    CHECK(find({1998, 1999, 2000, 2001}) == Found{{0, 1998}, {1, 1999}});
    CHECK(look_ups == 0);
}

TEST_CASE_METHOD(Fixture, "ids that lie far apart are looked up", "[gather]") {
    CHECK(find({1000, 1500, 1700, 1900}) == Found{{0, 1000}, {1, 1500}, {2, 1700}, {3, 1900}});
    CHECK(steps == 111); // 100 to begin with, 10 more and one for the first
    CHECK(look_ups == 3);
    CHECK(find_tallies({1000, 1500, 1999, 2500}) == Found{{0, 10'000}, {1, 15'000}, {2, 19'990}, {3, 0}});
}

TEST_CASE_METHOD(Fixture, "a failure ends the reading", "[gather]") {
    int visits = 0;
    const auto outcome = engine.read([&](View& view) {
        return gather(view, numbers, "p", std::vector{id_of(1000), id_of(1001)},
                      [&](std::size_t, BytesView) -> Result<void> {
                          ++visits;
                          return fault("cannot be read");
                      });
    });
    CHECK_FALSE(outcome.has_value());
    CHECK(visits == 1);
}
