#include "core/schema/recent_links.h"

#include "core/base/errors.h"
#include "core/data/packed.h"
#include "core/schema/click_orders.h"
#include "core/schema/schema.h"

#include <algorithm>
#include <array>

namespace slashpost {

using data::Bytes;
using data::BytesView;
using data::key;

namespace {

constexpr std::string_view links_settling_key = "links.settling";
constexpr BytesView total_name(&total_group, 1);
constexpr std::size_t hour_bytes = 4, workspace_bytes = 16;
constexpr std::size_t batch_links_max = 500;

Bytes sheets_of(std::uint32_t hour, WorkspaceId workspace) { return key(hour, workspace); }

std::uint32_t hour_of(BytesView at) {
    return static_cast<std::uint32_t>(data::big_endian(at.substr(0, hour_bytes)));
}

WorkspaceId workspace_of(BytesView at) {
    return *WorkspaceId::from_bytes(at.substr(hour_bytes, workspace_bytes));
}

// Calls `visit(const data::SheetEntry&) -> Result<void>` for each entry of a sheet.
template <class Visit>
Result<void> each_entry(BytesView sheet, const Visit& visit) {
    data::SheetReader reader(sheet);
    while (const auto entry = reader.next())
        TRY(visit(*entry));
    if (!reader.good())
        return fault("a sheet of counts cannot be read");
    return {};
}

Result<RecentFigures> figures_of(const data::SheetEntry& entry) {
    const auto all = TRY(data::Counts::decode(entry.counts));
    RecentFigures figures{.totals = {.clicks = all.of(total_name), .last_click_at = entry.latest},
                          .counts = {}};
    std::vector<data::Count> others;
    for (const auto& count : all.all())
        if (count.name != total_name)
            others.push_back(count);
    figures.counts = data::Counts::of(std::move(others));
    return figures;
}

// Puts what happened to a link in one hour where it stays.
Result<void> move_figures(data::Txn& txn, std::uint32_t hour, WorkspaceId workspace, LinkId link,
                          const RecentFigures& figures, bool keeps_statistics) {
    TRY(add_settled_clicks(txn, workspace, link, figures.totals));
    if (keeps_statistics && !figures.counts.empty())
        TRY(add_to_rollups(txn, Subject::of(link), begin_of(Grain::hour, hour), figures.counts));
    return {};
}

// Those of all links of a sheet.
Result<void> move_sheet(data::Txn& txn, std::uint32_t hour, WorkspaceId workspace, BytesView sheet,
                        bool keeps_statistics) {
    return each_entry(sheet, [&](const data::SheetEntry& entry) -> Result<void> {
        return move_figures(txn, hour, workspace, LinkId(entry.id), TRY(figures_of(entry)), keeps_statistics);
    });
}

} // namespace

std::uint16_t slot_of(const LinkId& link) {
    return static_cast<std::uint16_t>(data::big_endian(link.view().substr(14)) & 0xfff);
}

Bytes recent_links_key(std::uint32_t hour, WorkspaceId workspace, LinkId link) {
    return key(hour, workspace, slot_of(link));
}

void RecentLinks::add(const RecentLink& one) {
    auto& open = open_[one.hour];
    if (!open.counts.empty() && open.workspace == one.workspace && open.link == one.link) {
        auto sum = data::merge_counts(std::array<BytesView, 2>{open.counts, one.counts});
        good_ = good_ && sum;
        open.counts = std::move(sum).value_or(data::Bytes());
        open.last = std::max(open.last, one.last);
        return;
    }
    close_link(open);
    if (open.workspace != one.workspace || slot_of(open.link) != slot_of(one.link))
        close_sheet(one.hour, open);
    open.workspace = one.workspace;
    open.link = one.link;
    open.last = one.last;
    open.counts = one.counts;
}

void RecentLinks::close_link(Open& open) {
    if (open.counts.empty())
        return;
    if (open.sheets.size() == open.begin)
        data::begin_sheet(open.sheets);
    data::add_to_sheet(open.sheets, {.id = open.link, .latest = open.last, .counts = open.counts});
    open.counts.clear();
}

void RecentLinks::close_sheet(std::uint32_t hour, Open& open) {
    const auto size = open.sheets.size() - open.begin;
    if (size != 0)
        sheets_.push_back({.hour = hour,
                           .workspace = open.workspace,
                           .link = open.link,
                           .begin = open.begin,
                           .size = size});
    open.begin += size;
}

void RecentLinks::clear() {
    sheets_.clear();
    std::erase_if(open_, [](const auto& one) { return one.second.sheets.empty(); }); // seldom come again
    for (auto& [hour, open] : open_) {
        open.sheets.clear();
        open.begin = 0;
        open.counts.clear();
    }
    good_ = true;
}

Result<void> RecentLinks::write(data::Txn& txn, const SettledHours& hours) {
    if (!good_)
        return fault("counts of a link cannot be read");
    for (auto& [hour, open] : open_) {
        close_link(open);
        close_sheet(hour, open);
    }
    for (const auto& sheet : sheets_)
        if (sheet.hour < hours.closed)
            TRY(move_sheet(txn, sheet.hour, sheet.workspace, bytes_of(sheet), true));
    for (const auto& sheet : sheets_) {
        if (sheet.hour >= hours.closed)
            TRY(txn.merge(space::recent_links, recent_links_key(sheet.hour, sheet.workspace, sheet.link),
                          bytes_of(sheet)));
    }
    return {};
}

Result<RecentFigures> recent_figures(data::View& view, std::uint32_t hour, WorkspaceId workspace,
                                     LinkId link) {
    const auto sheet = TRY(view.peek(space::recent_links, recent_links_key(hour, workspace, link)));
    if (!sheet)
        return RecentFigures{};
    const auto entry = TRY(data::find_in_sheet(*sheet, link));
    return entry ? figures_of(*entry) : RecentFigures{};
}

Result<void> forget_recent(data::Txn& txn, std::uint32_t hour, WorkspaceId workspace, LinkId link) {
    const auto at = recent_links_key(hour, workspace, link);
    const auto sheet =
        TRY(txn.get(space::recent_links, at)); // tracked: who adds meanwhile comes before or after
    if (!sheet || !TRY(data::find_in_sheet(*sheet, link)))
        return {};
    Bytes others;
    data::begin_sheet(others);
    const auto empty_bytes = others.size();
    TRY(each_entry(*sheet, [&](const data::SheetEntry& entry) -> Result<void> {
        if (LinkId(entry.id) != link)
            data::add_to_sheet(others, entry);
        return {};
    }));
    return others.size() == empty_bytes ? txn.erase(space::recent_links, at)
                                        : txn.put(space::recent_links, at, others);
}

Result<void> each_recent_link(data::View& view, std::uint32_t hour, WorkspaceId workspace,
                              const std::function<void(LinkId, const ClickTotals&)>& visit) {
    Result<void> outcome;
    TRY(view.scan(space::recent_links, data::Range::of_prefix(sheets_of(hour, workspace)),
                  data::Order::forward, [&](BytesView, BytesView sheet) {
                      outcome = each_entry(sheet, [&](const data::SheetEntry& entry) -> Result<void> {
                          visit(LinkId(entry.id), {.clicks = TRY(data::count_of(entry.counts, total_name)),
                                                   .last_click_at = entry.latest});
                          return {};
                      });
                      return outcome.has_value();
                  }));
    return outcome;
}

Result<bool> settle_links(data::Txn& txn, const SettledHours& hours) {
    const auto next = TRY(txn.get(space::meta, links_settling_key));
    std::vector<Bytes> sheets; // their keys
    std::size_t links = 0;
    Result<void> outcome;
    TRY(txn.scan(space::recent_links, {.from = next ? *next : key(hours.settled), .until = key(hours.closed)},
                 data::Order::forward, [&](BytesView at, BytesView sheet) {
                     sheets.emplace_back(at);
                     outcome = each_entry(sheet, [&](const data::SheetEntry&) -> Result<void> {
                         ++links;
                         return {};
                     });
                     return outcome.has_value() && links < batch_links_max;
                 }));
    TRY(outcome);
    TRY(txn.put(space::meta, links_settling_key, sheets.empty() ? key(hours.closed) : sheets.back() + '\0'));
    std::map<WorkspaceId, bool> keeps_statistics; // a purge erases those of a deleted workspace
    for (const auto& at : sheets) {
        const auto workspace = workspace_of(at);
        const auto [known, is_new] = keeps_statistics.try_emplace(workspace);
        if (is_new) {
            const auto row = TRY(schema().workspaces.find(txn, workspace.view()));
            known->second = !row || !row->deleted_at;
        }
        const auto sheet = TRY(txn.get(space::recent_links, at)); // a scan is not tracked
        TRY(txn.erase(space::recent_links, at));
        if (sheet)
            TRY(move_sheet(txn, hour_of(at), workspace, *sheet, known->second));
    }
    return !sheets.empty();
}

} // namespace slashpost
