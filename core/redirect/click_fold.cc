#include "core/redirect/click_fold.h"

#include "core/data/key.h"
#include "core/schema/ranking_cache.h"
#include "core/schema/recent_links.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace slashpost::redirect {

namespace {

// Bound the memory of a fold, the size of its transactions and the time one takes.
constexpr std::uint64_t batch_records_max = 1 << 19;
constexpr std::size_t batch_places_max = 1 << 15;

// Records of several lanes, added up as they come: by link, and where and in which hour it was clicked.
class Batch {
  public:
    struct Place {
        WorkspaceId workspace;
        LinkId link;
        DomainId domain;
        std::uint32_t hour = 0;
        auto operator<=>(const Place&) const = default;
    };
    struct Clicked {
        Place place;
        std::int64_t clicks = 0;
        Timestamp last;
    };

    void add(const Click& click) {
        ++records_;
        if (!click.counts)
            return;
        ++clicks_;
        const Place place{.workspace = click.workspace,
                          .link = click.link,
                          .domain = click.domain,
                          .hour = bucket_of(Grain::hour, click.time)};
        const auto [found, is_new] = numbers_.emplace(place, clicked_.size());
        if (is_new)
            clicked_.push_back({.place = place, .last = click.time});
        auto& clicked = clicked_[found->second];
        ++clicked.clicks;
        clicked.last = std::max(clicked.last, click.time);
    }
    void add_unreadable() {
        ++records_;
        ++unreadable_;
    }
    [[nodiscard]] bool full() const {
        return records_ == batch_records_max || clicked_.size() == batch_places_max;
    }
    [[nodiscard]] std::uint64_t clicks() const { return clicks_; }
    [[nodiscard]] std::uint64_t unreadable() const { return unreadable_; }
    // The batch is empty then.
    std::vector<Clicked> take() {
        numbers_.clear();
        return std::move(clicked_);
    }

  private:
    struct Hash {
        std::size_t operator()(const Place& place) const { return random_half(place.link); }
    };
    std::unordered_map<Place, std::size_t, Hash> numbers_; // of clicked_
    std::vector<Clicked> clicked_;
    std::uint64_t records_ = 0, clicks_ = 0, unreadable_ = 0;
};

// Takes records of the stretch until it or the batch is full.
Result<void> take(data::Journal& journal, Stretch& stretch, Batch& batch) {
    if (batch.full() || stretch.next == stretch.until)
        return {};
    return journal.read(stretch.lane, stretch.next, [&](data::BytesView record) {
        ++stretch.next;
        if (const auto click = decode_click(record))
            batch.add(*click);
        else
            batch.add_unreadable();
        return !batch.full() && stretch.next != stretch.until;
    });
}

// Whether clicks that were folded before may be later ones than those of this batch.
enum class Before { are_older, may_be_newer };

// What clicks add up to.
class Sums {
  public:
    explicit Sums(const std::vector<Batch::Clicked>& clicked);
    Result<void> write(data::Txn& txn, const SettledHours& hours, Before before) const;

  private:
    struct Workspace {
        std::int64_t clicks = 0;
        Timestamp last;
        std::map<std::uint32_t, std::int64_t> days;
        std::map<DomainId, std::int64_t> domains;
    };
    static Result<void> write_last(data::Txn& txn, const data::Bytes& key, Timestamp last, Before before);

    std::vector<RecentLink> links_;
    std::map<WorkspaceId, Workspace> workspaces_;
};

Sums::Sums(const std::vector<Batch::Clicked>& clicked) {
    links_.reserve(clicked.size());
    const auto one_click = encode_total(1); // which is what most links have
    for (const auto& [place, clicks, last] : clicked) {
        links_.push_back({.hour = place.hour,
                          .workspace = place.workspace,
                          .link = place.link,
                          .last = last,
                          .counts = clicks == 1 ? one_click : encode_total(clicks)});
        auto& workspace = workspaces_[place.workspace];
        workspace.clicks += clicks;
        workspace.last = std::max(workspace.last, last);
        workspace.days[day_of(begin_of(Grain::hour, place.hour))] += clicks;
        workspace.domains[place.domain] += clicks;
    }
}

Result<void> Sums::write_last(data::Txn& txn, const data::Bytes& key, Timestamp last, Before before) {
    if (before == Before::may_be_newer)
        if (const auto known = TRY(txn.get(space::last_clicks, key)))
            last = std::max(last, read_last_click(*known).value_or(last));
    return txn.put_blind(space::last_clicks, key, last_click_value(last));
}

Result<void> Sums::write(data::Txn& txn, const SettledHours& hours, Before before) const {
    TRY(add_recent_links(txn, hours, links_));
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

// What each link was clicked, in the order of workspaces and links.
std::vector<FoldedLink> by_link(std::vector<Batch::Clicked> clicked) {
    std::ranges::sort(clicked, {}, &Batch::Clicked::place);
    std::vector<FoldedLink> links;
    for (const auto& [place, clicks, last] : clicked) {
        if (links.empty() || links.back().link != place.link || links.back().workspace != place.workspace)
            links.push_back({.workspace = place.workspace, .link = place.link, .last = last});
        links.back().clicks += clicks;
        links.back().last = std::max(links.back().last, last);
    }
    return links;
}

} // namespace

Result<FoldReport> fold_clicks(data::Engine& engine, data::Journal& journal, RankingCache* rankings) {
    FoldReport report;
    auto stretches = TRY(find_stretches(engine, journal, Reader::totals));
    const bool one_lane = stretches.size() == 1; // in which clicks are in order
    while (!stretches.empty()) {
        Batch batch;
        for (auto& stretch : stretches)
            TRY(take(journal, stretch, batch));
        report.clicks += batch.clicks();
        report.unreadable += batch.unreadable();
        const auto before = report.transactions == 0 || one_lane ? Before::are_older : Before::may_be_newer;
        auto clicked = batch.take();
        const Sums sums(clicked);
        FoldedClicks folded{.links = {}, .keeps_later = true};
        std::vector<FoldedLink> links;
        std::optional<RankingCache::Fold> ranked;
        if (rankings && rankings->in_use()) {
            folded.links = links = by_link(std::move(clicked));
            folded.before = TRY(engine.read([](data::View& view) { return folded_records(view); }));
            folded.after = folded.before + TRY(records_taken(stretches));
            ranked.emplace(*rankings, folded);
        }
        TRY(engine.transact([&](data::Txn& txn) -> Result<void> {
            TRY(write_positions(txn, stretches, Reader::totals));
            return sums.write(txn, TRY(settled_hours(txn)), before);
        }));
        if (ranked)
            ranked->committed();
        ++report.transactions;
        TRY(move_on(engine, journal, stretches, Reader::totals));
    }
    return report;
}

} // namespace slashpost::redirect
