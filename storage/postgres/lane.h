#pragma once
// Who commits. Each server has a lane of its own, a row in which it counts its commits up; every commit of it
// changes that row. So a commit whose outcome was not heard of is looked up by its number. A server that was
// taken for dead has lost its lane, as the epoch of the row has been raised: it commits nothing any more.
//
// A lane that nobody has is given to the next server, which counts on from where the one before had come.
#include "storage/postgres/pool.h"

#include <atomic>
#include <chrono>

namespace slashpost::storage::postgres {

// A server renews its lease every second; as long as others hear nothing of it, they wait.
inline constexpr std::chrono::seconds lease{10};

// A row of `lanes`.
struct LaneRow {
    enum class State : std::int64_t {
        in_use,
        ended,
        free
    }; // ended: its lease, but nobody has raised the epoch
    std::int64_t lane = 0;
    std::int64_t epoch = 0;
    std::int64_t seq = 0;    // of its last commit
    std::uint64_t shown = 0; // core/data/peers.h
    bool alone = false;      // wants the store for itself
    State state = State::free;
    data::Bytes node, until;
    std::int64_t now_ms = 0; // by the store's clock
    [[nodiscard]] bool is_free() const { return state == State::free; }
};

// All of them, ascending.
Answer<std::vector<LaneRow>> look_at_lanes(Connection& connection);
// Takes the lane from the server that has it, unless it has been heard of since, or somebody has done so
// already.
Answer<void> fence(Connection& connection, const LaneRow& row);

class Lane {
  public:
    // Takes a lane for this process. Fails as refused with code StoreInUse while a server of the same name
    // has one, which must have said so within the last ten seconds; one of the same name, while this one
    // looks for some seconds. So it does when one of them wants to be alone and another uses the store.
    static Result<std::unique_ptr<Lane>> take(Pool& pool, const std::string& node, bool alone);
    ~Lane();
    Lane(const Lane&) = delete;
    Lane& operator=(const Lane&) = delete;

    [[nodiscard]] std::int64_t number() const { return number_; }
    [[nodiscard]] std::int64_t epoch() const { return epoch_; }
    // The next commit's number. Of the thread that commits.
    [[nodiscard]] std::int64_t next() const { return seq_ + 1; }
    // What a row says that the commit wrote.
    [[nodiscard]] static std::int64_t version_of(std::int64_t lane, std::int64_t seq) {
        return lane << seq_bits | seq;
    }
    [[nodiscard]] std::int64_t version_of(std::int64_t seq) const { return version_of(number_, seq); }
    // Part of the commit with that number. Nothing is committed when it answers false: the lane is lost.
    Answer<bool> write(Connection& connection, std::int64_t seq);
    // The commit is in the store.
    void done(std::int64_t seq) { seq_ = seq; }
    // Whether the commit with that number is in the store, for who lost the connection meanwhile.
    Answer<bool> has(Connection& connection, std::int64_t seq);
    // Says that this process is alive, and what it shows. Fails when it cannot; false when the lane is lost.
    Answer<bool> renew(Connection& connection, std::uint64_t shown);
    // For good.
    [[nodiscard]] bool is_lost() const { return lost_; }

  private:
    static constexpr int seq_bits = 40;
    Lane(Pool& pool, std::int64_t number, std::int64_t epoch, std::int64_t seq)
        : pool_(pool),
          number_(number),
          epoch_(epoch),
          seq_(seq) {}
    bool note(bool is_mine);

    Pool& pool_;
    const std::int64_t number_, epoch_;
    std::atomic<std::int64_t> seq_; // changed by the thread that commits
    std::atomic<bool> lost_ = false;
};

} // namespace slashpost::storage::postgres
