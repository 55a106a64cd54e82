#include "core/clicks/journal_reader.h"

#include "core/base/errors.h"
#include "core/data/key.h"
#include "core/data/packed.h"
#include "core/schema/spaces.h"

#include <fmt/format.h>

#include <algorithm>

namespace slashpost::redirect {

namespace {

constexpr std::uint8_t rollups_mark = 1;
constexpr std::size_t lane_bytes = 4, position_bytes = 8;
constexpr std::uint32_t lanes_of_a_server = 1U << 16;
constexpr std::string_view next_lane_key = "lanes.next";

// Of a row's value; 0 when there is no row.
Result<std::uint64_t> read_position(const std::optional<data::Bytes>& stored) {
    if (!stored)
        return 0;
    if (stored->size() != position_bytes)
        return fault("a position of the click journal cannot be read");
    return data::big_endian(*stored);
}

struct Position {
    std::uint32_t lane = 0;
    bool of_rollups = false;
    std::uint64_t number = 0;
};

Result<std::vector<Position>> all_positions(data::View& view) {
    std::vector<Position> positions;
    Result<void> outcome;
    TRY(view.scan(space::journal, {}, data::Order::forward, [&](data::BytesView at, data::BytesView value) {
        const auto read = [&]() -> Result<void> {
            const bool of_rollups = at.size() == lane_bytes + 1 && at.back() == char{rollups_mark};
            if (at.size() != lane_bytes && !of_rollups)
                return fault("a lane of the click journal cannot be read");
            positions.push_back(
                {.lane = static_cast<std::uint32_t>(data::big_endian(at.substr(0, lane_bytes))),
                 .of_rollups = of_rollups,
                 .number = TRY(read_position(data::Bytes(value)))});
            return {};
        };
        outcome = read();
        return outcome.has_value();
    }));
    TRY(outcome);
    return positions;
}

Result<std::vector<Position>> all_positions(data::Engine& engine) {
    return engine.read([](data::View& view) { return all_positions(view); });
}

Result<std::uint32_t> read_lane(data::BytesView stored) {
    if (stored.size() != lane_bytes)
        return fault("the lanes of a server cannot be read");
    return static_cast<std::uint32_t>(data::big_endian(stored));
}

} // namespace

Result<std::uint32_t> first_lane_of(data::Engine& engine, std::string_view server) {
    const auto at = fmt::format("lanes.{}", server);
    return engine.transact([&](data::Txn& txn) -> Result<std::uint32_t> {
        if (const auto known = TRY(txn.get(space::meta, at)))
            return read_lane(*known);
        const auto next = TRY(txn.get(space::meta, next_lane_key));
        const std::uint32_t first = next ? TRY(read_lane(*next)) : lanes_of_a_server;
        TRY(txn.put(space::meta, at, data::key(first)));
        TRY(txn.put(space::meta, next_lane_key, data::key(first + lanes_of_a_server)));
        return first;
    });
}

Result<std::vector<LaneRange>> find_lane_ranges(data::Engine& engine, const data::Journal& journal,
                                                std::uint32_t first_lane) {
    std::vector<LaneRange> ranges;
    for (std::uint32_t lane = 0; lane < journal.lane_count(); ++lane) {
        LaneRange range{.lane = lane, .at = data::key(first_lane + lane), .stored = {}};
        range.stored = TRY(engine.get_now(space::journal, range.at));
        // A journal that outlived its store begins later than the store knows.
        range.next = std::max(TRY(read_position(range.stored)), journal.begin(lane));
        range.until = journal.end(lane);
        if (range.next > range.until)
            return fault("the store has folded more of the journal than there is");
        if (range.next < range.until)
            ranges.push_back(std::move(range));
    }
    return ranges;
}

Result<std::vector<LaneRange>> find_rollup_gaps(data::Engine& engine, const data::Journal& journal) {
    std::vector<LaneRange> gaps;
    for (const auto& position : TRY(all_positions(engine))) {
        if (!position.of_rollups)
            continue;
        const auto lane = position.lane;
        const auto counted = TRY(read_position(TRY(engine.get_now(space::journal, data::key(lane)))));
        LaneRange gap{.lane = lane,
                      .at = data::key(lane, rollups_mark),
                      .stored = data::key(position.number),
                      .next = std::max(position.number, journal.begin(lane)),
                      .until = std::min(counted, journal.end(lane))};
        if (gap.next < gap.until)
            gaps.push_back(std::move(gap));
    }
    return gaps;
}

Result<void> forget_rollup_gaps(data::Engine& engine) {
    const auto positions = TRY(all_positions(engine));
    if (std::ranges::none_of(positions, &Position::of_rollups))
        return {}; // a store that takes no writes is opened all the same
    return engine.transact([&](data::Txn& txn) -> Result<void> {
        for (const auto& position : positions)
            if (position.of_rollups)
                TRY(txn.erase(space::journal, data::key(position.lane, rollups_mark)));
        return {};
    });
}

Result<void> align_journal(data::Engine& engine, data::Journal& journal, std::uint32_t first_lane) {
    for (const auto& position : TRY(all_positions(engine)))
        if (!position.of_rollups && position.lane >= first_lane &&
            position.lane - first_lane < lanes_of_a_server)
            TRY(journal.release(position.lane - first_lane, position.number));
    return {};
}

Result<void> write_positions(data::Txn& txn, std::span<const LaneRange> ranges) {
    for (const auto& range : ranges) {
        if (TRY(txn.get(space::journal, range.at)) != range.stored)
            return conflict("Somebody else folds clicks at the same time.");
        TRY(txn.put(space::journal, range.at, data::key(range.next)));
    }
    return {};
}

Result<bool> is_written(data::Engine& engine, std::span<const LaneRange> ranges) {
    for (const auto& range : ranges)
        if (TRY(engine.get_now(space::journal, range.at)) != data::key(range.next))
            return false;
    return true;
}

} // namespace slashpost::redirect
