#include "core/schema/click_totals.h"

#include "core/data/packed.h"
#include "core/schema/recent_links.h"

#include <unordered_map>

namespace slashpost {

using data::key;

namespace {

// The link whose id ends a key.
LinkId trailing_link(data::BytesView key) { return *LinkId::from_bytes(key.substr(key.size() - 16)); }

Result<ClickTotals> totals(data::View& view, const data::Bytes& tally, const data::Bytes& last_click) {
    ClickTotals out{.clicks = TRY(view.tally(tally)), .last_click_at = {}};
    if (const auto last = TRY(view.get(space::last_clicks, last_click)))
        out.last_click_at = read_last_click(*last);
    return out;
}

struct HashLink {
    std::size_t operator()(const LinkId& link) const { return std::hash<std::string_view>()(link.view()); }
};

// Of the links that were clicked in hours that go on.
Result<std::unordered_map<LinkId, ClickTotals, HashLink>> recent_totals(data::View& view,
                                                                        WorkspaceId workspace) {
    std::unordered_map<LinkId, ClickTotals, HashLink> totals;
    for (const auto hour : TRY(recent_hours(view)))
        TRY(each_recent_link(view, hour, workspace,
                             [&](LinkId link, const ClickTotals& more) { totals[link].add(more); }));
    return totals;
}

} // namespace

data::Bytes link_clicks_tally(WorkspaceId workspace, LinkId link) {
    return key(counter::link_clicks, workspace, link);
}
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
data::Bytes last_click_value(Timestamp time) { return key(time); }

std::optional<Timestamp> read_last_click(data::BytesView value) {
    if (value.size() != 8)
        return std::nullopt;
    return Timestamp{static_cast<std::int64_t>(data::big_endian(value) ^ (std::uint64_t{1} << 63))};
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

Result<void> each_clicked_link(data::View& view, WorkspaceId workspace,
                               const std::function<bool(LinkId, std::int64_t)>& visit) {
    auto recent = TRY(recent_totals(view, workspace));
    bool more = true;
    TRY(view.scan_tallies(data::Range::of_prefix(key(counter::link_clicks, workspace)), data::Order::forward,
                          [&](data::BytesView tally, std::int64_t clicks) {
                              const auto link = trailing_link(tally);
                              if (const auto found = recent.extract(link))
                                  clicks += found.mapped().clicks;
                              return more = visit(link, clicks);
                          }));
    for (auto it = recent.begin(); more && it != recent.end(); ++it)
        if (it->second.clicks != 0)
            more = visit(it->first, it->second.clicks);
    return {};
}

Result<void> each_last_click(data::View& view, WorkspaceId workspace,
                             const std::function<bool(LinkId, Timestamp)>& visit) {
    auto recent = TRY(recent_totals(view, workspace));
    bool more = true;
    TRY(view.scan(space::last_clicks, data::Range::of_prefix(key(workspace)), data::Order::forward,
                  [&](data::BytesView at, data::BytesView value) {
                      auto time = read_last_click(value);
                      const auto link = trailing_link(at);
                      if (const auto found = recent.extract(link))
                          time = std::max(time, found.mapped().last_click_at);
                      return more = !time || link.empty() || visit(link, *time);
                  }));
    for (auto it = recent.begin(); more && it != recent.end(); ++it)
        if (it->second.last_click_at)
            more = visit(it->first, *it->second.last_click_at);
    return {};
}

// Keys of space::journal that are longer are those of another reader (core/redirect/journal_reader.h).
Result<std::uint64_t> folded_records(data::View& view) {
    std::uint64_t records = 0;
    TRY(view.scan(space::journal, {}, data::Order::forward, [&](data::BytesView lane, data::BytesView value) {
        if (lane.size() == 4)
            records += data::big_endian(value);
        return true;
    }));
    return records;
}

} // namespace slashpost
