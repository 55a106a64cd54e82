#pragma once
// What this server says to the others that use the store and hears of them, by a thread with a connection of
// its own: it renews the lease of the lane, takes lanes from those that are dead, and reads what the others
// wrote into watched spaces.
//
//   changes   lane bigint, seq bigint, space bigint, k bytea
//             what commits wrote there; kept for ten minutes (engine.cc)
//
// The commits of a lane are in the store in the order of their numbers. So whoever knows how far a lane has
// come, and then reads its changes up to there, misses none.
#include "core/data/peers.h"
#include "storage/options.h"
#include "storage/postgres/lane.h"

#include <map>
#include <mutex>
#include <thread>

namespace slashpost::storage::postgres {

inline constexpr const char* taken_for_dead =
    "the others have not heard of this server for ten seconds and took it for dead; start it again";

class Watch final : public data::Peers {
  public:
    // All outlive this.
    Watch(std::string where, Pool& pool, Lane& lane, const Options& options)
        : where_(std::move(where)),
          pool_(pool),
          lane_(lane),
          options_(options) {}

    // Looks for the first time, and goes on looking: what is written after the call is told.
    Result<void> begin();

    [[nodiscard]] data::Bytes name() const override;
    [[nodiscard]] std::uint32_t number() const override { return static_cast<std::uint32_t>(lane_.number()); }
    Result<bool> is_gone(data::BytesView name) override;
    Result<bool> is_alone() override;
    void show(std::uint64_t number) override;
    [[nodiscard]] Shown shown() const override { return {.lowest = lowest_, .highest = highest_}; }

    // As of the last look.
    [[nodiscard]] std::vector<LaneRow> lanes() const;
    [[nodiscard]] bool can_be_used() const { return can_be_used_; }
    [[nodiscard]] double seconds_since_look() const;

  private:
    using Time = std::chrono::steady_clock;
    struct Heard {
        data::Bytes until;
        Time::time_point since;
    };

    void run(const std::stop_token& stopping);
    Result<void> take_turn();
    Answer<void> look();
    Answer<void> read_changes(const std::vector<LaneRow>& rows);
    void tell_of_changes();
    Answer<void> fence_dead(const std::vector<LaneRow>& rows);
    void note(std::vector<LaneRow> rows);
    // What is wrong, or nothing: to the operator, when that has changed.
    void tell(const std::string& trouble);

    const std::string where_;
    Pool& pool_;
    Lane& lane_;
    const Options options_;

    std::atomic<bool> can_be_used_ = true;
    std::atomic<std::uint64_t> own_ = 0, lowest_ = 0, highest_ = 0; // what is shown
    std::atomic<Time::time_point> looked_at_ = Time::now();
    mutable std::mutex mutex_;
    std::vector<LaneRow> lanes_; // guarded by mutex_

    // Of the thread.
    std::unique_ptr<Connection> connection_;
    std::map<std::int64_t, std::int64_t> read_upto_; // seq by lane
    std::int64_t looked_ms_ = 0;                     // by the store's clock
    std::vector<Options::Written> written_;          // and not told yet
    bool missed_ = false;
    std::map<std::int64_t, Heard> heard_; // by lane: how long the end of its lease has been the same
    Time::time_point renewed_at_;
    std::uint64_t own_told_ = 0;
    std::string told_;
    std::jthread thread_; // last: it uses the others
};

// Makes the table of changes.
std::string make_changes(std::string_view ascending);
// For each key of a space that a commit wrote: bytea[], lane, seq, space.
inline constexpr std::string_view note_changes =
    "INSERT INTO changes (lane, seq, space, k) SELECT $2, $3, $4, w.k FROM unnest($1) AS w (k)";
// Of a lane up to a number.
inline constexpr std::string_view forget_changes = "DELETE FROM changes WHERE lane = $1 AND seq <= $2";
// How long they are there. Who has not looked for half of that may have missed some.
inline constexpr std::chrono::minutes changes_stay{10};

} // namespace slashpost::storage::postgres
