#pragma once
// What the parts of the engine contract share: the spaces, and short ways to read and write.
#include "core/data/engine.h"
#include "tests/support/must.h"

#include <catch2/catch.hpp>

#include <array>
#include <string>
#include <vector>

namespace slashpost::data::contract {

inline constexpr Space rows{1, "rows", Pattern::rows};
inline constexpr Space hot{5, "hot", Pattern::hot_lookup}; // numbers need not be consecutive
inline constexpr Space counted{7, "counted", Pattern::rows, MergeRule::counts};
inline constexpr Space logged{8, "logged", Pattern::rows, MergeRule::append};
inline constexpr Space sheeted{9, "sheeted", Pattern::passing, MergeRule::sheets};
inline constexpr Space settings{10, "settings", Pattern::settings};
inline constexpr std::array contract_spaces{rows, hot, counted, logged, sheeted, settings};

using Maybe = std::optional<Bytes>;
using test::must;

inline void put(Engine& engine, const Space& space, BytesView key, BytesView value) {
    must(engine.transact([&](Txn& txn) { return txn.put(space, key, value); }));
}

inline void erase(Engine& engine, const Space& space, BytesView key) {
    must(engine.transact([&](Txn& txn) { return txn.erase(space, key); }));
}

inline void add(Engine& engine, BytesView tally, std::int64_t delta) {
    must(engine.transact([&](Txn& txn) { return txn.add(tally, delta); }));
}

inline Maybe get(View& view, const Space& space, BytesView key) { return must(view.get(space, key)); }

inline std::int64_t sum(View& view, BytesView prefix) { return must(view.sum(prefix)); }

inline std::int64_t sum(Engine& engine, BytesView prefix) {
    return must(engine.read([&](View& view) { return view.sum(prefix); }));
}

inline Maybe now(Engine& engine, const Space& space, BytesView key) {
    return must(engine.get_now(space, key));
}

// "key=value" of each entry.
inline std::vector<std::string> entries(View& view, const Space& space, const Range& range,
                                        Order order = Order::forward) {
    std::vector<std::string> found;
    REQUIRE(view.scan(space, range, order,
                      [&](BytesView key, BytesView value) {
                          found.push_back(Bytes(key) + "=" + Bytes(value));
                          return true;
                      })
                .has_value());
    return found;
}

// "key=sum" of each tally that is not zero.
inline std::vector<std::string> tallies(View& view, const Range& range, Order order = Order::forward) {
    std::vector<std::string> found;
    REQUIRE(view.scan_tallies(range, order,
                              [&](BytesView key, std::int64_t total) {
                                  if (total != 0)
                                      found.push_back(Bytes(key) + "=" + std::to_string(total));
                                  return true;
                              })
                .has_value());
    return found;
}

using Entries = std::vector<std::string>;

} // namespace slashpost::data::contract
