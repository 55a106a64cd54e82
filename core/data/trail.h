#pragma once
// What a transaction did to the rows of tables that are followed, for whoever began it to tell in the same
// transaction (core/access/event_log.h). No operation notes anything by hand: Table::write does.
#include "core/data/engine.h"

#include <unordered_map>
#include <vector>

namespace slashpost::data {

class Trail {
  public:
    // A row as it was before the transaction and as it is behind it, encoded; empty: there was, or is, none.
    struct Step {
        const Space* space = nullptr;
        Bytes primary;
        Bytes was;
        Bytes now;
    };

    // Of several writes of one row, the first says what was and the last what is.
    void note(const Space& space, BytesView primary, Bytes was, Bytes now);
    // In the order in which the rows were first written.
    [[nodiscard]] const std::vector<Step>& steps() const { return steps_; }

  private:
    std::vector<Step> steps_;
    std::unordered_map<Bytes, std::size_t> places_; // by space and primary key
};

// While one lives, nothing that its transaction does is followed: for work that follows from what was told
// already, and for more rows than anybody wants to hear of.
class Unfollowed {
  public:
    explicit Unfollowed(Txn& txn) : txn_(txn), trail_(txn.trail()) { txn.follow(nullptr); }
    ~Unfollowed() { txn_.follow(trail_); }
    Unfollowed(const Unfollowed&) = delete;
    Unfollowed& operator=(const Unfollowed&) = delete;

  private:
    Txn& txn_;
    Trail* trail_;
};

} // namespace slashpost::data
