#include "core/redirect/rollup_fold.h"

#include "core/redirect/tags_of_places.h"
#include "core/schema/recent_links.h"
#include "core/schema/schema.h"

#include <algorithm>
#include <map>
#include <set>

namespace slashpost::redirect {

namespace {

using Row = RollupBatch::Row;

// What else than its link a click counts for.
struct Further {
    Subject subject;
    std::optional<Timestamp> last; // click; kept of tags and domains
    bool keeps_last = false;
    std::map<std::uint32_t, std::vector<std::uint32_t>> hours; // -> numbers of rows of places
    std::vector<Row> rows;
};

// What the store says of the workspaces and tags in a batch.
struct Known {
    std::set<WorkspaceId> deleted;
    TagsOfPlaces tags;
};

Result<Known> look_up(data::Engine& engine, const RollupBatch& batch) {
    return engine.read([&](data::View& view) -> Result<Known> {
        Known known;
        std::set<WorkspaceId> seen;
        for (const auto& site : batch.sites())
            if (seen.insert(site.workspace).second)
                if (const auto row = TRY(schema().workspaces.find(view, site.workspace.view()));
                    row && row->deleted_at)
                    known.deleted.insert(site.workspace);
        known.tags = TRY(TagFinder(view, batch).find());
        return known;
    });
}

// Gathers what the rows of places count for besides.
class Gathering {
  public:
    Gathering(const RollupBatch& batch, const Known& known) : batch_(batch), known_(known) {
        for (const auto& site : batch.sites()) {
            site_numbers_.push_back(number_of(Subject::of(site.domain, site.workspace), true));
            workspace_numbers_.push_back(number_of(Subject::of(site.workspace), false));
        }
        for (const auto& tag : known.tags.tags())
            tag_numbers_.push_back(number_of(Subject::of(tag), true));
    }

    void add(const Row& row, std::uint32_t number) {
        const auto& place = batch_.places()[row.of];
        add_to(further_[site_numbers_[place.site]], row, number);
        add_to(further_[workspace_numbers_[place.site]], row, number);
        for (const auto tag : known_.tags.of(row.of))
            add_to(further_[tag_numbers_[tag]], row, number);
    }
    std::vector<Further> take() { return std::move(further_); }

  private:
    std::size_t number_of(Subject subject, bool keeps_last) {
        const auto [found, is_new] = numbers_.emplace(subject.prefix, further_.size());
        if (is_new)
            further_.push_back({.subject = std::move(subject), .keeps_last = keeps_last});
        return found->second;
    }
    void add_to(Further& further, const Row& row, std::uint32_t number) {
        further.hours[row.hour].push_back(number);
        further.last = std::max(further.last, batch_.places()[row.of].last);
    }

    const RollupBatch& batch_;
    const Known& known_;
    std::map<data::Bytes, std::size_t> numbers_;
    std::vector<Further> further_;
    std::vector<std::size_t> site_numbers_, workspace_numbers_, tag_numbers_;
};

Result<void> write_last(data::Txn& txn, const Further& further) {
    if (!further.keeps_last || !further.last)
        return {};
    const auto at = last_click_key(further.subject);
    auto last = *further.last;
    if (const auto known = TRY(txn.get(space::last_clicks, at)))
        last = std::max(last, read_last_click(*known).value_or(last));
    return txn.put_blind(space::last_clicks, at, last_click_value(last));
}

} // namespace

// Stops where the lane's clock was set back by more than half an hour, so that what was clicked before is
// folded before what was clicked after, by whatever lane it came.
Result<void> RollupFold::take_lane(Stretch& stretch, std::uint64_t share, RollupBatch& batch,
                                   FoldReport& report) {
    if (batch.full() || stretch.next == stretch.until)
        return {};
    const auto end = stretch.until - stretch.next > share ? stretch.next + share : stretch.until;
    auto& clock = clocks_[stretch.lane];
    return journal_.read(stretch.lane, stretch.next, [&](data::BytesView record) {
        const auto click = decode_click(record);
        if (click) {
            const auto seconds = seconds_of(click->time);
            if (std::uint64_t{seconds} + session_seconds < clock)
                return false;
            clock = std::max(clock, seconds);
            batch.add(*click);
        } else {
            ++report.unreadable;
        }
        return ++stretch.next != end && !batch.full();
    });
}

Result<RollupBatch> RollupFold::take(std::vector<Stretch>& stretches, FoldReport& report) {
    RollupBatch batch;
    // A long journal is read in all lanes at the same pace, so that clicks stay in the order of time, nearly.
    const auto share = RollupBatch::visits_max / stretches.size();
    const auto from_all = [&]() -> Result<void> {
        clocks_.resize(std::max<std::size_t>(clocks_.size(), journal_.lane_count()));
        for (auto& stretch : stretches)
            TRY(take_lane(stretch, share, batch, report));
        return {};
    };
    TRY(from_all());
    if (batch.empty()) { // all clocks were set back
        clocks_.clear();
        TRY(from_all());
    }
    return batch;
}

// When the fold before failed. It is open then whether the transaction is there (core/data/engine.h, rule 6).
Result<void> RollupFold::settle_sessions() {
    if (deciding_.empty())
        return {};
    clocks_.clear(); // they may be ahead of what is read again
    const auto now = TRY(find_stretches(engine_, journal_, Reader::rollups));
    const auto waits = [&](const Stretch& decided) {
        const auto found = std::ranges::find(now, decided.lane, &Stretch::lane);
        return found != now.end() && found->next < decided.next;
    };
    if (std::ranges::any_of(deciding_, waits))
        sessions_.undo();
    else
        sessions_.keep();
    deciding_.clear();
    return {};
}

Result<void> RollupFold::write(RollupBatch& batch, const std::vector<Stretch>& stretches) {
    const auto known = TRY(look_up(engine_, batch));
    auto rows = batch.add_up(sessions_);
    std::erase_if(rows, [&](const Row& row) {
        return known.deleted.contains(batch.sites()[batch.places()[row.of].site].workspace);
    });
    Gathering gathering(batch, known);
    for (std::uint32_t number = 0; number < rows.size(); ++number)
        gathering.add(rows[number], number);
    auto further = gathering.take();
    for (auto& subject : further)
        for (const auto& [hour, numbers] : subject.hours)
            subject.rows.push_back(batch.sum(0, hour, numbers, rows));

    std::vector<RecentLink> links;
    links.reserve(rows.size());
    for (const auto& row : rows) {
        const auto& place = batch.places()[row.of];
        links.push_back({.hour = row.hour,
                         .workspace = batch.sites()[place.site].workspace,
                         .link = place.link,
                         .last = {},
                         .counts = batch.counts(row).encode()});
    }
    return engine_.transact([&](data::Txn& txn) -> Result<void> {
        TRY(write_positions(txn, stretches, Reader::rollups));
        const auto hours = TRY(settled_hours(txn));
        for (const auto& subject : further) // these read, so before all that is only written
            if (!subject.rows.empty())
                TRY(write_last(txn, subject));
        TRY(add_recent_links(txn, hours, links));
        for (const auto& subject : further)
            for (const auto& row : subject.rows)
                TRY(add_hour(txn, hours, subject.subject, row.hour, batch.counts(row)));
        return {};
    });
}

Result<FoldReport> RollupFold::fold(Upto upto) {
    FoldReport report;
    TRY(settle_sessions());
    auto stretches = TRY(find_stretches(engine_, journal_, Reader::rollups));
    if (upto == Upto::totals)
        for (auto& stretch : stretches) {
            const auto counted = TRY(position_of(engine_, stretch.lane, Reader::totals));
            stretch.until = std::clamp(counted, stretch.next, stretch.until);
        }
    std::erase_if(stretches, [](const Stretch& stretch) { return stretch.next == stretch.until; });
    while (!stretches.empty()) {
        deciding_ = stretches; // also when taking fails
        auto batch = TRY(take(stretches, report));
        deciding_ = stretches;
        TRY(write(batch, stretches));
        deciding_.clear();
        sessions_.keep();
        report.clicks += batch.clicks();
        ++report.transactions;
        TRY(move_on(engine_, journal_, stretches, Reader::rollups));
    }
    return report;
}

Result<std::uint64_t> RollupFold::waiting() const {
    std::uint64_t records = 0;
    for (const auto& stretch : TRY(find_stretches(engine_, journal_, Reader::rollups)))
        records += stretch.until - stretch.next;
    return records;
}

} // namespace slashpost::redirect
