#include "core/schema/recent_links.h"

#include "core/base/errors.h"
#include "core/data/packed.h"
#include "core/data/sheets.h"
#include "core/schema/schema.h"

#include <algorithm>
#include <map>

namespace slashpost {

using data::Bytes;
using data::BytesView;
using data::key;

namespace {

constexpr std::string_view settling_key = "links.settling";
constexpr std::string_view total_name = "n";
constexpr std::size_t hour_bytes = 4, workspace_bytes = 16;
constexpr std::size_t batch_links_max = 500;

std::uint16_t slot_of(const LinkId& link) {
    return static_cast<std::uint16_t>(data::big_endian(link.view().substr(14)) & 0x3fff);
}

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
    if (figures.totals.clicks != 0)
        TRY(txn.add(link_clicks_tally(workspace, link), figures.totals.clicks));
    if (auto last = figures.totals.last_click_at) {
        const auto at = last_click_key(workspace, link);
        if (const auto known = TRY(txn.get(space::last_clicks, at)))
            last = std::max(last, read_last_click(*known));
        TRY(txn.put_blind(space::last_clicks, at, last_click_value(*last)));
    }
    if (keeps_statistics && !figures.counts.empty())
        TRY(add_to_rollups(txn, Subject::of(link), begin_of(Grain::hour, hour), figures.counts));
    return {};
}

Result<void> move_figures(data::Txn& txn, const RecentLink& one) {
    const auto figures = TRY(figures_of({.id = one.link, .latest = one.last, .counts = one.counts}));
    return move_figures(txn, one.hour, one.workspace, one.link, figures, true);
}

// What happened, with what is needed to put it in order: to move that costs less than to move all of it.
struct Placed {
    std::uint32_t hour = 0;
    WorkspaceId workspace;
    std::uint16_t slot = 0;
    LinkId link;
    const RecentLink* one = nullptr;

    explicit Placed(const RecentLink& recent)
        : hour(recent.hour),
          workspace(recent.workspace),
          slot(slot_of(recent.link)),
          link(recent.link),
          one(&recent) {}
    auto operator<=>(const Placed&) const = default;
};

// Whether two stand in the same sheet.
bool are_together(const Placed& a, const Placed& b) {
    return a.hour == b.hour && a.workspace == b.workspace && a.slot == b.slot;
}

// Puts into the sheet what begins at `at` and is of one link; answers where the next link begins.
Result<std::size_t> put_link(std::span<const Placed> links, std::size_t at, data::SheetWriter& sheet) {
    const auto& first = links[at];
    auto end = at + 1;
    if (end == links.size() || links[end].link != first.link || !are_together(first, links[end])) {
        sheet.add({.id = first.link, .latest = first.one->last, .counts = first.one->counts});
        return end;
    }
    auto counts = TRY(data::Counts::decode(first.one->counts));
    auto last = first.one->last;
    for (; end < links.size() && links[end].link == first.link && are_together(first, links[end]); ++end) {
        counts.add(TRY(data::Counts::decode(links[end].one->counts)));
        last = std::max(last, links[end].one->last);
    }
    sheet.add({.id = first.link, .latest = last, .counts = counts.encode()});
    return end;
}

} // namespace

Bytes recent_links_key(std::uint32_t hour, WorkspaceId workspace, LinkId link) {
    return key(hour, workspace, slot_of(link));
}

Bytes encode_total(std::int64_t clicks) {
    data::Counts counts;
    counts.add(total_name, clicks);
    return counts.encode();
}

Result<void> add_recent_links(data::Txn& txn, const SettledHours& hours, std::span<const RecentLink> links) {
    std::vector<Placed> placed(links.begin(), links.end());
    std::ranges::sort(placed);
    std::size_t at = 0;
    for (; at < placed.size() && placed[at].hour < hours.closed; ++at)
        TRY(move_figures(txn, *placed[at].one));
    while (at < placed.size()) {
        const auto& first = placed[at];
        data::SheetWriter sheet;
        while (at < placed.size() && are_together(first, placed[at]))
            at = TRY(put_link(placed, at, sheet));
        TRY(txn.add_sheet(space::recent_links, recent_links_key(first.hour, first.workspace, first.link),
                          sheet.take()));
    }
    return {};
}

Result<RecentFigures> recent_figures(data::View& view, std::uint32_t hour, WorkspaceId workspace,
                                     LinkId link) {
    const auto sheet = TRY(view.get(space::recent_links, recent_links_key(hour, workspace, link)));
    if (!sheet)
        return RecentFigures{};
    const auto entry = TRY(data::find_in_sheet(*sheet, link));
    return entry ? figures_of(*entry) : RecentFigures{};
}

Result<void> each_recent_link(data::View& view, std::uint32_t hour, WorkspaceId workspace,
                              const std::function<void(LinkId, const ClickTotals&)>& visit) {
    Result<void> outcome;
    TRY(view.scan(space::recent_links, data::Range::of_prefix(sheets_of(hour, workspace)),
                  data::Order::forward, [&](BytesView, BytesView sheet) {
                      outcome = each_entry(sheet, [&](const data::SheetEntry& entry) -> Result<void> {
                          visit(LinkId(entry.id), TRY(figures_of(entry)).totals);
                          return {};
                      });
                      return outcome.has_value();
                  }));
    return outcome;
}

Result<bool> settle_links(data::Txn& txn, const SettledHours& hours) {
    const auto next = TRY(txn.get(space::meta, settling_key));
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
    TRY(txn.put(space::meta, settling_key, sheets.empty() ? key(hours.closed) : sheets.back() + '\0'));
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
            TRY(each_entry(*sheet, [&](const data::SheetEntry& entry) -> Result<void> {
                return move_figures(txn, hour_of(at), workspace, LinkId(entry.id), TRY(figures_of(entry)),
                                    known->second);
            }));
    }
    return !sheets.empty();
}

} // namespace slashpost
