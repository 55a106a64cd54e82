#include "core/redirect/clicks.h"

#include "core/base/errors.h"
#include "core/data/key.h"
#include "core/schema/click_totals.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

namespace slashpost::redirect {

namespace {

constexpr std::size_t read_bytes_min = 54; // of a record: up to its time
// Bounds the memory of a fold and the size of its transactions.
constexpr std::uint64_t batch_records_max = 65'536;

// A stretch of one lane. `stored` is what the store says of the lane: nothing, if it has no row.
struct Stretch {
    std::uint32_t lane = 0;
    std::optional<data::Bytes> stored;
    std::uint64_t next = 0;  // the first record not taken yet
    std::uint64_t until = 0; // as far as this fold goes
};

data::Bytes lane_key(std::uint32_t lane) { return data::key(lane); }

// A big-endian number of exactly so many bytes, as data::key wrote it.
Result<std::uint64_t> read_number(data::BytesView bytes, std::size_t width) {
    if (bytes.size() != width)
        return fault("a position of the click journal cannot be read");
    std::uint64_t number = 0;
    for (const char byte : bytes)
        number = number << 8 | static_cast<unsigned char>(byte);
    return number;
}

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

// Where each lane stands: from its row in the store to its end now.
Result<std::vector<Stretch>> find_stretches(data::Engine& engine, const data::Journal& journal) {
    std::vector<Stretch> stretches;
    for (std::uint32_t lane = 0; lane < journal.lane_count(); ++lane) {
        Stretch stretch{.lane = lane, .stored = TRY(engine.get_now(space::journal, lane_key(lane)))};
        stretch.next = stretch.stored ? TRY(read_number(*stretch.stored, 8)) : 0;
        // A journal that outlived its store begins later than the store knows.
        stretch.next = std::max(stretch.next, journal.begin(lane));
        stretch.until = journal.end(lane);
        if (stretch.next > stretch.until)
            return fault("the store has folded more of the journal than there is");
        if (stretch.next < stretch.until)
            stretches.push_back(std::move(stretch));
    }
    return stretches;
}

// Writes the sums and how far they reach in one transaction; then the stretches stand there.
Result<void> commit(data::Engine& engine, const Sums& sums, Before before, std::vector<Stretch>& stretches) {
    TRY(engine.transact([&](data::Txn& txn) -> Result<void> {
        for (const auto& stretch : stretches) {
            if (TRY(txn.get(space::journal, lane_key(stretch.lane))) != stretch.stored)
                return conflict("Somebody else folds clicks at the same time.");
            TRY(txn.put(space::journal, lane_key(stretch.lane), data::key(stretch.next)));
        }
        return sums.write(txn, before);
    }));
    for (auto& stretch : stretches)
        stretch.stored = data::key(stretch.next);
    return {};
}

} // namespace

std::array<char, click_record_bytes> encode_click(const Click& click) {
    std::array<char, click_record_bytes> record{};
    auto* at = std::ranges::copy(click.link.view(), record.data()).out;
    at = std::ranges::copy(click.workspace.view(), at).out;
    at = std::ranges::copy(click.domain.view(), at).out;
    for (int shift = 40; shift >= 0; shift -= 8)
        *at++ = static_cast<char>(click.time.ms >> shift & 0xff);
    return record;
}

std::optional<Click> decode_click(data::BytesView record) {
    if (record.size() < read_bytes_min)
        return std::nullopt;
    Click click{.link = *LinkId::from_bytes(record.substr(0, 16)),
                .workspace = *WorkspaceId::from_bytes(record.substr(16, 16)),
                .domain = *DomainId::from_bytes(record.substr(32, 16))};
    for (const char byte : record.substr(48, 6))
        click.time.ms = click.time.ms << 8 | static_cast<unsigned char>(byte);
    return click;
}

Result<void> align_journal(data::Engine& engine, data::Journal& journal) {
    return engine.read([&](data::View& view) -> Result<void> {
        Result<void> outcome;
        TRY(view.scan(
            space::journal, {}, data::Order::forward, [&](data::BytesView key, data::BytesView value) {
                const auto align = [&]() -> Result<void> {
                    const auto lane = TRY(read_number(key, 4));
                    return journal.release(static_cast<std::uint32_t>(lane), TRY(read_number(value, 8)));
                };
                outcome = align();
                return outcome.has_value();
            }));
        return outcome;
    });
}

Result<FoldReport> fold_clicks(data::Engine& engine, data::Journal& journal) {
    FoldReport report;
    auto stretches = TRY(find_stretches(engine, journal));
    const bool one_lane = stretches.size() == 1; // in which clicks are in order
    while (!stretches.empty()) {
        Batch batch;
        for (auto& stretch : stretches)
            TRY(take(journal, stretch, batch));
        report.clicks += batch.clicks.size();
        report.unreadable += batch.unreadable;
        const auto before = report.transactions == 0 || one_lane ? Before::are_older : Before::may_be_newer;
        TRY(commit(engine, Sums(std::move(batch.clicks)), before, stretches));
        ++report.transactions;
        for (const auto& stretch : stretches)
            TRY(journal.release(stretch.lane, stretch.next));
        std::erase_if(stretches, [](const Stretch& s) { return s.next == s.until; });
    }
    return report;
}

} // namespace slashpost::redirect
