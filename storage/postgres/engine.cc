#include "storage/postgres/engine.h"

#include "core/base/errors.h"
#include "core/base/guarded.h"
#include "core/base/pause.h"
#include "core/base/random.h"
#include "core/data/key.h"
#include "storage/postgres/txn.h"
#include "storage/postgres/watch.h"

#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <deque>
#include <thread>

namespace slashpost::storage {

namespace postgres {

namespace {

using data::Bytes;
using data::BytesView;
using data::Space;

// Each reader has one, and so has each commit.
constexpr std::size_t connections_max = 64;
constexpr std::chrono::milliseconds rest{1'000};
// Operands of a key that are merged into its row once there are so many: on the average each so many commits
// one that adds to a key finds that out.
constexpr std::size_t pieces_max = 32;
constexpr std::size_t keys_waiting_max = 4'096;
// Of rows that are erased. They go after as long as changes do: a transaction that began before might not
// notice that it lost.
constexpr std::int64_t tombstones_at_once = 1'000;
// What expires, and when a click was, is told by the clock of the server that works on it.
constexpr std::chrono::seconds clocks_apart_max{30};

class PostgresEngine final : public data::Engine {
  public:
    PostgresEngine(std::string where, std::unique_ptr<Pool> pool, Tables tables, std::unique_ptr<Lane> lane,
                   const Options& options)
        : pool_(std::move(pool)),
          tables_(std::move(tables)),
          lane_(std::move(lane)),
          committer_(*pool_, tables_, *lane_),
          watch_(std::move(where), *pool_, *lane_, options) {}
    PostgresEngine(const PostgresEngine&) = delete;
    PostgresEngine& operator=(const PostgresEngine&) = delete;
    ~PostgresEngine() override = default;

    Result<std::optional<Bytes>> get_now(const Space& space, BytesView key) override {
        const auto* table = TRY(tables_.of(space));
        const auto connection = TRY(pool_->take());
        return TRY(read_now(*connection, *table, key)).value;
    }
    Figures figures() override {
        return {.conflicts = conflicts_.load(),
                .writable = watch_.can_be_used(),
                .servers = static_cast<std::uint64_t>(
                    std::ranges::count_if(watch_.lanes(), [](const LaneRow& row) { return !row.is_free(); })),
                .behind_seconds = watch_.seconds_since_look()};
    }
    data::Peers* peers() override { return &watch_; }
    // Its threads run from then on.
    Result<void> begin() {
        TRY(watch_.begin());
        keeper_ = std::jthread([this](const std::stop_token& stopping) { keep(stopping); });
        return {};
    }

  protected:
    Result<void> run_transaction(const std::function<Result<void>(data::Txn&)>& closure) override {
        return until_committed([&] { return attempt(closure); }, conflicts_);
    }
    Result<void> run_read(const std::function<Result<void>(data::View&)>& closure) override {
        auto snapshot = TRY(Snapshot::take(*pool_));
        View view(tables_, snapshot);
        return closure(view);
    }

  private:
    Result<Attempt> attempt(const std::function<Result<void>(data::Txn&)>& closure) {
        std::optional<Snapshot> snapshot = TRY(Snapshot::take(*pool_));
        Txn txn(tables_, *snapshot);
        TRY(closure(txn));
        if (txn.wrote_nothing())
            return Attempt::committed;
        const auto proposal = TRY(txn.propose());
        snapshot.reset(); // its connection serves others while this one waits for its commit
        const auto outcome = TRY(committer_.commit(proposal));
        if (outcome == Attempt::committed)
            note_merges(proposal);
        return outcome;
    }

    void note_merges(const Proposal& proposal);
    void keep(const std::stop_token& stopping);
    void merge_pieces();
    Result<void> merge_pieces_of(const data::Space& space, data::BytesView key);
    void forget_the_past();
    void forget_until(const std::vector<LaneRow>& lanes);
    void forget_tombstones(Connection& connection, const Table& table, std::int64_t first, std::int64_t last);

    const std::unique_ptr<Pool> pool_;
    const Tables tables_;
    const std::unique_ptr<Lane> lane_;
    Committer committer_;
    std::atomic<std::uint64_t> conflicts_ = 0;

    std::mutex mutex_;
    // Guarded by mutex_.
    std::set<Place> to_merge_;
    std::size_t merges_seen_ = 0;

    // Of the keeper: how far the lanes had come when.
    std::deque<std::pair<std::chrono::steady_clock::time_point, std::vector<LaneRow>>> past_;
    Watch watch_;         // what it tells may use the engine
    std::jthread keeper_; // last, as it uses the others
};

void PostgresEngine::note_merges(const Proposal& proposal) {
    const std::lock_guard lock(mutex_);
    for (const auto* write : proposal.writes)
        if (write->kind == OwnWrites::Kind::merge && ++merges_seen_ % pieces_max == 0 &&
            to_merge_.size() < keys_waiting_max)
            to_merge_.emplace(write->space, Bytes(write->key));
}

void PostgresEngine::keep(const std::stop_token& stopping) {
    ::pthread_setname_np(::pthread_self(), "store");
    while (!stopping.stop_requested()) {
        pause(stopping, rest);
        if (stopping.stop_requested())
            break;
        (void)guarded([this]() -> Result<void> {
            if (watch_.can_be_used()) {
                merge_pieces();
                forget_the_past();
            }
            return {};
        });
    }
}

// Reading a key makes one value of its pieces; writing that puts it in their place.
Result<void> PostgresEngine::merge_pieces_of(const data::Space& space, data::BytesView key) {
    std::optional<Snapshot> snapshot = TRY(Snapshot::take(*pool_));
    Txn txn(tables_, *snapshot);
    const auto value = TRY(txn.get(space, key));
    if (!value)
        return {};
    TRY(txn.put(space, key, *value));
    auto proposal = TRY(txn.propose());
    proposal.only_merges = true;
    snapshot.reset();
    TRY(committer_.commit(proposal)); // has another server merged them meanwhile, so much the better
    return {};
}

void PostgresEngine::merge_pieces() {
    std::set<Place> places;
    {
        const std::lock_guard lock(mutex_);
        places.swap(to_merge_);
    }
    for (const auto& [number, key] : places)
        (void)merge_pieces_of(tables_.all().at(number).space, key);
}

// One server does it for all: the first of those that live.
void PostgresEngine::forget_the_past() {
    const auto now = std::chrono::steady_clock::now();
    if (past_.empty() || now - past_.back().first >= std::chrono::minutes(1))
        past_.emplace_back(now, watch_.lanes());
    if (now - past_.front().first < changes_stay)
        return;
    const auto upto = std::move(past_.front().second);
    past_.pop_front();
    const auto lanes = watch_.lanes();
    const auto first = std::ranges::find_if_not(lanes, &LaneRow::is_free);
    if (first != lanes.end() && first->lane == lane_->number())
        forget_until(upto);
}

void PostgresEngine::forget_until(const std::vector<LaneRow>& lanes) {
    const auto connection = pool_->take();
    if (!connection.has_value())
        return;
    for (const auto& row : lanes)
        (void)(*connection)->ask(forget_changes, std::array<Parameter, 2>{row.lane, row.seq});
    for (const auto& [number, table] : tables_.all()) {
        // What was made to be locked has version 0; whoever needs it now makes it again.
        forget_tombstones(**connection, table, 0, 0);
        for (const auto& row : lanes)
            forget_tombstones(**connection, table, Lane::version_of(row.lane, 0),
                              Lane::version_of(row.lane, row.seq));
    }
}

void PostgresEngine::forget_tombstones(Connection& connection, const Table& table, std::int64_t first,
                                       std::int64_t last) {
    for (;;) {
        const auto gone = connection.ask(table.forget_tombstones,
                                         std::array<Parameter, 3>{first, last, tombstones_at_once});
        if (!gone || gone->changed() < tombstones_at_once)
            return;
    }
}

// At the start whatever fails is for the operator to mend.
std::unexpected<Error> unusable(const Failure& failure, const std::string& where, std::string_view doing) {
    return refused(
        "StoreUnusable", "store",
        fmt::format("the store {} cannot be used, while {}: {}", name_of_store(where), doing, failure.words));
}

Result<Dialect> dialect_of(Connection& connection, const std::string& where) {
    const auto rows =
        connection.ask("SELECT convert_to(version(), 'UTF8'), current_setting('server_version_num')::bigint, "
                       "extract(epoch FROM clock_timestamp())::bigint");
    if (!rows)
        return unusable(rows.error(), where, "asking for the version");
    const std::chrono::seconds its_time(rows->number(0, 2));
    const auto apart = std::chrono::system_clock::now().time_since_epoch() - its_time;
    if (std::chrono::abs(apart) > clocks_apart_max)
        return refused(
            "StoreUnusable", "store",
            fmt::format("the clocks of this machine and of the store {} are {} seconds apart; set both "
                        "by the same source of time",
                        name_of_store(where),
                        std::chrono::duration_cast<std::chrono::seconds>(std::chrono::abs(apart)).count()));
    constexpr std::int64_t oldest = 130'000;
    if (rows->number(0, 1) < oldest)
        return refused("StoreUnusable", "store",
                       fmt::format("the store {} is older than PostgreSQL 13: {}", name_of_store(where),
                                   rows->bytes(0, 0)));
    return rows->bytes(0, 0).contains("-YB-") ? Dialect::yugabyte : Dialect::postgresql;
}

// A table or an index, in the schema of this user.
Answer<bool> is_there(Connection& connection, const std::string& name) {
    const auto found = TRY(connection.ask("SELECT count(*) FROM pg_catalog.pg_class WHERE oid = "
                                          "to_regclass(convert_from($1, 'UTF8'))",
                                          std::array<Parameter, 1>{data::BytesView(name)}));
    return found.number(0, 0) != 0;
}

Result<void> make_tables(Connection& connection, const Tables& tables, Dialect dialect,
                         const std::string& where) {
    const auto make = [&](const std::string& statement) -> Result<void> {
        const auto made = connection.make(statement.c_str());
        return made ? Result<void>() : unusable(made.error(), where, "making the tables");
    };
    for (const auto& [number, table] : tables.all()) {
        const auto has_index = is_there(connection, fmt::format("s_{}_gone", number));
        if (!has_index)
            return unusable(has_index.error(), where, "looking for the tables");
        for (const auto& statement : table.make)
            // Even of an index that is there it waits for who writes into the table, and others for it.
            if (!*has_index || !statement.starts_with("CREATE INDEX"))
                TRY(make(statement));
    }
    return make(make_changes(dialect == Dialect::yugabyte ? " ASC" : ""));
}

// Names this process, for whoever is refused because of it.
std::string name_of_process() {
    std::array<char, 256> host{};
    (void)::gethostname(host.data(), host.size() - 1);
    SystemRandom random;
    return fmt::format("process {} on {} ({:08x})", ::getpid(), host.data(), random.below(0xffff'ffff));
}

Result<std::unique_ptr<data::Engine>>
open_engine(const std::string& where, std::span<const data::Space> spaces, const Options& options) {
    const auto first = TRY(Connection::open(where));
    const auto dialect = TRY(dialect_of(*first, where));
    Tables tables(spaces, options.watched, dialect);
    TRY(make_tables(*first, tables, dialect, where));
    auto pool = std::make_unique<Pool>(where, connections_max);
    auto lane =
        TRY(Lane::take(*pool, options.node.empty() ? name_of_process() : options.node, options.alone));
    auto engine =
        std::make_unique<PostgresEngine>(where, std::move(pool), std::move(tables), std::move(lane), options);
    TRY(engine->begin());
    return engine;
}

Result<std::optional<data::Bytes>> peek_value(const std::string& where, const data::Space& space,
                                              data::BytesView key) {
    const auto connection = TRY(Connection::open(where));
    const Tables tables(std::array{space}, {}, TRY(dialect_of(*connection, where)));
    const auto* table = TRY(tables.of(space));
    const auto there = is_there(*connection, fmt::format("s_{}", space.number));
    if (!there)
        return error_of(there.error(), "looking for the tables");
    if (!*there)
        return std::nullopt;
    return TRY(read_now(*connection, *table, key)).value;
}

} // namespace

} // namespace postgres

Result<std::unique_ptr<data::Engine>>
open_postgres(const std::string& where, std::span<const data::Space> spaces, const Options& options) {
    return postgres::open_engine(where, spaces, options);
}

Result<std::optional<data::Bytes>> peek_postgres(const std::string& where, const data::Space& space,
                                                 data::BytesView key) {
    return postgres::peek_value(where, space, key);
}

} // namespace slashpost::storage
