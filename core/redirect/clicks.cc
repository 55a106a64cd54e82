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

constexpr std::size_t read_bytes_min = 54;   // of a record: up to its time
constexpr std::size_t old_record_bytes = 54; // what a record that ends at byte 60 says
constexpr std::uint16_t flag_kept_apart = 1, flag_tagged = 2, flag_rule = 4, flag_arm = 8;
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

char* put_number(char* at, std::uint64_t number, int width) {
    for (int shift = 8 * (width - 1); shift >= 0; shift -= 8)
        *at++ = static_cast<char>(number >> shift & 0xff);
    return at;
}

std::uint64_t number_of(data::BytesView big_endian) {
    std::uint64_t number = 0;
    for (const char byte : big_endian)
        number = number << 8 | static_cast<unsigned char>(byte);
    return number;
}

data::BytesView take(data::BytesView& bytes, std::size_t count) {
    const auto taken = bytes.substr(0, count);
    bytes.remove_prefix(count);
    return taken;
}

std::uint16_t flags_of(const Click& click) {
    unsigned flags = click.counts ? 0 : flag_kept_apart;
    if (click.tagged)
        flags |= flag_tagged;
    if (click.chooser != Chooser::link)
        flags |= click.chooser == Chooser::rule ? flag_rule : flag_arm;
    return static_cast<std::uint16_t>(flags);
}

// A number of exactly so many bytes, as data::key wrote it.
Result<std::uint64_t> read_number(data::BytesView bytes, std::size_t width) {
    if (bytes.size() != width)
        return fault("a position of the click journal cannot be read");
    return number_of(bytes);
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
    std::array<char, click_record_bytes> record; // NOLINT(*-member-init): every byte is written below
    auto* at = std::ranges::copy(click.link.view(), record.data()).out;
    at = std::ranges::copy(click.workspace.view(), at).out;
    at = std::ranges::copy(click.domain.view(), at).out;
    at = put_number(at, static_cast<std::uint64_t>(click.time.ms), 6);
    at = put_number(at, flags_of(click), 2);
    at = std::ranges::copy(click.choice.view(), at).out;
    at = put_number(at, click.visitor, 8);
    at = std::ranges::copy(click.country.bytes, at).out;
    at = std::ranges::copy(click.language.bytes, at).out;
    *at++ = static_cast<char>(click.agent.device);
    *at++ = static_cast<char>(click.agent.system);
    *at++ = static_cast<char>(click.agent.browser);
    std::ranges::copy(click.referrer.bytes, at);
    return record;
}

std::optional<Click> decode_click(data::BytesView record) {
    if (record.size() < read_bytes_min)
        return std::nullopt;
    std::array<char, click_record_bytes> whole{};
    std::ranges::copy(record.substr(0, record.size() < click_record_bytes ? old_record_bytes : whole.size()),
                      whole.begin());
    std::string_view left(whole.data(), whole.size());
    Click click{.link = *LinkId::from_bytes(take(left, 16)),
                .workspace = *WorkspaceId::from_bytes(take(left, 16)),
                .domain = *DomainId::from_bytes(take(left, 16)),
                .time = {static_cast<std::int64_t>(number_of(take(left, 6)))}};
    const auto flags = number_of(take(left, 2));
    click.counts = (flags & flag_kept_apart) == 0;
    click.tagged = (flags & flag_tagged) != 0;
    click.chooser = (flags & flag_rule) != 0  ? Chooser::rule
                    : (flags & flag_arm) != 0 ? Chooser::arm
                                              : Chooser::link;
    click.choice = *RawId::from_bytes(take(left, 16));
    click.visitor = number_of(take(left, 8));
    click.country = CountryCode::of(take(left, 2));
    click.language = LanguageCode::of(take(left, 3));
    click.agent.device = static_cast<Device>(take(left, 1).front());
    click.agent.system = static_cast<System>(take(left, 1).front());
    click.agent.browser = static_cast<Browser>(take(left, 1).front());
    click.referrer = ReferrerHost::of(left);
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
        report.clicks += static_cast<std::uint64_t>(std::ranges::count(batch.clicks, true, &Click::counts));
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
