#include "core/redirect/click_fold.h"

#include "core/data/key.h"
#include "core/schema/click_totals.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace slashpost::redirect {

namespace {

// Bounds the memory of a fold and the size of its transactions.
constexpr std::uint64_t batch_records_max = 65'536;

// Some records of several lanes.
struct Batch {
    std::vector<Click> clicks;
    std::uint64_t unreadable = 0;
    [[nodiscard]] bool full() const { return clicks.size() + unreadable == batch_records_max; }
};

// Takes records of the stretch until it or the batch is full.
Result<void> take(data::Journal& journal, Stretch& stretch, Batch& batch) {
    if (batch.full() || stretch.next == stretch.until)
        return {};
    return journal.read(stretch.lane, stretch.next, [&](data::BytesView record) {
        ++stretch.next;
        if (const auto click = decode_click(record))
            batch.clicks.push_back(*click);
        else
            ++batch.unreadable;
        return !batch.full() && stretch.next != stretch.until;
    });
}

// Whether clicks that were folded before may be later ones than those of this batch.
enum class Before { are_older, may_be_newer };

// What clicks add up to.
class Sums {
  public:
    explicit Sums(std::vector<Click> clicks);
    Result<void> write(data::Txn& txn, Before before) const;

  private:
    struct Link {
        WorkspaceId workspace;
        LinkId link;
        std::int64_t clicks = 0;
        Timestamp last;
    };
    std::vector<Link> links_; // in the order of their keys, in which they are written at the least cost
    struct Workspace {
        std::int64_t clicks = 0;
        Timestamp last;
        std::map<std::uint32_t, std::int64_t> days;
        std::map<DomainId, std::int64_t> domains;
    };
    static Result<void> write_last(data::Txn& txn, const data::Bytes& key, Timestamp last, Before before);

    std::map<WorkspaceId, Workspace> workspaces_;
};

Sums::Sums(std::vector<Click> clicks) {
    std::ranges::sort(clicks, {}, [](const Click& click) { return std::tie(click.workspace, click.link); });
    // Of the click before, which is nearly always of the same.
    Workspace* workspace = nullptr;
    std::pair<std::uint32_t, std::int64_t*> day;
    std::pair<DomainId, std::int64_t*> domain;
    for (const auto& click : clicks) {
        if (!click.counts)
            continue;
        if (links_.empty() || links_.back().link != click.link ||
            links_.back().workspace != click.workspace) {
            links_.push_back({.workspace = click.workspace, .link = click.link, .last = click.time});
            workspace = &workspaces_[click.workspace];
            day.second = domain.second = nullptr;
        }
        if (const auto today = day_of(click.time); day.second == nullptr || day.first != today)
            day = {today, &workspace->days[today]};
        if (domain.second == nullptr || domain.first != click.domain)
            domain = {click.domain, &workspace->domains[click.domain]};
        auto& link = links_.back();
        ++link.clicks;
        link.last = std::max(link.last, click.time);
        ++workspace->clicks;
        workspace->last = std::max(workspace->last, click.time);
        ++*day.second;
        ++*domain.second;
    }
}

Result<void> Sums::write_last(data::Txn& txn, const data::Bytes& key, Timestamp last, Before before) {
    if (before == Before::may_be_newer)
        if (const auto known = TRY(txn.get(space::last_clicks, key)))
            last = std::max(last, read_last_click(*known).value_or(last));
    return txn.put_blind(space::last_clicks, key, last_click_value(last));
}

Result<void> Sums::write(data::Txn& txn, Before before) const {
    for (const auto& link : links_)
        TRY(txn.add(link_clicks_tally(link.workspace, link.link), link.clicks));
    for (const auto& link : links_)
        TRY(write_last(txn, last_click_key(link.workspace, link.link), link.last, before));
    for (const auto& [id, workspace] : workspaces_) {
        TRY(txn.add(workspace_clicks_tally(id), workspace.clicks));
        TRY(write_last(txn, last_click_key(id, LinkId()), workspace.last, before));
        for (const auto& [day, clicks] : workspace.days)
            TRY(txn.add(workspace_day_tally(id, day), clicks));
        for (const auto& [domain, clicks] : workspace.domains)
            TRY(txn.add(domain_clicks_tally(domain, id), clicks));
    }
    return {};
}

} // namespace

Result<FoldReport> fold_clicks(data::Engine& engine, data::Journal& journal) {
    FoldReport report;
    auto stretches = TRY(find_stretches(engine, journal, Reader::totals));
    const bool one_lane = stretches.size() == 1; // in which clicks are in order
    while (!stretches.empty()) {
        Batch batch;
        for (auto& stretch : stretches)
            TRY(take(journal, stretch, batch));
        report.clicks += static_cast<std::uint64_t>(std::ranges::count(batch.clicks, true, &Click::counts));
        report.unreadable += batch.unreadable;
        const auto before = report.transactions == 0 || one_lane ? Before::are_older : Before::may_be_newer;
        const Sums sums(std::move(batch.clicks));
        TRY(engine.transact([&](data::Txn& txn) -> Result<void> {
            TRY(write_positions(txn, stretches, Reader::totals));
            return sums.write(txn, before);
        }));
        ++report.transactions;
        TRY(move_on(engine, journal, stretches, Reader::totals));
    }
    return report;
}

} // namespace slashpost::redirect
