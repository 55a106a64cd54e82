#include "core/work/retention.h"

#include "core/data/trail.h"
#include "core/schema/click_orders.h"
#include "core/schema/recent_links.h"
#include "core/schema/rollups.h"
#include "core/schema/schema.h"

#include <algorithm>

namespace slashpost {

namespace {

constexpr std::string_view progress_key = "rollups.pruned";
constexpr std::string_view links_progress_key = "links.pruned";
constexpr std::size_t rows_max = 1000, subjects_max = 1000, links_max = 1000; // of a batch
constexpr std::size_t grain_and_bucket_bytes = 5;

// The first bucket of each grain that is kept.
struct FirstKept {
    std::uint32_t hour = 0;
    std::uint32_t day = 0;
};

FirstKept first_kept(const Settings& settings, std::uint32_t today) {
    const auto first_day = [&](std::uint32_t days) { return days == 0 || days > today ? 0 : today - days; };
    const auto day = first_day(settings.days_kept_days);
    // No hour outlives its day.
    return {.hour = std::max(first_day(settings.hours_kept_days), day) * 24, .day = day};
}

// In the transaction that begins to erase, so nobody misses what is gone.
Result<void> note_kept(data::Txn& txn, const FirstKept& first) {
    const auto was = TRY(kept_since(txn));
    const KeptSince now{.hours = std::max(was.hours, begin_of(Grain::hour, first.hour)),
                        .days = std::max(was.days, begin_of(Grain::day, first.day))};
    return now == was ? Result<void>() : set_kept_since(txn, now);
}

// The subject of the first row that is not before `from`.
Result<std::optional<Subject>> subject_from(data::View& view, const data::Bytes& from) {
    std::optional<Subject> found;
    TRY(view.scan(space::rollups, {.from = from, .until = {}}, data::Order::forward,
                  [&](data::BytesView at, data::BytesView) {
                      found = Subject{.prefix = data::Bytes(at.substr(0, at.size() - grain_and_bucket_bytes)),
                                      .link = {},
                                      .workspace = {}};
                      return false;
                  }));
    return found;
}

// Keys of the subject's buckets before the first that is kept, `max` at most.
Result<std::vector<data::Bytes>> old_rows(data::View& view, const Subject& subject, const FirstKept& first,
                                          std::size_t max) {
    std::vector<data::Bytes> found;
    for (const auto& [grain, until] : {std::pair{Grain::day, first.day}, {Grain::hour, first.hour}})
        if (until != 0 && found.size() < max)
            TRY(view.scan(space::rollups,
                          {.from = rollup_key(subject, grain, 0), .until = rollup_key(subject, grain, until)},
                          data::Order::forward, [&](data::BytesView at, data::BytesView) {
                              found.emplace_back(at);
                              return found.size() < max;
                          }));
    return found;
}

// How far today's walk has come, in its own words; nothing when it has not begun.
Result<std::optional<data::Bytes>> progress_of(data::View& view, std::string_view walk, std::uint32_t today) {
    const auto stored = TRY(view.get(space::meta, walk));
    return stored && stored->starts_with(data::key(today)) ? std::optional(stored->substr(sizeof today))
                                                           : std::nullopt;
}

// Whether something of the link lies in an hour that goes on, so that more will be moved to it.
Result<bool> is_clicked(data::View& view, const Link& link, const std::vector<std::uint32_t>& hours) {
    for (const auto hour : hours) {
        const auto recent = TRY(recent_figures(view, hour, link.workspace, link.id));
        if (recent.totals != ClickTotals() || !recent.counts.empty())
            return true;
    }
    return false;
}

// Erases the link's row and what was counted of it, while there is `room` for more rows; false when there was
// not enough.
Result<bool> erase_link(data::Txn& txn, const Link& link, std::size_t& room) {
    room -= TRY(erase_figures(txn, Subject::of(link.id).prefix, room));
    if (room == 0)
        return false;
    --room;
    TRY(leave_click_orders(txn, link.workspace, link.id));
    TRY(schema().links.remove(txn, link));
    return true;
}

} // namespace

Result<bool> prune_statistics(SystemContext& system) {
    auto& txn = system.txn;
    const auto today = bucket_of(Grain::day, system.now);
    const auto first = first_kept(system.tools.settings, today);
    if (first.hour == 0 && first.day == 0)
        return false;

    // Every row lies behind the empty key, and a walk that is done has none.
    auto next = TRY(progress_of(txn, progress_key, today)).value_or(data::Bytes(1, '\0'));
    if (next.empty())
        return false;
    TRY(note_kept(txn, first));

    std::size_t erased = 0;
    for (std::size_t subjects = 0; subjects < subjects_max && erased < rows_max && !next.empty();
         ++subjects) {
        const auto subject = TRY(subject_from(txn, next));
        next = subject ? subject->prefix : data::Bytes();
        if (!subject)
            break;
        const auto old = TRY(old_rows(txn, *subject, first, rows_max - erased));
        for (const auto& at : old)
            TRY(txn.erase(space::rollups, at));
        erased += old.size();
        if (erased < rows_max)
            next = data::Range::of_prefix(subject->prefix).until;
    }
    TRY(txn.put(space::meta, progress_key, data::key(today, data::Raw{next})));
    return !next.empty();
}

Result<bool> prune_deleted_links(SystemContext& system) {
    auto& txn = system.txn;
    const auto kept_days = std::int64_t{system.tools.settings.deleted_links_kept_days};
    if (kept_days == 0)
        return false;
    const auto today = bucket_of(Grain::day, system.now);
    const data::Bytes done(sizeof(LinkId), '\xff');
    auto last = TRY(progress_of(txn, links_progress_key, today)).value_or(data::Bytes());
    if (last == done)
        return false;

    const auto kept_from = system.now.plus_seconds(-kept_days * 24 * 3600);
    std::vector<std::pair<data::Bytes, bool>> seen; // primary keys, and whether the row may be due
    TRY(schema().links.each(
        txn,
        [&](const Link& link) -> Result<bool> {
            seen.emplace_back(link.id.view(),
                              link.status == LinkStatus::deleted && link.updated_at < kept_from);
            return seen.size() < links_max;
        },
        last));
    const auto hours = TRY(recent_hours(txn));
    const data::Unfollowed told_already(txn);
    std::size_t room = rows_max;
    for (const auto& [primary, is_due] : seen) {
        const auto link =
            is_due ? TRY(schema().links.find(txn, primary)) : std::nullopt; // a scan is not tracked
        if (link && link->status == LinkStatus::deleted && !TRY(is_clicked(txn, *link, hours)) &&
            !TRY(erase_link(txn, *link, room)))
            break;
        last = primary;
    }
    if (seen.size() < links_max && (seen.empty() || last == seen.back().first))
        last = done;
    TRY(txn.put(space::meta, links_progress_key, data::key(today, data::Raw{last})));
    return last != done;
}

} // namespace slashpost
