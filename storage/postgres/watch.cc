#include "storage/postgres/watch.h"

#include "core/base/errors.h"
#include "core/base/guarded.h"
#include "core/base/pause.h"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <array>
#include <utility>

namespace slashpost::storage::postgres {

using data::Bytes;
using data::BytesView;

namespace {

constexpr std::chrono::milliseconds look_every{100}, try_again_after{1'000};
constexpr std::chrono::seconds renew_every{1};
// Read at once; who is further behind is told that he missed some.
constexpr std::int64_t changes_max = 20'000;
constexpr std::string_view changes_of =
    "SELECT space, k FROM changes WHERE lane = $1 AND seq > $2 AND seq <= $3 "
    "ORDER BY seq LIMIT $4";

// Others wait for changes while this thread waits for a long commit, which renews the lease itself.
constexpr const char* wait_briefly = "SET lock_timeout = '50ms'";

bool is_busy(const Failure& failure) { return failure.kind == Failure::Kind::again; }

Bytes name_of(std::int64_t lane, std::int64_t epoch) { return fmt::format("{}:{}", lane, epoch); }

} // namespace

std::string make_changes(std::string_view ascending) {
    return fmt::format(
        "CREATE TABLE IF NOT EXISTS changes (lane bigint NOT NULL, seq bigint NOT NULL, space bigint "
        "NOT NULL, k bytea NOT NULL, PRIMARY KEY (lane{0}, seq{0}, space{0}, k{0}))",
        ascending);
}

Result<void> Watch::begin() {
    auto rows = look_at_lanes(*TRY(Connection::open(where_)));
    if (!rows)
        return error_of(rows.error(), "looking for other servers");
    for (const auto& row : *rows) {
        read_upto_[row.lane] = row.seq;
        looked_ms_ = row.now_ms;
    }
    note(*std::move(rows));
    renewed_at_ = Time::now();
    thread_ = std::jthread([this](const std::stop_token& stopping) { run(stopping); });
    return {};
}

Bytes Watch::name() const { return name_of(lane_.number(), lane_.epoch()); }

Result<bool> Watch::is_gone(BytesView name) {
    const auto rows = look_at_lanes(*TRY(pool_.take()));
    if (!rows)
        return error_of(rows.error(), "looking for another server");
    return std::ranges::none_of(
        *rows, [&](const LaneRow& row) { return !row.is_free() && name_of(row.lane, row.epoch) == name; });
}

Result<bool> Watch::is_alone() {
    const auto connection = TRY(pool_.take());
    const auto rows = look_at_lanes(*connection);
    if (!rows)
        return error_of(rows.error(), "looking for other servers");
    for (const auto& row : *rows) {
        if (row.lane == lane_.number() || row.is_free())
            continue;
        if (row.state == LaneRow::State::in_use)
            return false;
        if (const auto fenced = fence(*connection, row); !fenced)
            return error_of(fenced.error(), "taking a lane from a server that has died");
    }
    return true;
}

void Watch::show(std::uint64_t number) {
    auto before = own_.load();
    while (before < number && !own_.compare_exchange_weak(before, number)) {
    }
}

std::vector<LaneRow> Watch::lanes() const {
    const std::lock_guard lock(mutex_);
    return lanes_;
}

double Watch::seconds_since_look() const {
    return std::chrono::duration<double>(Time::now() - looked_at_.load()).count();
}

void Watch::run(const std::stop_token& stopping) {
    ::pthread_setname_np(::pthread_self(), "watch");
    while (!stopping.stop_requested()) {
        pause(stopping, told_.empty() || lane_.is_lost() ? look_every : try_again_after);
        if (stopping.stop_requested())
            break;
        const auto done = guarded([this] { return take_turn(); });
        if (!done.has_value())
            heard_.clear(); // the others need time to come back, too
        tell(done.has_value() ? "" : done.error().message);
    }
}

Result<void> Watch::take_turn() {
    if (!connection_ || !connection_->is_idle()) {
        connection_.reset();
        auto opened = Connection::open(where_);
        if (!opened.has_value())
            return unavailable(opened.error().message);
        connection_ = *std::move(opened);
        if (const auto set = connection_->run(wait_briefly); !set)
            return error_of(set.error(), "beginning to look at what others wrote");
    }
    const auto own = own_.load();
    const auto now = Time::now();
    if (!lane_.is_lost() && (own != own_told_ || now - renewed_at_ >= renew_every)) {
        const auto is_mine = lane_.renew(*connection_, own);
        if (!is_mine && !is_busy(is_mine.error()))
            return error_of(is_mine.error(), "renewing the lease");
        if (is_mine) {
            own_told_ = own;
            renewed_at_ = now;
        }
    }
    if (const auto looked = look(); !looked)
        return error_of(looked.error(), "looking at what others wrote");
    if (lane_.is_lost())
        return unavailable(taken_for_dead);
    return {};
}

Answer<void> Watch::look() {
    auto rows = TRY(look_at_lanes(*connection_));
    TRY(read_changes(rows));
    tell_of_changes();
    TRY(fence_dead(rows));
    note(std::move(rows));
    return {};
}

// Up to where the lanes have come in `rows`.
Answer<void> Watch::read_changes(const std::vector<LaneRow>& rows) {
    for (const auto& row : rows) {
        if (row.now_ms - looked_ms_ > std::chrono::milliseconds(changes_stay).count() / 2)
            missed_ = true;
        auto& upto = read_upto_[row.lane]; // 0 of one that is new
        if (row.lane != lane_.number() && upto < row.seq && !missed_) {
            const auto changes = TRY(connection_->ask(
                changes_of, std::array<Parameter, 4>{row.lane, upto, row.seq, changes_max + 1}));
            for (int i = 0; i < changes.count(); ++i)
                written_.push_back({.space = static_cast<std::uint16_t>(changes.number(i, 0)),
                                    .key = Bytes(changes.bytes(i, 1))});
            missed_ = std::cmp_greater(written_.size(), changes_max);
        }
        upto = row.seq;
    }
    if (!rows.empty())
        looked_ms_ = rows.front().now_ms;
    return {};
}

void Watch::tell_of_changes() {
    const auto written = std::exchange(written_, {});
    if (!std::exchange(missed_, true)) { // until all were told
        if (!written.empty() && options_.others_wrote)
            options_.others_wrote(written);
    } else if (options_.missed) {
        options_.missed();
    }
    missed_ = false;
}

// A store that was away for all is no reason: each has ten seconds to come back, as seen by this server.
Answer<void> Watch::fence_dead(const std::vector<LaneRow>& rows) {
    const auto now = Time::now();
    if (now - looked_at_.load() > lease / 2)
        heard_.clear();
    for (const auto& row : rows) {
        if (row.lane == lane_.number() || row.is_free()) {
            heard_.erase(row.lane);
            continue;
        }
        auto& heard = heard_[row.lane];
        if (heard.until != row.until)
            heard = {.until = row.until, .since = now};
        if (row.state != LaneRow::State::ended || now - heard.since < lease || lane_.is_lost())
            continue;
        if (const auto fenced = fence(*connection_, row); !fenced) {
            if (!is_busy(fenced.error()))
                return std::unexpected(fenced.error());
            continue;
        }
        heard_.erase(row.lane);
        if (options_.notice)
            options_.notice(fmt::format("The server {} is taken for dead: nothing was heard of it for ten "
                                        "seconds.",
                                        row.node));
    }
    return {};
}

void Watch::note(std::vector<LaneRow> rows) {
    Shown shown;
    for (const auto& row : rows)
        if (row.lane != lane_.number() && !row.is_free() && row.shown != 0) {
            shown.lowest = shown.lowest == 0 ? row.shown : std::min(shown.lowest, row.shown);
            shown.highest = std::max(shown.highest, row.shown);
        }
    lowest_ = shown.lowest;
    highest_ = shown.highest;
    looked_at_ = Time::now();
    const std::lock_guard lock(mutex_);
    lanes_ = std::move(rows);
}

void Watch::tell(const std::string& trouble) {
    if (trouble == told_)
        return;
    can_be_used_ = trouble.empty();
    if (options_.trouble)
        options_.trouble(trouble);
    if (options_.notice && trouble.empty())
        options_.notice("The store can be used again.");
    else if (options_.notice && told_.empty())
        options_.notice(fmt::format("The store cannot be used, redirects go on: {}", trouble));
    told_ = trouble;
}

} // namespace slashpost::storage::postgres
