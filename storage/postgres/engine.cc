#include "storage/postgres/engine.h"

#include "core/base/errors.h"
#include "core/base/guarded.h"
#include "core/base/pause.h"
#include "core/base/random.h"
#include "core/data/key.h"
#include "storage/postgres/txn.h"

#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

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
constexpr std::int64_t tombstones_at_once = 1'000;
// What expires, and when a click was, is told by the clock of the server that works on it.
constexpr std::chrono::seconds clocks_apart_max{30};
// A transaction that began before what it would have to see is forgotten might not notice that it lost.
constexpr std::chrono::minutes tombstones_stay{10};

class PostgresEngine final : public data::Engine {
  public:
    PostgresEngine(std::unique_ptr<Pool> pool, Tables tables, std::unique_ptr<Lane> lane,
                   const Options& options)
        : pool_(std::move(pool)),
          tables_(std::move(tables)),
          lane_(std::move(lane)),
          notice_(options.notice),
          trouble_(options.trouble),
          committer_(*pool_, tables_, *lane_),
          keeper_([this](const std::stop_token& stopping) { keep(stopping); }) {}
    PostgresEngine(const PostgresEngine&) = delete;
    PostgresEngine& operator=(const PostgresEngine&) = delete;
    ~PostgresEngine() override = default;

    Result<std::optional<Bytes>> get_now(const Space& space, BytesView key) override {
        const auto* table = TRY(tables_.of(space));
        const auto connection = TRY(pool_->take());
        return TRY(read_now(*connection, *table, key)).value;
    }
    Figures figures() override { return {.conflicts = conflicts_.load(), .writable = can_be_used_.load()}; }

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
    Result<void> renew();
    // What is wrong with the store, or nothing: to the operator, when it has changed.
    void tell(const std::string& trouble);
    void merge_pieces();
    void forget_tombstones();

    const std::unique_ptr<Pool> pool_;
    const Tables tables_;
    const std::unique_ptr<Lane> lane_;
    const std::function<void(std::string_view)> notice_, trouble_;
    Committer committer_;
    std::atomic<std::uint64_t> conflicts_ = 0;
    std::atomic<bool> can_be_used_ = true; // when the lease was renewed last

    std::mutex mutex_;
    // Guarded by mutex_.
    std::set<Place> to_merge_;
    std::size_t merges_seen_ = 0;

    // Of the keeper: what the operator was told last, and which commits were how long ago.
    std::string told_;
    std::deque<std::pair<std::chrono::steady_clock::time_point, std::int64_t>> past_;
    std::jthread keeper_;
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
            const auto renewed = renew();
            tell(renewed.has_value() ? "" : renewed.error().message);
            if (renewed.has_value()) {
                merge_pieces();
                forget_tombstones();
            }
            return {};
        });
    }
}

Result<void> PostgresEngine::renew() {
    if (!committer_.is_fenced()) {
        const auto connection = TRY(pool_->take());
        const auto is_mine = lane_->renew(*connection);
        if (!is_mine)
            return error_of(is_mine.error(), "renewing the lease");
        if (*is_mine)
            return {};
        committer_.fence();
    }
    return unavailable("another server has taken over the store; stop this one");
}

void PostgresEngine::tell(const std::string& trouble) {
    if (trouble == told_)
        return;
    can_be_used_ = trouble.empty();
    if (trouble_)
        trouble_(trouble);
    if (notice_ && trouble.empty())
        notice_("The store can be used again.");
    else if (notice_ && told_.empty())
        notice_(fmt::format("The store cannot be used, redirects go on: {}", trouble));
    told_ = trouble;
}

// Reading a key makes one value of its pieces; writing that puts it in their place.
void PostgresEngine::merge_pieces() {
    std::set<Place> places;
    {
        const std::lock_guard lock(mutex_);
        places.swap(to_merge_);
    }
    for (const auto& [number, key] : places) {
        const auto& space = tables_.all().at(number).space;
        (void)transact([&](data::Txn& txn) -> Result<void> {
            if (const auto value = TRY(txn.get(space, key)))
                TRY(txn.put(space, key, *value));
            return {};
        });
    }
}

void PostgresEngine::forget_tombstones() {
    const auto now = std::chrono::steady_clock::now();
    if (past_.empty() || now - past_.back().first >= std::chrono::minutes(1))
        past_.emplace_back(now, lane_->next() - 1);
    if (now - past_.front().first < tombstones_stay)
        return;
    const auto upto = past_.front().second;
    past_.pop_front();
    const auto connection = pool_->take();
    if (!connection.has_value())
        return;
    for (const auto& [number, table] : tables_.all())
        // What was made to be locked has version 0; whoever needs it now makes it again.
        for (const auto& [first, last] : {std::pair(std::int64_t{0}, std::int64_t{0}),
                                          std::pair(Lane::version_of(0), Lane::version_of(upto))})
            for (;;) {
                const auto gone = (*connection)
                                      ->ask(table.forget_tombstones,
                                            std::array<Parameter, 3>{first, last, tombstones_at_once});
                if (!gone || gone->changed() < tombstones_at_once)
                    break;
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

Result<void> make_tables(Connection& connection, const Tables& tables, const std::string& where) {
    for (const auto& [number, table] : tables.all())
        for (const auto& statement : table.make)
            if (const auto made = connection.run(statement.c_str()); !made)
                return unusable(made.error(), where, "making the tables");
    return {};
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
    Tables tables(spaces, TRY(dialect_of(*first, where)));
    TRY(make_tables(*first, tables, where));
    auto pool = std::make_unique<Pool>(where, connections_max);
    auto lane = TRY(Lane::take(*pool, options.node.empty() ? name_of_process() : options.node));
    return std::make_unique<PostgresEngine>(std::move(pool), std::move(tables), std::move(lane), options);
}

Result<std::optional<data::Bytes>> peek_value(const std::string& where, const data::Space& space,
                                              data::BytesView key) {
    const auto connection = TRY(Connection::open(where));
    const Tables tables(std::array{space}, TRY(dialect_of(*connection, where)));
    const auto* table = TRY(tables.of(space));
    const auto name = fmt::format("s_{}", space.number);
    const auto there = connection->ask("SELECT count(*) FROM pg_catalog.pg_class WHERE oid = "
                                       "to_regclass(convert_from($1, 'UTF8'))",
                                       std::array<Parameter, 1>{data::BytesView(name)});
    if (!there)
        return error_of(there.error(), "looking for the tables");
    if (there->number(0, 0) == 0)
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
