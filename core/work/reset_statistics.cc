#include "core/work/reset_statistics.h"

#include "core/schema/click_orders.h"
#include "core/schema/recent_links.h"
#include "core/schema/recent_rollups.h"
#include "core/schema/rollups.h"
#include "core/work/jobs.h"

#include <algorithm>

namespace slashpost {

namespace {

constexpr std::size_t rows_max = 1000; // that a batch of the job erases

// Clicks of days before it are folded and their hours closed, so nobody adds to them.
std::uint32_t first_lively_day(Timestamp now) { return std::max(bucket_of(Grain::day, now), 1U) - 1; }

// Keys of buckets from the first on, or of those before it.
enum class Part : std::uint8_t { before, from };
Result<std::vector<data::Bytes>> rows_of(data::View& view, LinkId link, Grain grain, std::uint32_t first,
                                         Part part, std::size_t max) {
    const auto subject = Subject::of(link);
    const auto border = rollup_key(subject, grain, first);
    const auto all = data::Range::of_prefix(data::key(data::Raw{subject.prefix}, grain));
    std::vector<data::Bytes> found;
    if (max > 0)
        TRY(view.scan(space::rollups,
                      part == Part::before ? data::Range{.from = all.from, .until = border}
                                           : data::Range{.from = border, .until = all.until},
                      data::Order::forward, [&](data::BytesView at, data::BytesView) {
                          found.emplace_back(at);
                          return found.size() < max;
                      }));
    return found;
}

Result<void> erase_rows(data::Txn& txn, const std::vector<data::Bytes>& rows) {
    for (const auto& at : rows)
        TRY(txn.erase(space::rollups, at));
    return {};
}

} // namespace

Result<void> reset_statistics(SystemContext& system, const Link& link) {
    auto& txn = system.txn;
    TRY(reset_settled_clicks(txn, link.workspace, link.id));
    for (const auto hour : TRY(recent_hours(txn))) {
        const auto clicks = TRY(recent_figures(txn, hour, link.workspace, link.id)).totals.clicks;
        if (clicks != 0)
            TRY(txn.add(forgotten_clicks_tally(link.workspace), clicks));
        TRY(forget_recent(txn, hour, link.workspace, link.id));
    }
    TRY(txn.erase(space::rollups, rollup_key(Subject::of(link.id), Grain::all, 0)));
    const auto day = first_lively_day(system.now);
    bool has_older = false;
    for (const auto& [grain, first] : {std::pair{Grain::day, day}, {Grain::hour, day * 24}}) {
        TRY(erase_rows(txn, TRY(rows_of(txn, link.id, grain, first, Part::from, rows_max))));
        has_older = has_older || !TRY(rows_of(txn, link.id, grain, first, Part::before, 1)).empty();
    }
    if (!has_older)
        return {};
    return enqueue_job(txn, {.id = system.tools.ids.next<JobId>(),
                             .kind = JobKind::reset_statistics,
                             .workspace = link.workspace,
                             .subject = link.id,
                             .created_at = system.now,
                             .done = {},
                             .unknown = {}});
}

Result<bool> erase_old_statistics(SystemContext& system, const Job& job) {
    const auto day = first_lively_day(job.created_at);
    std::size_t room = rows_max;
    for (const auto& [grain, first] : {std::pair{Grain::day, day}, {Grain::hour, day * 24}}) {
        const auto rows = TRY(rows_of(system.txn, LinkId(job.subject), grain, first, Part::before, room));
        TRY(erase_rows(system.txn, rows));
        room -= rows.size();
    }
    return room > 0;
}

} // namespace slashpost
