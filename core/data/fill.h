#pragma once
// How a store gets very many rows at once: a fill takes their writes in any order, from any thread, and puts
// all of them in place with its last step. An engine can do that much faster than transactions, as nobody
// else writes meanwhile and everything can be sorted first.
#include "core/data/engine.h"
#include "core/data/measured.h"

#include <memory>

namespace slashpost::data {

// While a fill lives nobody else may write the keys that it puts or erases, nor run a transaction that read
// them, and there is one fill at a time. Dropped before it finished, it leaves nothing behind.
class Fill {
  public:
    virtual ~Fill() = default;
    // Runs `closure` once, with a transaction that writes blindly (FillTxn below). What one closure appends
    // to a key stays in its order; that of several comes in any. A fill of which a write failed is good for
    // nothing but to be dropped.
    virtual Result<void> write(const std::function<Result<void>(Txn&)>& closure) = 0;
    // Puts everything in place, on the disk and all at once, over what the store has. Fails with a conflict,
    // and puts nothing in place, when a key was put or erased twice. Called once, after all writes. `tell` is
    // called from any thread, by one at a time.
    virtual Result<void> finish(const Tell& tell) = 0;
    Result<void> finish() { return finish(tell_nobody); }
};

// What the transactions of a fill have in common: to them the store is empty, and stays so
// (core/data/filling.h is for who has to read).
class FillTxn : public Txn {
  public:
    Result<std::optional<Bytes>> get(const Space&, BytesView) override { return std::nullopt; }
    Result<std::optional<Bytes>> peek(const Space&, BytesView) override { return std::nullopt; }
    Result<void> scan(const Space&, const Range&, Order, const Visit&) override { return {}; }
    Result<void> scan_tallies(const Range&, Order, const VisitTally&) override { return {}; }
    Result<std::int64_t> tally(BytesView) override { return 0; }
    Result<void> put(const Space& space, BytesView key, BytesView value) override {
        return put_blind(space, key, value);
    }
    Result<void> erase(const Space& space, BytesView key) override { return erase_blind(space, key); }
};

// What an engine is besides that has a way of its own to fill its store.
class Fillable {
  public:
    virtual ~Fillable() = default;
    virtual Result<std::unique_ptr<Fill>> fill() = 0;
};

// Begins to fill the store of the engine: in its own way, else with all writes in memory and one
// transaction at the end.
Result<std::unique_ptr<Fill>> begin_fill(Engine& engine);

} // namespace slashpost::data
