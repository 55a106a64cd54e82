#pragma once
// Clicks of links in hours that go on, many links to a write (core/data/sheets.h). They are by far the most
// that a fold writes; when their hour is over they are moved to where they stay, with the rest of the hour
// (core/schema/recent_rollups.h). Who reads adds both up.
//
//   space::recent_links  hour (4 bytes) | workspace | slot (2 bytes) -> sheet: link -> last click, counts
//   space::meta          "links.settling" -> first key that is not moved yet
//
// The slot is the low 14 bits of the link's id, which are random. Names of counts are those of
// core/schema/rollups.h, and `n`: the clicks that make up the total of core/schema/click_totals.h.
#include "core/schema/click_totals.h"
#include "core/schema/recent_rollups.h"

#include <span>

namespace slashpost {

// What happened to a link in one hour.
struct RecentLink {
    std::uint32_t hour = 0;
    WorkspaceId workspace;
    LinkId link;
    std::optional<Timestamp> last; // click
    data::Bytes counts;            // encoded
};

// The count of clicks for the total, as RecentLink wants it.
data::Bytes encode_total(std::int64_t clicks);

// Adds what happened; links may repeat. `hours` was read in the same transaction: what is of hours that are
// closed goes where it stays at once.
Result<void> add_recent_links(data::Txn& txn, const SettledHours& hours, std::span<const RecentLink> links);

// The total of clicks and the last one of a link in one hour, and the counts without that total.
struct RecentFigures {
    ClickTotals totals;
    data::Counts counts;
};
Result<RecentFigures> recent_figures(data::View& view, std::uint32_t hour, WorkspaceId workspace,
                                     LinkId link);

// Every link of the workspace that has something in the hour.
Result<void> each_recent_link(data::View& view, std::uint32_t hour, WorkspaceId workspace,
                              const std::function<void(LinkId, const ClickTotals&)>& visit);

// Moves a bounded batch of what hours that are closed have to where it stays; false when nothing was left.
Result<bool> settle_links(data::Txn& txn, const SettledHours& hours);

data::Bytes recent_links_key(std::uint32_t hour, WorkspaceId workspace, LinkId link);

} // namespace slashpost
