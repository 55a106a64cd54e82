#include "core/clicks/click_fold.h"

#include "core/clicks/workspace_totals.h"
#include "core/schema/recent_links.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace slashpost::redirect {

namespace {

// Bound the memory of a fold, the size of its transactions and the time one takes.
constexpr std::uint64_t batch_records_max = 1 << 19;
constexpr std::size_t batch_places_max = 1 << 15;

// Records of several lanes, added up as they come: by link, and where and in which hour it was clicked.
class Batch {
  public:
    struct Key {
        WorkspaceId workspace;
        LinkId link;
        DomainId domain;
        std::uint32_t hour = 0;
        auto operator<=>(const Key&) const = default;
    };
    struct Clicked {
        Key place;
        std::int64_t clicks = 0;
        Timestamp last;
    };

    void add(const Click& click) {
        ++records_;
        if (!click.counts)
            return;
        ++clicks_;
        const Key place{.workspace = click.workspace,
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
    void skip() { ++records_; }
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
        std::size_t operator()(const Key& place) const { return random_half(place.link); }
    };
    std::unordered_map<Key, std::size_t, Hash> numbers_; // of clicked_
    std::vector<Clicked> clicked_;
    std::uint64_t records_ = 0, clicks_ = 0, unreadable_ = 0;
};

// Takes records of the range until it or the batch is full.
Result<void> take(data::Journal& journal, LaneRange& range, Batch& batch) {
    if (batch.full() || range.next == range.until)
        return {};
    return journal.read(range.lane, range.next, [&](data::BytesView record) {
        ++range.next;
        if (const auto click = decode_click(record))
            batch.add(*click);
        else if (decode_mark(record))
            batch.skip();
        else
            batch.add_unreadable();
        return !batch.full() && range.next != range.until;
    });
}

// Takes what was clicked apart into what is written.
struct Sums {
    explicit Sums(std::vector<Batch::Clicked>& clicked);

    RecentLinks links;
    WorkspaceTotals workspaces;
};

Sums::Sums(std::vector<Batch::Clicked>& clicked) {
    const auto order = [](const Batch::Clicked& one) {
        return std::tuple(one.place.workspace, slot_of(one.place.link), one.place.link);
    };
    std::ranges::sort(clicked, {}, order);
    data::CountsWriter counts;
    for (const auto& [place, clicks, last] : clicked) {
        counts.put(total_group, {}, clicks);
        links.add({.hour = place.hour,
                   .workspace = place.workspace,
                   .link = place.link,
                   .last = last,
                   .counts = counts.take()});
        workspaces.add(place.workspace, place.domain, place.hour, clicks, last);
    }
}

} // namespace

Result<FoldReport> fold_clicks(data::Engine& engine, data::Journal& journal) {
    FoldReport report;
    auto ranges = TRY(find_lane_ranges(engine, journal, Reader::totals));
    if (!ranges.empty())
        TRY(journal.sync());
    while (!ranges.empty()) {
        Batch batch;
        for (auto& range : ranges)
            TRY(take(journal, range, batch));
        report.clicks += batch.clicks();
        report.unreadable += batch.unreadable();
        auto clicked = batch.take();
        Sums sums(clicked);
        TRY(engine.transact([&](data::Txn& txn) -> Result<void> {
            TRY(write_positions(txn, ranges, Reader::totals));
            TRY(sums.links.write(txn, TRY(settled_hours(txn))));
            return sums.workspaces.write(txn);
        }));
        ++report.transactions;
        TRY(move_on(engine, journal, ranges, Reader::totals));
    }
    return report;
}

} // namespace slashpost::redirect
