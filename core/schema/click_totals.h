#pragma once
// What clicks add up to. These figures are accumulated by folding the click journal
// (core/clicks/clicks.h), not derived from rows, so a fold reads nothing per link and a link's row stays
// as it is. Those of links get here when an hour is over; until then they are in core/schema/recent_links.h:
//
//   tally  counter | workspace [| link]                         -> clicks
//   tally  counter | domain | workspace                         -> clicks on links of the workspace there
//          counter | domain                                     -> those of before workspaces were told apart
//   tally  counter | workspace | day (4 bytes)                  -> clicks of that day, UTC
//   space::last_clicks   workspace | link                       -> Timestamp in key form (8 bytes)
//                        workspace | 16 zero bytes              -> the same of the workspace as a whole
#include "core/data/key.h"
#include "core/schema/spaces.h"

#include <algorithm>
#include <vector>

namespace slashpost {

struct ClickTotals {
    std::int64_t clicks = 0;
    std::optional<Timestamp> last_click_at;
    void add(const ClickTotals& more) {
        clicks += more.clicks;
        last_click_at = std::max(last_click_at, more.last_click_at);
    }
    bool operator==(const ClickTotals&) const = default;
};

data::Bytes link_clicks_tally(WorkspaceId workspace, LinkId link);
// Of the tallies of all its links, and of what they forgot.
data::Bytes link_clicks_prefix(WorkspaceId workspace);
// Of the clicks of links that were erased, or reset since: their workspace and domain keep them.
data::Bytes forgotten_clicks_tally(WorkspaceId workspace);
data::Bytes workspace_clicks_tally(WorkspaceId workspace);
data::Bytes domain_clicks_tally(DomainId domain, WorkspaceId workspace);
data::Bytes workspace_day_tally(WorkspaceId workspace, std::uint32_t day);
// The day of a time: days since 1970, UTC.
std::uint32_t day_of(Timestamp time);
data::Bytes last_click_key(WorkspaceId workspace, LinkId link);
data::Bytes last_clicks_prefix(WorkspaceId workspace); // of the keys of all its links
data::Bytes last_click_value(Timestamp time);
// Nothing when the bytes are no such value.
std::optional<Timestamp> read_last_click(data::BytesView value);
// Writes it unless a later one stands there.
Result<void> raise_last_click(data::Txn& txn, const data::Bytes& key, Timestamp last);

// For many links, RollupReader::link is quicker.
Result<ClickTotals> clicks_of_link(data::View& view, WorkspaceId workspace, LinkId link);
// Without what hours that go on have (core/schema/recent_links.h).
Result<ClickTotals> settled_clicks_of_link(data::View& view, WorkspaceId workspace, LinkId link);
Result<ClickTotals> clicks_of_workspace(data::View& view, WorkspaceId workspace);
// From the first day to the last, both included. What was folded before days were counted is not in it.
Result<std::int64_t> clicks_of_days(data::View& view, WorkspaceId workspace, std::uint32_t first_day,
                                    std::uint32_t last_day);
Result<std::int64_t> clicks_of_domain(data::View& view, DomainId domain);
// The part of one workspace: what the others have is none of its business.
Result<std::int64_t> clicks_of_domain(data::View& view, DomainId domain, WorkspaceId workspace);

// What the links of a workspace have in hours that go on, in the order of their ids, each once.
Result<std::vector<std::pair<LinkId, ClickTotals>>> recent_clicks(data::View& view, WorkspaceId workspace);

} // namespace slashpost
