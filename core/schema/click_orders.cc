#include "core/schema/click_orders.h"

#include "core/data/gather.h"
#include "core/data/packed.h"
#include "core/schema/schema.h"

#include <array>
#include <fmt/format.h>

namespace slashpost {

using data::key;

namespace {

constexpr std::string_view complete_key = "click_orders";
constexpr std::array orders{RankedBy::clicks, RankedBy::last_click};
constexpr std::size_t place_bytes = 8 + sizeof(LinkId);
constexpr std::size_t links_per_batch = 2000;

data::Bytes entry_key(WorkspaceId workspace, RankedBy by, const RankedLink& ranked) {
    return key(workspace, by, data::Raw{click_order_place(ranked)});
}

Result<void> put_entries(data::Txn& txn, WorkspaceId workspace, LinkId link, const ClickTotals& totals) {
    for (const auto by : orders)
        TRY(txn.put_blind(space::click_orders,
                          entry_key(workspace, by, {.value = value_of(by, totals), .link = link}), {}));
    return {};
}

// Erases a batch of all entries there are; false when none is left.
Result<bool> erase_batch(data::Txn& txn) {
    std::vector<data::Bytes> found;
    TRY(txn.scan(space::click_orders, {}, data::Order::forward, [&](data::BytesView at, data::BytesView) {
        found.emplace_back(at);
        return found.size() < 2 * links_per_batch;
    }));
    for (const auto& at : found)
        TRY(txn.erase_blind(space::click_orders, at));
    return !found.empty();
}

// Makes the entries of a batch of links behind `after`, a primary key, which moves on; false at the end.
Result<bool> put_batch(data::Txn& txn, data::Bytes& after) {
    std::vector<std::pair<WorkspaceId, LinkId>> links;
    TRY(schema().links.each(
        txn,
        [&](const Link& link) -> Result<bool> {
            links.emplace_back(link.workspace, link.id);
            return links.size() < links_per_batch;
        },
        after));
    for (const auto& [workspace, link] : links)
        TRY(put_entries(txn, workspace, link, TRY(settled_clicks_of_link(txn, workspace, link))));
    if (!links.empty())
        after = data::Bytes(links.back().second.view());
    return links.size() == links_per_batch;
}

} // namespace

std::int64_t value_of(RankedBy by, const ClickTotals& totals) {
    return by == RankedBy::clicks ? totals.clicks : totals.last_click_at.value_or(Timestamp{}).ms;
}

data::Bytes click_order_place(const RankedLink& ranked) { return key(ranked.value, ranked.link); }

RankedLink ranked_at(data::BytesView place) {
    const auto value = data::big_endian(place.substr(0, 8)) ^ (std::uint64_t{1} << 63);
    return {.value = static_cast<std::int64_t>(value), .link = *LinkId::from_bytes(place.substr(8))};
}

Result<std::vector<RankedLink>> rank_settled(data::View& view, WorkspaceId workspace, RankedBy by,
                                             const std::vector<LinkId>& links) {
    std::vector<RankedLink> ranked(links.size());
    for (std::size_t place = 0; place < links.size(); ++place)
        ranked[place].link = links[place];
    if (by == RankedBy::clicks)
        TRY(data::gather_tallies(view, link_clicks_prefix(workspace), links,
                                 [&](std::size_t place, std::int64_t clicks) -> Result<void> {
                                     ranked[place].value = clicks;
                                     return {};
                                 }));
    else
        TRY(data::gather(view, space::last_clicks, last_clicks_prefix(workspace), links,
                         [&](std::size_t place, data::BytesView last) -> Result<void> {
                             ranked[place].value = read_last_click(last).value_or(Timestamp{}).ms;
                             return {};
                         }));
    return ranked;
}

Result<void> enter_click_orders(data::Txn& txn, WorkspaceId workspace, LinkId link) {
    return put_entries(txn, workspace, link, {});
}

Result<void> leave_click_orders(data::Txn& txn, WorkspaceId workspace, LinkId link) {
    const auto was = TRY(settled_clicks_of_link(txn, workspace, link));
    for (const auto by : orders)
        TRY(txn.erase(space::click_orders,
                      entry_key(workspace, by, {.value = value_of(by, was), .link = link})));
    if (was.clicks != 0) {
        TRY(txn.add(link_clicks_tally(workspace, link), -was.clicks));
        TRY(txn.add(forgotten_clicks_tally(workspace), was.clicks));
    }
    return txn.erase(space::last_clicks, last_click_key(workspace, link));
}

Result<void> reset_settled_clicks(data::Txn& txn, WorkspaceId workspace, LinkId link) {
    TRY(leave_click_orders(txn, workspace, link));
    for (const auto by : orders)
        TRY(txn.put(space::click_orders, entry_key(workspace, by, {.value = value_of(by, {}), .link = link}),
                    {}));
    return {};
}

Result<void> add_settled_clicks(data::Txn& txn, WorkspaceId workspace, LinkId link, const ClickTotals& more) {
    const auto was = TRY(settled_clicks_of_link(txn, workspace, link));
    auto now = was;
    now.add(more);
    for (const auto by : orders) {
        const auto before = value_of(by, was), after = value_of(by, now);
        if (before == after)
            continue;
        TRY(txn.erase(space::click_orders, entry_key(workspace, by, {.value = before, .link = link})));
        TRY(txn.put(space::click_orders, entry_key(workspace, by, {.value = after, .link = link}), {}));
    }
    if (more.clicks != 0)
        TRY(txn.add(link_clicks_tally(workspace, link), more.clicks));
    if (now.last_click_at && now.last_click_at != was.last_click_at)
        TRY(txn.put_blind(space::last_clicks, last_click_key(workspace, link),
                          last_click_value(*now.last_click_at)));
    return {};
}

Result<void> walk_click_order(data::View& view, WorkspaceId workspace, RankedBy by, data::Order order,
                              const std::optional<data::Bytes>& after, const VisitRanked& visit) {
    return data::walk_entries(view, space::click_orders, key(workspace, by),
                              {.scope = {}, .order = order, .after = after, .from = {}, .until = {}},
                              place_bytes, [&](data::BytesView place) { return visit(ranked_at(place)); });
}

Result<void> forget_click_orders(data::Txn& txn) { return txn.erase_blind(space::meta, complete_key); }

Result<void> begin_click_orders(data::Txn& txn) { return txn.put(space::meta, complete_key, {}); }

Result<void> remake_click_orders(data::Engine& engine, Remake when) {
    if (when == Remake::if_forgotten &&
        TRY(engine.read([](data::View& view) { return view.get(space::meta, complete_key); })))
        return {};
    TRY(engine.transact(forget_click_orders));
    while (TRY(engine.transact(erase_batch))) {
    }
    for (data::Bytes after, next;; after = next) {
        const bool more = TRY(engine.transact([&](data::Txn& txn) {
            next = after; // it may run again
            return put_batch(txn, next);
        }));
        if (!more)
            return engine.transact(begin_click_orders);
    }
}

// Every entry is one that its link's totals call for, and there are as many as links call for.
Result<data::Findings> check_click_orders(data::View& view) {
    data::Findings findings;
    std::int64_t entries = 0;
    Result<void> outcome;
    const auto check = [&](data::BytesView at) -> Result<void> {
        ++findings.rows;
        ++entries;
        const auto workspace = WorkspaceId::from_bytes(at.substr(0, sizeof(WorkspaceId)));
        const auto place = at.substr(std::min(at.size(), sizeof(WorkspaceId) + 1));
        const auto by = at.size() > sizeof(WorkspaceId) ? RankedBy(at[sizeof(WorkspaceId)]) : RankedBy();
        if (!workspace || place.size() != place_bytes || std::ranges::find(orders, by) == orders.end()) {
            findings.add(fmt::format("clicks: the order {} has a strange key", data::printable(at)));
            return {};
        }
        const auto ranked = ranked_at(place);
        const auto link = TRY(schema().links.find(view, ranked.link.view()));
        const auto totals = TRY(settled_clicks_of_link(view, *workspace, ranked.link));
        if (!link || link->workspace != *workspace || ranked.value != value_of(by, totals))
            findings.add(fmt::format("clicks: link {} of workspace {} is in an order with the value {}",
                                     ranked.link.hex(), workspace->hex(), ranked.value));
        return {};
    };
    TRY(view.scan(space::click_orders, {}, data::Order::forward, [&](data::BytesView at, data::BytesView) {
        outcome = check(at);
        return outcome.has_value();
    }));
    TRY(outcome);
    const auto links = TRY(view.sum(schema().links.per_workspace.prefix()));
    if (entries != 2 * links)
        findings.add(fmt::format("clicks: the orders have {} entries for {} links", entries, links));
    return findings;
}

} // namespace slashpost
