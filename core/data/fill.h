#pragma once
// How an empty store gets very many rows at once: a fill takes their writes in any order, from any thread,
// and puts all of them in place with its last step. An engine can do that much faster than transactions, as
// nobody reads meanwhile and everything can be sorted first.
#include "core/data/engine.h"

#include <memory>

namespace slashpost::data {

// Nobody else may use the engine while a fill lives, and there is one at a time. Dropped before it finished,
// it leaves nothing behind.
class Fill {
  public:
    virtual ~Fill() = default;
    // Runs `closure` once. Its transaction puts and adds (FillTxn below), only keys that the store does not
    // have. A fill of which a write failed is good for nothing but to be dropped.
    virtual Result<void> write(const std::function<Result<void>(Txn&)>& closure) = 0;
    // Puts everything in place, on the disk and all at once. Fails with a conflict, and puts nothing in
    // place, when a key was put twice. Called once, after all writes.
    virtual Result<void> finish() = 0;
};

// What the transactions of a fill have in common: to them the store is empty, and stays so.
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
    Result<void> erase(const Space&, BytesView) override;
    Result<void> erase_blind(const Space&, BytesView) override;
    Result<void> append(const Space&, BytesView, BytesView) override;
};

// What an engine is besides that has a way of its own to fill its store.
class Fillable {
  public:
    virtual ~Fillable() = default;
    virtual Result<std::unique_ptr<Fill>> fill() = 0;
};

// Begins to fill the empty store of the engine: in its own way, else with all writes in memory and one
// transaction at the end.
Result<std::unique_ptr<Fill>> begin_fill(Engine& engine);

} // namespace slashpost::data
