#pragma once
// The orders of links by clicks, on disk, as far as clicks are settled: what hours that go on have is not in
// them (core/schema/recent_links.h), and readers add it (core/ops/click_order.h). So an entry moves once an
// hour, however often its link is clicked.
//
//   space::click_orders   workspace | order (1 byte) | value (8 bytes) | link -> nothing
//   space::meta           "click_orders" -> nothing; there when every link has its entries
//
// Every link has one entry in each order, also one that was never clicked (value 0) and one that is not
// active. The value is what core/schema/click_totals.h has for the link: its clicks, or the milliseconds of
// its last click.
#include "core/data/findings.h"
#include "core/schema/click_totals.h"

#include <vector>

namespace slashpost {

enum class RankedBy : std::uint8_t { clicks = 1, last_click = 2 }; // on disk: never renumber

// A link and what it is ranked by; 0 when it was never clicked.
struct RankedLink {
    std::int64_t value = 0;
    LinkId link;
    std::strong_ordering operator<=>(const RankedLink&) const = default;
};

// What a link with these totals is ranked by.
std::int64_t value_of(RankedBy by, const ClickTotals& totals);
// The bytes by which links of a workspace are compared in an order.
data::Bytes click_order_place(const RankedLink& ranked);
// The other way round.
RankedLink ranked_at(data::BytesView place);

// The links, which ascend, each with what it is ranked by as far as clicks are settled.
Result<std::vector<RankedLink>> rank_settled(data::View& view, WorkspaceId workspace, RankedBy by,
                                             const std::vector<LinkId>& links);

// For a link that was just made.
Result<void> enter_click_orders(data::Txn& txn, WorkspaceId workspace, LinkId link);
// Of a link that is to have no row any more: takes its entries, its total and its last click away. Its clicks
// are among the forgotten ones of its workspace from then on.
Result<void> leave_click_orders(data::Txn& txn, WorkspaceId workspace, LinkId link);
// Makes the total of a link 0 and forgets its last click, as far as clicks are settled.
Result<void> reset_settled_clicks(data::Txn& txn, WorkspaceId workspace, LinkId link);
// Adds clicks that are settled to the totals of a link and moves its entries. Two transactions that add to
// one link at the same time conflict.
Result<void> add_settled_clicks(data::Txn& txn, WorkspaceId workspace, LinkId link, const ClickTotals& more);

// Visits the links of a workspace in an order by their settled clicks, behind `after`, a place; false ends.
using VisitRanked = std::function<Result<bool>(const RankedLink&)>;
Result<void> walk_click_order(data::View& view, WorkspaceId workspace, RankedBy by, data::Order order,
                              const std::optional<data::Bytes>& after, const VisitRanked& visit);

// Says that links may lack their entries: of a restore, in the transaction that brings the links.
Result<void> forget_click_orders(data::Txn& txn);
// Says that they lack none: of a new store.
Result<void> begin_click_orders(data::Txn& txn);
// Makes all entries of all links anew, in bounded transactions, if links may lack theirs or `always`. May be
// cut off anywhere and run again. Nobody else writes meanwhile.
enum class Remake : std::uint8_t { if_forgotten, always };
Result<void> remake_click_orders(data::Engine& engine, Remake when);
// Whether every link has the entries that its totals call for, and nothing else has any.
Result<data::Findings> check_click_orders(data::View& view);

} // namespace slashpost
