#include "core/schema/click_totals.h"

#include "core/data/packed.h"
#include "core/schema/recent_links.h"

#include <vector>

namespace slashpost {

using data::key;

namespace {

Result<ClickTotals> totals(data::View& view, const data::Bytes& tally, const data::Bytes& last_click) {
    ClickTotals out{.clicks = TRY(view.tally(tally)), .last_click_at = {}};
    if (const auto last = TRY(view.peek(space::last_clicks, last_click)))
        out.last_click_at = read_last_click(*last);
    return out;
}

} // namespace

data::Bytes link_clicks_tally(WorkspaceId workspace, LinkId link) {
    return key(counter::link_clicks, workspace, link);
}
data::Bytes link_clicks_prefix(WorkspaceId workspace) { return key(counter::link_clicks, workspace); }
data::Bytes forgotten_clicks_tally(WorkspaceId workspace) { return link_clicks_tally(workspace, LinkId()); }
data::Bytes workspace_clicks_tally(WorkspaceId workspace) {
    return key(counter::workspace_clicks, workspace);
}
data::Bytes domain_clicks_tally(DomainId domain, WorkspaceId workspace) {
    return key(counter::domain_clicks, domain, workspace);
}
data::Bytes workspace_day_tally(WorkspaceId workspace, std::uint32_t day) {
    return key(counter::workspace_days, workspace, day);
}
std::uint32_t day_of(Timestamp time) {
    constexpr std::int64_t day_ms = 24LL * 3600 * 1000;
    return static_cast<std::uint32_t>(std::max<std::int64_t>(time.ms, 0) / day_ms);
}
data::Bytes last_click_key(WorkspaceId workspace, LinkId link) { return key(workspace, link); }
data::Bytes last_clicks_prefix(WorkspaceId workspace) { return key(workspace); }
data::Bytes last_click_value(Timestamp time) { return key(time); }

std::optional<Timestamp> read_last_click(data::BytesView value) {
    if (value.size() != 8)
        return std::nullopt;
    return Timestamp{static_cast<std::int64_t>(data::big_endian(value) ^ (std::uint64_t{1} << 63))};
}

Result<void> raise_last_click(data::Txn& txn, const data::Bytes& key, Timestamp last) {
    if (const auto stored = TRY(txn.get(space::last_clicks, key)))
        if (const auto known = read_last_click(*stored); known && *known >= last)
            return {};
    return txn.put_blind(space::last_clicks, key, last_click_value(last));
}

Result<ClickTotals> settled_clicks_of_link(data::View& view, WorkspaceId workspace, LinkId link) {
    return totals(view, link_clicks_tally(workspace, link), last_click_key(workspace, link));
}

Result<ClickTotals> clicks_of_link(data::View& view, WorkspaceId workspace, LinkId link) {
    auto out = TRY(settled_clicks_of_link(view, workspace, link));
    for (const auto hour : TRY(recent_hours(view)))
        out.add(TRY(recent_figures(view, hour, workspace, link)).totals);
    return out;
}

Result<ClickTotals> clicks_of_workspace(data::View& view, WorkspaceId workspace) {
    return totals(view, workspace_clicks_tally(workspace), last_click_key(workspace, LinkId()));
}

Result<std::int64_t> clicks_of_days(data::View& view, WorkspaceId workspace, std::uint32_t first_day,
                                    std::uint32_t last_day) {
    std::int64_t clicks = 0;
    TRY(view.scan_tallies({.from = workspace_day_tally(workspace, first_day),
                           .until = data::Range::of_prefix(workspace_day_tally(workspace, last_day)).until},
                          data::Order::forward, [&](data::BytesView, std::int64_t one_day) {
                              clicks += one_day;
                              return true;
                          }));
    return clicks;
}

Result<std::int64_t> clicks_of_domain(data::View& view, DomainId domain) {
    return view.sum(key(counter::domain_clicks, domain));
}

Result<std::int64_t> clicks_of_domain(data::View& view, DomainId domain, WorkspaceId workspace) {
    return view.sum(domain_clicks_tally(domain, workspace));
}

Result<std::vector<std::pair<LinkId, ClickTotals>>> recent_clicks(data::View& view, WorkspaceId workspace) {
    std::vector<std::pair<LinkId, ClickTotals>> all;
    for (const auto hour : TRY(recent_hours(view)))
        TRY(each_recent_link(view, hour, workspace, [&](LinkId link, const ClickTotals& totals) {
            all.emplace_back(link, totals);
        }));
    std::ranges::sort(all, {}, [](const auto& one) { return one.first; });
    std::size_t kept = 0;
    for (const auto& one : all)
        if (kept != 0 && all[kept - 1].first == one.first)
            all[kept - 1].second.add(one.second);
        else
            all[kept++] = one;
    all.resize(kept);
    return all;
}

} // namespace slashpost
