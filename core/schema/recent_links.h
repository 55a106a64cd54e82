#pragma once
// Clicks of links in hours that go on, many links to a write (core/data/sheets.h). They are by far the most
// that a fold writes; when their hour is over they are moved to where they stay, with the rest of the hour
// (core/schema/recent_rollups.h). Who reads adds both up.
//
//   space::recent_links  hour (4 bytes) | workspace | slot (2 bytes) -> sheet: link -> last click, counts
//   space::meta          "links.settling" -> first key that is not moved yet
//
// The slot is the low 12 bits of the link's id, which are random: few enough that the links of a busy fold
// share them, and so many that a sheet is read in no time. Names of counts are those of
// core/schema/rollups.h, and `n`: the clicks that make up the total of core/schema/click_totals.h.
#include "core/data/sheets.h"
#include "core/schema/click_totals.h"
#include "core/schema/recent_rollups.h"

#include <map>
#include <vector>

namespace slashpost {

// What happened to a link in one hour.
struct RecentLink {
    std::uint32_t hour = 0;
    WorkspaceId workspace;
    LinkId link;
    std::optional<Timestamp> last; // click
    data::BytesView counts;        // encoded
};

// The name of the clicks that make up the total.
inline constexpr char total_group = 'n';

// What is the same for the links of one sheet of a workspace: those of lower slots come first.
std::uint16_t slot_of(const LinkId& link);

// What happened to many links, gathered into sheets to be written at once.
class RecentLinks {
  public:
    // As if nothing had been added. Keeps memory, which is cheaper than having it again from the system.
    void clear();
    // Those of one hour come in ascending order of workspace, slot and link; links may repeat.
    void add(const RecentLink& one);
    // `hours` was read in the same transaction: what is of hours that are closed goes where it stays at once.
    // Nothing is to be added after it. Fails with a fault when counts could not be read.
    Result<void> write(data::Txn& txn, const SettledHours& hours);

  private:
    // Of an hour.
    struct Open {
        WorkspaceId workspace;
        LinkId link;
        std::optional<Timestamp> last;
        data::Bytes counts;    // of the link, which may come again; empty: there is none
        data::Bytes sheets;    // one after the other
        std::size_t begin = 0; // of the one that is being gathered
    };
    struct Sheet {
        std::uint32_t hour = 0;
        WorkspaceId workspace;
        LinkId link;                     // one of them
        std::size_t begin = 0, size = 0; // in those of the hour
    };
    void close_link(Open& open);
    void close_sheet(std::uint32_t hour, Open& open);
    [[nodiscard]] data::BytesView bytes_of(const Sheet& sheet) const {
        return data::BytesView(open_.at(sheet.hour).sheets).substr(sheet.begin, sheet.size);
    }

    std::map<std::uint32_t, Open> open_; // by hour
    std::vector<Sheet> sheets_;
    bool good_ = true;
};

// The total of clicks and the last one of a link in one hour, and the counts without that total.
struct RecentFigures {
    ClickTotals totals;
    data::Counts counts;
};
Result<RecentFigures> recent_figures(data::View& view, std::uint32_t hour, WorkspaceId workspace,
                                     LinkId link);

// Takes what the link has in the hour away.
Result<void> forget_recent(data::Txn& txn, std::uint32_t hour, WorkspaceId workspace, LinkId link);

// Every link of the workspace that has something in the hour.
Result<void> each_recent_link(data::View& view, std::uint32_t hour, WorkspaceId workspace,
                              const std::function<void(LinkId, const ClickTotals&)>& visit);

// Moves a bounded batch of what hours that are closed have to where it stays; false when nothing was left.
Result<bool> settle_links(data::Txn& txn, const SettledHours& hours);

data::Bytes recent_links_key(std::uint32_t hour, WorkspaceId workspace, LinkId link);

} // namespace slashpost
