#pragma once
// Numbers for transactions that write events, so that whoever reads events by their numbers skips none.
//
// Transactions commit in another order than they take their numbers in. So a number counts as open from when
// it is taken, inside the transaction, until its commit is seen by everybody or will never be; and a reader
// goes no further than the smallest open one. He asks for that before he begins to read.
//
// Numbers rise for ever, also when the clock goes back, a disk loses what was not synced, or another server
// uses the store: each run begins above all that an earlier one can have shown.
//
// Of several servers on one store each shows the others (core/data/peers.h) below which number it will commit
// none any more, and goes on from the highest that it is shown, so that who has nothing to write holds up
// nobody for longer than a second or two. A reader goes no further than the smallest. Two servers may take
// the same number: what they write is told apart by the number of the server.
//
//   space::meta   "events.begun"   -> first number of the last run, 8 bytes
//                 "events.settled" -> what a server wrote to see that its commits are there, 8 bytes
//
// One for each store that is open. Safe to call from any thread.
#include "core/base/time.h"
#include "core/data/peers.h"

#include <atomic>
#include <mutex>
#include <set>

namespace slashpost {

class EventSequence {
  public:
    // Of the engine; null: no other server ever uses the store.
    explicit EventSequence(data::Peers* peers = nullptr) : peers_(peers) {}

    // To be called before each transaction, outside of any, and every second. The first time it writes where
    // the numbers begin; fails when the store takes no writes.
    Result<void> begin(data::Engine& engine, Timestamp now);

    // Events with smaller numbers are all there for whoever begins to read now. 0 before the begin: none can
    // be told of, but what others show.
    [[nodiscard]] std::uint64_t horizon() const;

    enum class Ended : std::uint8_t { committed, without_commit, unknown };

    // A transaction's number, for each attempt a new one.
    class Turn {
      public:
        explicit Turn(EventSequence& sequence) : sequence_(sequence) {}
        ~Turn() { end(Ended::unknown); }
        Turn(const Turn&) = delete;
        Turn& operator=(const Turn&) = delete;

        // Gives back the number of the attempt before.
        std::uint64_t take();
        // Of this server; 0 if there never is another one.
        [[nodiscard]] std::uint32_t server() const {
            return sequence_.peers_ ? sequence_.peers_->number() : 0;
        }
        // When `transact` has returned; does nothing from the second time on. When nobody knows whether the
        // commit will be there, the number stays open until a later one is, which shows that.
        void end(Ended how);

      private:
        EventSequence& sequence_;
        std::uint64_t number_ = 0; // 0: none is taken
    };

  private:
    void settle(); // sets horizon_; mutex_ is held
    Result<void> follow_peers(data::Engine& engine);
    Result<void> settle_doubts(data::Engine& engine);

    data::Peers* const peers_;
    std::mutex mutex_;
    bool begun_ = false; // this and all below guarded by mutex_
    std::uint64_t next_ = 0;
    std::set<std::uint64_t> open_;
    std::set<std::uint64_t> doubtful_;       // whose commit may be there or not
    std::atomic<std::uint64_t> horizon_ = 0; // of this server
    std::atomic<bool> is_in_doubt_ = false;  // doubtful_ has one
};

} // namespace slashpost
