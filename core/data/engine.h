#pragma once
// The ordered transactional store that everything else stands on, as pure interfaces.
//
// An engine holds *spaces*, ordered maps from bytes to bytes. What it has to do is `get`, `peek`, `scan`,
// `put` and `erase`, tracked and blind, and `merge`; everything else here is made of these. Its rules, proved
// for every engine by tests/support/engine_contract.h:
//
//   1. A transaction reads its own writes; nobody else sees them before the commit, everybody all of them
//   after.
//   2. `get` inside a transaction is tracked: if another commit changed that key (or made it, or erased it)
//      meanwhile, this commit does not happen and the closure runs again. So lost updates and write skew
//      through `get` cannot occur, and of two inserts of one unique key, one sees the other. `put` and
//      `erase` are tracked likewise. A transaction that wrote nothing never runs again: it read one moment.
//   3. All reads see the snapshot that the transaction began with plus its own writes; `peek`, `scan` and
//      what is made of them are not tracked. Hence: an invariant hangs on a key that is read with `get`,
//      never on those.
//   4. A `merge` never makes its own commit fail, whoever merges into the same key meanwhile; operands take
//      effect in the order of the commits. A commit that has read the key with `get` runs again.
//   5. A closure that fails leaves nothing behind.
//   6. When `transact` returns success, the commit is on disk (unless the engine was opened relaxed, or its
//      thread sees to that itself: core/data/sync_later.h). Others may see it a moment earlier; if a power
//      cut takes it then, it takes nothing that was answered.
//      When it returns `unavailable` because the disk failed, it is open whether the commit will be there.
//
// Closures may run more than once: inside one, change nothing but the transaction.
// Engines are safe to use from any thread; a View or Txn belongs to the thread that runs its closure.
#include "core/base/result.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <type_traits>

namespace slashpost::data {

using Bytes = std::string;
using BytesView = std::string_view;

// How a space is used; engines tune by it.
enum class Pattern {
    rows,       // point reads and writes of values of some hundred bytes, and ordered scans
    settings,   // few small rows that nearly every call reads and hardly any writes
    marks,      // very many small rows, of which a few are written again and again
    hot_lookup, // very many point reads, mostly of keys that exist; small values
    passing,    // rows that are added to all the time and erased within hours
    queue,      // keys that are soon erased again, and scans of what is there
};

// What becomes of a value and the operands that are merged into it (core/data/merging.h).
enum class MergeRule {
    none,   // nothing is merged there
    sum,    // 64-bit sums
    counts, // each value many sums (core/data/counts.h)
    sheets, // each value the counts of many ids (core/data/sheets.h)
    append, // values that grow at their end
};

class Counts;
class Peers;
class Trail;

// A named, numbered part of the store. Numbers and names are on disk: never reuse one.
struct Space {
    std::uint16_t number = 0;
    std::string_view name;
    Pattern pattern = Pattern::rows;
    MergeRule merges = MergeRule::none;
};

// What is counted, key by key. Every engine has this space besides those that it is opened with.
inline constexpr Space tallies{0, "tallies", Pattern::marks, MergeRule::sum};

// Keys k with from <= k < until. An empty `until` means "to the end".
struct Range {
    Bytes from;
    Bytes until;
    // All keys that start with `prefix`.
    static Range of_prefix(BytesView prefix);
    // What is left of it behind a key of it; all for an empty one.
    [[nodiscard]] Range behind(BytesView key) const;
};

enum class Order { forward, backward };

// Called for each entry; false ends the scan. The views are valid during the call only. The closure may
// read through the same View, and in a transaction write and erase, also the key it is called for; whether
// the scan will still visit an entry that was written during it is left open.
using Visit = std::function<bool(BytesView key, BytesView value)>;
using VisitTally = std::function<bool(BytesView key, std::int64_t sum)>;

// A consistent picture of the store.
class View {
  public:
    virtual ~View() = default;
    virtual Result<std::optional<Bytes>> get(const Space& space, BytesView key) = 0;
    // The same, not tracked: for what is only shown, such as clicks, and decides nothing.
    virtual Result<std::optional<Bytes>> peek(const Space& space, BytesView key) { return get(space, key); }
    virtual Result<void> scan(const Space& space, const Range& range, Order order, const Visit& visit) = 0;

    // Tallies in key order; a tally whose adds sum to zero may or may not be visited.
    Result<void> scan_tallies(const Range& range, Order order, const VisitTally& visit);
    // One tally, 0 when there is none. Not tracked, like `sum`, and much cheaper.
    Result<std::int64_t> tally(BytesView key);
    // The sum of all tallies whose key starts with `prefix`.
    Result<std::int64_t> sum(BytesView prefix);
};

// One attempt at a transaction.
class Txn : public View {
  public:
    Result<std::optional<Bytes>> peek(const Space& space, BytesView key) override = 0;
    virtual Result<void> put(const Space& space, BytesView key, BytesView value) = 0;
    virtual Result<void> erase(const Space& space, BytesView key) = 0; // fine when there is no such key
    // Makes of the value under the key what the rule of the space says; where there is no value the operand
    // becomes it. Fails with a fault when the space has no rule. An operand that cannot be read may be
    // noticed only when the value is read, and makes it unreadable then.
    virtual Result<void> merge(const Space& space, BytesView key, BytesView operand) = 0;
    // Write without reading: the commit does not fail because of this key. For rows with one writer only, and
    // for entries of a row that is tracked itself.
    virtual Result<void> put_blind(const Space& space, BytesView key, BytesView value) = 0;
    virtual Result<void> erase_blind(const Space& space, BytesView key) = 0;

    Result<void> add(BytesView tally, std::int64_t delta);
    // In a space of MergeRule::counts.
    Result<void> add_counts(const Space& space, BytesView key, const Counts& delta);

    // Where tables note what is done to their rows (core/data/trail.h); null: nowhere. The trail outlives the
    // transaction, or is taken away before.
    void follow(Trail* trail) { trail_ = trail; }
    [[nodiscard]] Trail* trail() const { return trail_; }

  private:
    Trail* trail_ = nullptr;
};

enum class Durability { synced, relaxed };

class Engine {
  public:
    virtual ~Engine() = default;

    // Runs `f(Txn&)`, which returns a Result<...>, and commits if it succeeded. On a conflict it runs again,
    // a bounded number of times with growing random pauses, then fails with `conflict`. Fails with
    // `unavailable` when the disk takes no writes.
    template <class F>
    auto transact(F&& f) -> std::invoke_result_t<F&, Txn&> {
        std::optional<std::invoke_result_t<F&, Txn&>> answer;
        auto done = run_transaction([&](Txn& txn) -> Result<void> { return keep(answer, f(txn)); });
        return finish(std::move(answer), std::move(done));
    }

    // Runs `f(View&)` once over a snapshot.
    template <class F>
    auto read(F&& f) -> std::invoke_result_t<F&, View&> {
        std::optional<std::invoke_result_t<F&, View&>> answer;
        auto done = run_read([&](View& view) -> Result<void> { return keep(answer, f(view)); });
        return finish(std::move(answer), std::move(done));
    }

    // One committed value, the last one: the redirect path's look-up, which some engines have a shorter way
    // to.
    virtual Result<std::optional<Bytes>> get_now(const Space& space, BytesView key) {
        return read([&](View& view) { return view.peek(space, key); });
    }

    // Makes sure that scans of the range do not have to step over what was erased there; takes about as long
    // as to write anew what is left, and may wait for other such work. Changes nothing that anybody could
    // read. Returns soon when it is to stop, with more or less of it done.
    virtual Result<void> forget_erased(const Space& /*space*/, const Range& /*range*/,
                                       const std::stop_token& /*stopping*/) {
        return {};
    }

    // Reads everything stored and compares the engine's own checksums. Fails with what is damaged.
    virtual Result<void> verify_checksums() { return {}; }

    struct Figures {
        std::uint64_t memory_bytes = 0; // caches, write buffers, indexes held in memory
        std::uint64_t disk_bytes = 0;
        std::uint64_t merging_bytes = 0; // of the files, that are still to be merged with others
        std::uint64_t conflicts = 0;     // attempts that had to run again, since open
        bool writable = true;            // false while the disk takes no writes
        // Of a store that several servers may use: those that do, this one among them, and for how long it
        // has not been told of what the others wrote.
        std::uint64_t servers = 1;
        double behind_seconds = 0;
    };
    virtual Figures figures() { return {}; }

    // The others that use the store, as long as it is open; null where there are never any.
    virtual Peers* peers() { return nullptr; }

  protected:
    virtual Result<void> run_transaction(const std::function<Result<void>(Txn&)>& closure) = 0;
    virtual Result<void> run_read(const std::function<Result<void>(View&)>& closure) = 0;

  private:
    template <class R>
    static Result<void> keep(std::optional<R>& answer, R value) {
        answer.emplace(std::move(value));
        if (!answer->has_value())
            return std::unexpected(answer->error());
        return {};
    }
    template <class R>
    static R finish(std::optional<R> answer, Result<void> done) {
        if (!done.has_value())
            return std::unexpected(std::move(done).error());
        return std::move(*answer);
    }
};

} // namespace slashpost::data
