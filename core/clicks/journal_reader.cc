#include "core/clicks/journal_reader.h"

#include "core/base/errors.h"
#include "core/data/key.h"
#include "core/data/packed.h"
#include "core/schema/spaces.h"

#include <algorithm>
#include <map>

namespace slashpost::redirect {

namespace {

constexpr std::uint8_t rollups_mark = 1;

data::Bytes position_key(std::uint32_t lane, Reader reader) {
    return reader == Reader::totals ? data::key(lane) : data::key(lane, rollups_mark);
}

// A number of exactly so many bytes, as data::key wrote it.
Result<std::uint64_t> read_number(data::BytesView bytes, std::size_t width) {
    if (bytes.size() != width)
        return fault("a position of the click journal cannot be read");
    return data::big_endian(bytes);
}

struct Positions {
    std::optional<std::uint64_t> totals, rollups;
};

Result<std::map<std::uint32_t, Positions>> all_positions(data::View& view) {
    std::map<std::uint32_t, Positions> lanes;
    Result<void> outcome;
    TRY(view.scan(space::journal, {}, data::Order::forward, [&](data::BytesView at, data::BytesView value) {
        const auto read = [&]() -> Result<void> {
            const bool of_rollups = at.size() == 5 && at.back() == static_cast<char>(rollups_mark);
            const auto lane = TRY(read_number(at.substr(0, of_rollups ? 4 : at.size()), 4));
            auto& positions = lanes[static_cast<std::uint32_t>(lane)];
            (of_rollups ? positions.rollups : positions.totals) = TRY(read_number(value, 8));
            return {};
        };
        outcome = read();
        return outcome.has_value();
    }));
    TRY(outcome);
    return lanes;
}

} // namespace

// `totals` of a lane without a row stand at its beginning, rollups where the totals do.
Result<std::uint64_t> position_of(data::Engine& engine, std::uint32_t lane, Reader reader) {
    if (const auto own = TRY(engine.get_now(space::journal, position_key(lane, reader))))
        return read_number(*own, 8);
    return reader == Reader::totals ? Result<std::uint64_t>(0) : position_of(engine, lane, Reader::totals);
}

Result<bool> stand_together(data::Engine& engine, const std::vector<LaneRange>& ranges) {
    for (const auto& range : ranges)
        for (const auto reader : {Reader::totals, Reader::rollups})
            if (TRY(engine.get_now(space::journal, position_key(range.lane, reader))) != range.stored)
                return false;
    return true;
}

Result<std::vector<ShortLane>> align_journal(data::Engine& engine, data::Journal& journal) {
    const auto lanes = TRY(engine.read([](data::View& view) { return all_positions(view); }));
    std::vector<ShortLane> cut_short;
    for (const auto& [lane, positions] : lanes) {
        const auto totals = positions.totals.value_or(0);
        const auto rollups = positions.rollups.value_or(totals);
        const auto slower = std::min(totals, rollups), furthest = std::max(totals, rollups);
        if (slower < journal.end(lane) && journal.end(lane) < furthest)
            cut_short.push_back({.lane = lane, .counted = furthest});
        else
            TRY(journal.release(lane, furthest > journal.end(lane) ? furthest : slower));
    }
    return cut_short;
}

Result<std::vector<LaneRange>> find_lane_ranges(data::Engine& engine, const data::Journal& journal,
                                                Reader reader) {
    std::vector<LaneRange> ranges;
    for (std::uint32_t lane = 0; lane < journal.lane_count(); ++lane) {
        LaneRange range{.lane = lane, .stored = {}};
        range.stored = TRY(engine.get_now(space::journal, position_key(lane, reader)));
        // A journal that outlived its store begins later than the store knows.
        range.next = std::max(TRY(position_of(engine, lane, reader)), journal.begin(lane));
        range.until = journal.end(lane);
        if (range.next > range.until)
            return fault("the store has folded more of the journal than there is");
        if (range.next < range.until)
            ranges.push_back(std::move(range));
    }
    return ranges;
}

Result<void> write_positions(data::Txn& txn, const std::vector<LaneRange>& ranges, Reader reader) {
    for (const auto& range : ranges) {
        const auto at = position_key(range.lane, reader);
        if (TRY(txn.get(space::journal, at)) != range.stored)
            return conflict("Somebody else folds clicks at the same time.");
        const auto rollups = position_key(range.lane, Reader::rollups);
        if (reader == Reader::totals && !TRY(txn.get(space::journal, rollups)))
            TRY(txn.put(space::journal, rollups, range.stored.value_or(data::key(std::uint64_t{0}))));
        TRY(txn.put(space::journal, at, data::key(range.next)));
    }
    return {};
}

Result<void> move_on(data::Engine& engine, data::Journal& journal, std::vector<LaneRange>& ranges,
                     Reader reader) {
    const auto other = reader == Reader::totals ? Reader::rollups : Reader::totals;
    for (auto& range : ranges) {
        range.stored = data::key(range.next);
        const auto read_by_both = std::min(range.next, TRY(position_of(engine, range.lane, other)));
        if (read_by_both >= journal.begin(range.lane))
            TRY(journal.release(range.lane, read_by_both));
    }
    std::erase_if(ranges, [](const LaneRange& s) { return s.next == s.until; });
    return {};
}

} // namespace slashpost::redirect
