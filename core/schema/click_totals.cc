#include "core/schema/click_totals.h"

#include "core/data/packed.h"
#include "core/schema/recent_links.h"

#include <vector>

namespace slashpost {

using data::key;

namespace {

// The link whose id ends a key.
LinkId trailing_link(data::BytesView key) { return *LinkId::from_bytes(key.substr(key.size() - 16)); }

Result<ClickTotals> totals(data::View& view, const data::Bytes& tally, const data::Bytes& last_click) {
    ClickTotals out{.clicks = TRY(view.tally(tally)), .last_click_at = {}};
    if (const auto last = TRY(view.peek(space::last_clicks, last_click)))
        out.last_click_at = read_last_click(*last);
    return out;
}

// The links that were clicked in hours that go on, in the order of ids.
class RecentTotals {
  public:
    static Result<RecentTotals> of(data::View& view, WorkspaceId workspace) {
        RecentTotals recent;
        for (const auto hour : TRY(recent_hours(view)))
            TRY(each_recent_link(view, hour, workspace, [&](LinkId link, const ClickTotals& totals) {
                recent.all_.emplace_back(link, totals);
            }));
        std::ranges::sort(recent.all_, {}, &Entry::first);
        return recent;
    }
    // Visits those before the link, or all that are left, and takes what there is of the link itself; `visit`
    // answers false to end. Links come in the order of their ids.
    template <class Visit>
    bool visit_until(const std::optional<LinkId>& link, const Visit& visit, ClickTotals& of_link) {
        while (next_ < all_.size() && (!link || all_[next_].first <= *link)) {
            const auto id = all_[next_].first;
            ClickTotals totals;
            for (; next_ < all_.size() && all_[next_].first == id; ++next_)
                totals.add(all_[next_].second);
            if (link && id == *link)
                of_link.add(totals);
            else if (!visit(id, totals))
                return false;
        }
        return true;
    }

  private:
    using Entry = std::pair<LinkId, ClickTotals>;
    std::vector<Entry> all_;
    std::size_t next_ = 0;
};

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

Result<void> each_clicked_link(data::View& view, WorkspaceId workspace,
                               const std::function<bool(LinkId, std::int64_t)>& visit) {
    auto recent = TRY(RecentTotals::of(view, workspace));
    const auto visit_recent = [&](LinkId link, const ClickTotals& totals) {
        return totals.clicks == 0 || visit(link, totals.clicks);
    };
    bool more = true;
    TRY(view.scan_tallies(data::Range::of_prefix(key(counter::link_clicks, workspace)), data::Order::forward,
                          [&](data::BytesView tally, std::int64_t clicks) {
                              const auto link = trailing_link(tally);
                              ClickTotals totals{.clicks = clicks, .last_click_at = {}};
                              more = recent.visit_until(link, visit_recent, totals) &&
                                     visit(link, totals.clicks);
                              return more;
                          }));
    ClickTotals none;
    if (more)
        recent.visit_until(std::nullopt, visit_recent, none);
    return {};
}

Result<void> each_last_click(data::View& view, WorkspaceId workspace,
                             const std::function<bool(LinkId, Timestamp)>& visit) {
    auto recent = TRY(RecentTotals::of(view, workspace));
    const auto visit_link = [&](LinkId link, const ClickTotals& totals) {
        return !totals.last_click_at || link.empty() || visit(link, *totals.last_click_at);
    };
    bool more = true;
    TRY(view.scan(space::last_clicks, data::Range::of_prefix(key(workspace)), data::Order::forward,
                  [&](data::BytesView at, data::BytesView value) {
                      const auto link = trailing_link(at);
                      ClickTotals totals{.clicks = 0, .last_click_at = read_last_click(value)};
                      more = recent.visit_until(link, visit_link, totals) && visit_link(link, totals);
                      return more;
                  }));
    ClickTotals none;
    if (more)
        recent.visit_until(std::nullopt, visit_link, none);
    return {};
}

// Keys of space::journal that are longer are those of another reader (core/clicks/journal_reader.h).
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
