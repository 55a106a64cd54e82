#pragma once
// Reads what is stored under many ids: with a scan, as long as they lie close together, which is quicker than
// to look up each.
#include "core/data/key.h"

#include <vector>

namespace slashpost::data {

// A look-up costs about as much as so many steps of a scan.
inline constexpr std::size_t steps_per_look_up = 10;

// Calls `visit(place, value) -> Result<void>` for each of the ids that has something, in their order; the
// place is that among the ids, which ascend. The keys are the prefix and an id each. `scan(range, each)`
// calls `each(key, value)`, `look_up(key)` answers what is there or nothing. The scan is given up for
// look-ups when it steps over more than it saves.
template <class Value, class I, class Scan, class LookUp, class VisitPlace>
Result<void> gather_by(BytesView prefix, const std::vector<I>& ids, const Scan& scan, const LookUp& look_up,
                       const VisitPlace& visit) {
    if (ids.empty())
        return {};
    std::size_t next = 0, steps_left = 10 * steps_per_look_up;
    Result<void> outcome;
    TRY(scan(Range{.from = key(Raw{prefix}, ids.front()),
                   .until = Range::of_prefix(key(Raw{prefix}, ids.back())).until},
             [&](BytesView at, Value value) {
                 const auto id = at.substr(prefix.size());
                 while (next < ids.size() && ids[next].view() < id)
                     ++next;
                 if (next < ids.size() && ids[next].view() == id) {
                     outcome = visit(next++, value);
                     steps_left += steps_per_look_up;
                 } else {
                     --steps_left;
                 }
                 return outcome.has_value() && steps_left > 0;
             }));
    TRY(outcome);
    for (; steps_left == 0 && next < ids.size(); ++next)
        if (const auto value = TRY(look_up(key(Raw{prefix}, ids[next]))))
            TRY(visit(next, *value));
    return {};
}

// Of a space. Not tracked.
template <class I, class VisitPlace>
Result<void> gather(View& view, const Space& space, BytesView prefix, const std::vector<I>& ids,
                    const VisitPlace& visit) {
    return gather_by<BytesView>(
        prefix, ids,
        [&](const Range& range, const Visit& each) { return view.scan(space, range, Order::forward, each); },
        [&](BytesView at) { return view.peek(space, at); }, visit);
}

// Of the tallies; a sum of zero may or may not be visited.
template <class I, class VisitPlace>
Result<void> gather_tallies(View& view, BytesView prefix, const std::vector<I>& ids,
                            const VisitPlace& visit) {
    return gather_by<std::int64_t>(
        prefix, ids,
        [&](const Range& range, const VisitTally& each) {
            return view.scan_tallies(range, Order::forward, each);
        },
        [&](BytesView at) -> Result<std::optional<std::int64_t>> { return TRY(view.tally(at)); }, visit);
}

} // namespace slashpost::data
