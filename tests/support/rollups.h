#pragma once
// What happened, as folding clicks leaves it in the rollups (core/schema/rollups.h).
#include "core/schema/rollups.h"
#include "tests/support/must.h"
#include "tests/support/world.h"

#include <utility>
#include <vector>

namespace slashpost::test {

using Happened = std::vector<std::pair<std::string, std::int64_t>>; // "c" is clicks, "Cde" those from Germany

inline void happen(World& world, const Subject& subject, Timestamp at, const Happened& counts) {
    data::Counts delta;
    for (const auto& [name, number] : counts)
        delta.add(name, number);
    must(
        world.operate([&](SystemContext& system) { return add_to_rollups(system.txn, subject, at, delta); }));
}

// "arm" or "rule" of a count, by its id.
inline std::string named(char group, const RawId& id) { return group + std::string(id.view()); }

} // namespace slashpost::test
