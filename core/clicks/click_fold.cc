#include "core/clicks/click_fold.h"

#include "core/clicks/tags_of_places.h"
#include "core/clicks/workspace_totals.h"
#include "core/schema/schema.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

namespace slashpost::redirect {

namespace {

using Row = ClickBatch::Row;

// What the store says of the workspaces and tags in a batch.
struct Known {
    std::set<WorkspaceId> deleted;
    TagsOfPlaces tags;
};

Result<Known> look_up(data::Engine& engine, const ClickBatch& batch) {
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

// What the rows of places count for besides, added up by subject and hour.
class Sums {
  public:
    Sums(ClickBatch& batch, const Known& known)
        : batch_(batch),
          known_(known),
          sites_(batch.sites().size()),
          tags_(known.tags.tags().size()) {}

    void add(const Row& row) {
        const auto& place = batch_.places()[row.place];
        add_to(sites_[place.site], row.hour, row.profiles, place.last);
        for (const auto tag : known_.tags.of(row.place))
            add_to(tags_[tag], row.hour, row.profiles, place.last);
    }
    // When all are added.
    void finish();
    Result<void> write(data::Txn& txn, const SettledHours& hours) const;
    [[nodiscard]] const WorkspaceTotals& totals() const { return totals_; }

  private:
    struct Sum {
        std::map<std::uint32_t, Adder> hours; // of looks
        std::optional<Timestamp> last;        // click
    };
    struct Counted {
        Subject subject;
        std::optional<Timestamp> last; // of tags and domains, workspaces have theirs in the totals
        std::vector<std::pair<std::uint32_t, data::Counts>> hours;
    };
    static void add_to(Sum& sum, std::uint32_t hour, std::span<const Tally> profiles,
                       std::optional<Timestamp> last) {
        auto& adder = sum.hours[hour];
        for (const auto& profile : profiles)
            adder.add(profile.code, profile.number);
        sum.last = std::max(sum.last, last);
    }
    void finish_sites();
    [[nodiscard]] Counted counted(Subject subject, Sum& sum) const;

    ClickBatch& batch_;
    const Known& known_;
    std::vector<Sum> sites_, tags_;
    std::vector<Counted> counted_;
    WorkspaceTotals totals_;
};

Sums::Counted Sums::counted(Subject subject, Sum& sum) const {
    Counted counted{.subject = std::move(subject), .last = sum.last, .hours = {}};
    for (auto& [hour, adder] : sum.hours)
        counted.hours.emplace_back(hour, batch_.profiles().counts(adder.drain()));
    return counted;
}

void Sums::finish_sites() {
    std::map<WorkspaceId, Sum> workspaces;
    for (std::size_t i = 0; i < sites_.size(); ++i) {
        const auto& [domain, workspace] = batch_.sites()[i];
        const bool is_deleted = known_.deleted.contains(workspace);
        Counted site{.subject = Subject::of(domain, workspace), .last = sites_[i].last, .hours = {}};
        for (auto& [hour, adder] : sites_[i].hours) {
            const auto profiles = adder.drain();
            if (const auto clicks = batch_.profiles().clicks_in(profiles); clicks != 0)
                totals_.add(workspace, domain, hour, clicks, sites_[i].last);
            if (is_deleted)
                continue;
            add_to(workspaces[workspace], hour, profiles, std::nullopt);
            site.hours.emplace_back(hour, batch_.profiles().counts(profiles));
        }
        if (!site.hours.empty())
            counted_.push_back(std::move(site));
    }
    for (auto& [workspace, sum] : workspaces)
        counted_.push_back(counted(Subject::of(workspace), sum));
}

void Sums::finish() {
    finish_sites();
    for (std::size_t i = 0; i < tags_.size(); ++i)
        if (!tags_[i].hours.empty())
            counted_.push_back(counted(Subject::of(known_.tags.tags()[i]), tags_[i]));
}

Result<void> Sums::write(data::Txn& txn, const SettledHours& hours) const {
    for (const auto& counted : counted_)
        if (counted.last)
            TRY(raise_last_click(txn, last_click_key(counted.subject), *counted.last));
    for (const auto& counted : counted_)
        for (const auto& [hour, counts] : counted.hours)
            TRY(add_hour(txn, hours, counted.subject, hour, counts));
    return {};
}

// The rows of places go to `links`; the answer is what they count for besides.
Sums add_up(ClickBatch& batch, Sessions& sessions, const Known& known, bool with_totals, RecentLinks& links) {
    links.clear();
    Sums sums(batch, known);
    batch.each_row(sessions, [&](const Row& row) {
        sums.add(row);
        const auto& place = batch.places()[row.place];
        const auto workspace = batch.sites()[place.site].workspace;
        RecentLink link{
            .hour = row.hour, .workspace = workspace, .link = place.link, .last = {}, .counts = {}};
        if (with_totals && place.last && bucket_of(Grain::hour, *place.last) == row.hour)
            link.last = place.last; // in an earlier hour it would say the same
        if (!known.deleted.contains(workspace))
            link.counts = batch.profiles().encode(row.profiles, row.clicks, with_totals);
        else if (with_totals)
            link.counts = batch.profiles().encode({}, row.clicks, true);
        if (!link.counts.empty())
            links.add(link);
    });
    sums.finish();
    return sums;
}

} // namespace

// Stops where the lane's clock was set back by more than half an hour, so that what was clicked before is
// folded before what was clicked after, by whatever lane it came.
Result<void> ClickFold::take_lane(LaneRange& range, std::uint64_t share, FoldReport& report) {
    if (batch_.full() || range.next == range.until)
        return {};
    const auto end = range.until - range.next > share ? range.next + share : range.until;
    auto& clock = clocks_[range.lane];
    std::array<Click, ClickBatch::clicks_at_a_time> clicks;
    std::size_t waiting = 0;
    const auto add = [&] { batch_.add(std::span(clicks).first(std::exchange(waiting, 0))); };
    const auto outcome = journal_.read(range.lane, range.next, [&](data::BytesView record) {
        if (const auto click = decode_click(record)) {
            const auto seconds = seconds_of(click->time);
            if (std::uint64_t{seconds} + session_seconds < clock)
                return false;
            clock = std::max(clock, seconds);
            clicks[waiting++] = *click;
            if (is_heard_) [[unlikely]]
                listener_->hear(*click);
        } else if (const auto mark = decode_mark(record)) {
            batch_.add(*mark);
        } else {
            ++report.unreadable;
        }
        if (waiting == clicks.size())
            add();
        return ++range.next != end && !batch_.full();
    });
    add();
    return outcome;
}

Result<void> ClickFold::take(std::vector<LaneRange>& ranges, FoldReport& report) {
    batch_.clear();
    is_heard_ = listener_ != nullptr && TRY(listener_->begin());
    // A long journal is read in all lanes at the same pace, so that clicks stay in the order of time, nearly.
    const auto share = ClickBatch::visits_max / ranges.size();
    const auto from_all = [&]() -> Result<void> {
        clocks_.resize(std::max<std::size_t>(clocks_.size(), journal_.lane_count()));
        for (auto& range : ranges)
            TRY(take_lane(range, share, report));
        return {};
    };
    TRY(from_all());
    if (batch_.empty()) { // all clocks were set back
        clocks_.clear();
        TRY(from_all());
    }
    batch_.put_in_order();
    return {};
}

// When the fold before failed. It is open then whether the transaction is there (core/data/engine.h, rule 6).
Result<void> ClickFold::settle_sessions() {
    if (deciding_.empty())
        return {};
    clocks_.clear(); // they may be ahead of what is read again
    if (TRY(is_written(engine_, deciding_)))
        sessions_.keep();
    else
        sessions_.undo();
    deciding_.clear();
    return {};
}

Result<void> ClickFold::write(std::span<const LaneRange> ranges, Into into) {
    const auto known = TRY(look_up(engine_, batch_));
    const bool with_totals = into == Into::all;
    const auto sums = add_up(batch_, sessions_, known, with_totals, links_);
    const auto work = [&](data::Txn& txn) -> Result<void> {
        TRY(write_positions(txn, ranges));
        if (with_totals)
            TRY(sums.totals().write(txn));
        const auto hours = TRY(settled_hours(txn));
        TRY(sums.write(txn, hours));
        return links_.write(txn, hours);
    };
    return is_heard_ ? listener_->commit(work) : engine_.transact(work);
}

Result<FoldReport> ClickFold::fold() {
    TRY(settle_sessions());
    return fold(TRY(find_lane_ranges(engine_, journal_, first_lane_)), Into::all);
}

Result<FoldReport> ClickFold::fold(std::vector<LaneRange> ranges, Into into) {
    FoldReport report;
    while (!ranges.empty()) {
        deciding_ = ranges; // also when taking fails
        TRY(take(ranges, report));
        deciding_ = ranges;
        TRY(write(ranges, into));
        deciding_.clear();
        sessions_.keep();
        report.clicks += batch_.clicks();
        ++report.transactions;
        for (auto& range : ranges) {
            range.stored = data::key(range.next);
            if (into == Into::all)
                TRY(journal_.release(range.lane, range.next));
        }
        std::erase_if(ranges, [](const LaneRange& range) { return range.next == range.until; });
    }
    return report;
}

Result<std::uint64_t> ClickFold::waiting() const {
    std::uint64_t records = 0;
    for (const auto& range : TRY(find_lane_ranges(engine_, journal_, first_lane_)))
        records += range.until - range.next;
    return records;
}

Result<void> ClickFold::close_rollup_gaps() {
    TRY(fold(TRY(find_rollup_gaps(engine_, journal_)), Into::rollups));
    return forget_rollup_gaps(engine_);
}

Result<void> begin_folding(data::Engine& engine, data::Journal& journal, std::uint32_t first_lane) {
    TRY(ClickFold(engine, journal).close_rollup_gaps());
    return align_journal(engine, journal, first_lane);
}

} // namespace slashpost::redirect
