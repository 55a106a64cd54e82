#include "core/redirect/clicks.h"

#include "core/base/errors.h"
#include "core/data/key.h"
#include "core/schema/click_totals.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <vector>

namespace slashpost::redirect {

namespace {

constexpr std::size_t read_bytes_min = 54; // of a record: up to its time
// Bounds the memory of a fold and the size of its transactions.
constexpr std::uint64_t batch_records_max = 65'536;

struct HashId {
    std::size_t operator()(const RawId& id) const {
        std::size_t random = 0; // the second half of an id is random
        std::memcpy(&random, id.bytes.data() + 8, sizeof random);
        return random;
    }
    std::size_t operator()(const std::pair<LinkId, WorkspaceId>& id) const { return (*this)(id.first); }
};

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

// What a number of records add up to.
class Batch {
  public:
    explicit Batch(std::size_t records_expected) {
        links_.reserve(std::min(records_expected, batch_records_max));
    }

    // Takes records of the stretch until it or the batch is full.
    Result<void> take(data::Journal& journal, Stretch& stretch);
    [[nodiscard]] bool full() const { return records_ == batch_records_max; }
    [[nodiscard]] std::uint64_t clicks() const { return records_ - unreadable_; }
    [[nodiscard]] std::uint64_t unreadable() const { return unreadable_; }

    enum class LastClicks { are_newer, may_be_older };
    Result<void> write(data::Txn& txn, LastClicks last_clicks) const;

  private:
    struct LinkSum {
        std::int64_t clicks = 0;
        Timestamp last;
    };
    std::unordered_map<std::pair<LinkId, WorkspaceId>, LinkSum, HashId> links_;
    std::unordered_map<DomainId, std::int64_t, HashId> domains_;
    std::unordered_map<WorkspaceId, std::int64_t, HashId> workspaces_;
    std::uint64_t records_ = 0, unreadable_ = 0;
};

Result<void> Batch::take(data::Journal& journal, Stretch& stretch) {
    if (full() || stretch.next == stretch.until)
        return {};
    return journal.read(stretch.lane, stretch.next, [&](data::BytesView record) {
        ++records_;
        ++stretch.next;
        if (const auto click = decode_click(record)) {
            auto& link = links_[{click->link, click->workspace}];
            ++link.clicks;
            link.last = std::max(link.last, click->time);
            ++domains_[click->domain];
            ++workspaces_[click->workspace];
        } else {
            ++unreadable_;
        }
        return !full() && stretch.next != stretch.until;
    });
}

Result<void> Batch::write(data::Txn& txn, LastClicks last_clicks) const {
    for (const auto& [id, sum] : links_) {
        const auto& [link, workspace] = id;
        TRY(txn.add(link_clicks_tally(workspace, link), sum.clicks));
        const auto key = last_click_key(workspace, link);
        auto last = sum.last;
        if (last_clicks == LastClicks::may_be_older)
            if (const auto known = TRY(txn.get(space::last_clicks, key)))
                last = std::max(last, read_last_click(*known).value_or(last));
        TRY(txn.put_blind(space::last_clicks, key, last_click_value(last)));
    }
    for (const auto& [domain, clicks] : domains_)
        TRY(txn.add(domain_clicks_tally(domain), clicks));
    for (const auto& [workspace, clicks] : workspaces_)
        TRY(txn.add(workspace_clicks_tally(workspace), clicks));
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

// Writes the batch and how far it has come in one transaction; then the stretches stand there.
Result<void> commit(data::Engine& engine, const Batch& batch, Batch::LastClicks last_clicks,
                    std::vector<Stretch>& stretches) {
    TRY(engine.transact([&](data::Txn& txn) -> Result<void> {
        for (const auto& stretch : stretches) {
            if (TRY(txn.get(space::journal, lane_key(stretch.lane))) != stretch.stored)
                return conflict("Somebody else folds clicks at the same time.");
            TRY(txn.put(space::journal, lane_key(stretch.lane), data::key(stretch.next)));
        }
        return batch.write(txn, last_clicks);
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
    auto last_clicks = Batch::LastClicks::are_newer;
    while (!stretches.empty()) {
        std::uint64_t left = 0;
        for (const auto& stretch : stretches)
            left += stretch.until - stretch.next;
        Batch batch(left);
        for (auto& stretch : stretches)
            TRY(batch.take(journal, stretch));
        TRY(commit(engine, batch, last_clicks, stretches));
        // One lane may be ahead of another now.
        last_clicks = Batch::LastClicks::may_be_older;
        report.clicks += batch.clicks();
        report.unreadable += batch.unreadable();
        ++report.transactions;
        for (const auto& stretch : stretches)
            TRY(journal.release(stretch.lane, stretch.next));
        std::erase_if(stretches, [](const Stretch& s) { return s.next == s.until; });
    }
    return report;
}

} // namespace slashpost::redirect
