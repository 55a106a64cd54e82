#pragma once
// What clicks add up to. These figures are accumulated by folding the click journal
// (core/redirect/clicks.h), not derived from rows, so a fold reads nothing per link and a link's row stays
// as it is:
//
//   tally  counter | workspace [| link]  or  counter | domain   -> clicks
//   space::last_clicks   workspace | link                       -> Timestamp in key form (8 bytes)
#include "core/data/key.h"
#include "core/schema/spaces.h"

namespace slashpost {

struct ClickTotals {
    std::int64_t clicks = 0;
    std::optional<Timestamp> last_click_at;
};

data::Bytes link_clicks_tally(WorkspaceId workspace, LinkId link);
data::Bytes workspace_clicks_tally(WorkspaceId workspace);
data::Bytes domain_clicks_tally(DomainId domain);
data::Bytes last_click_key(WorkspaceId workspace, LinkId link);
data::Bytes last_click_value(Timestamp time);
// Nothing when the bytes are no such value.
std::optional<Timestamp> read_last_click(data::BytesView value);

Result<ClickTotals> clicks_of_link(data::View& view, WorkspaceId workspace, LinkId link);
Result<std::int64_t> clicks_of_workspace(data::View& view, WorkspaceId workspace);
Result<std::int64_t> clicks_of_domain(data::View& view, DomainId domain);

// Every link of the workspace that was ever clicked; deleted ones too. `visit` answers false to end.
Result<void> each_clicked_link(data::View& view, WorkspaceId workspace,
                               const std::function<bool(LinkId, std::int64_t clicks)>& visit);
Result<void> each_last_click(data::View& view, WorkspaceId workspace,
                             const std::function<bool(LinkId, Timestamp)>& visit);

} // namespace slashpost
