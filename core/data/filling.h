#pragma once
// Operations that are made for transactions, in a fill: they read what the store has, and what the fill wrote
// where that matters. Such places are few, and are named: everything else is only written, and goes through.
#include "core/data/fill.h"

#include <map>
#include <mutex>
#include <span>
#include <unordered_set>
#include <vector>

namespace slashpost::data {

// What becomes of a fill's writes in a space.
enum class FillRule : std::uint8_t {
    through, // into the fill; each key once
    kept,    // in memory until the end, where they are read and replaced
    rows,    // as `kept`, but blind writes go through
    unique,  // as `through`, and whoever looks for a key that nobody has takes it: it is there from then on
    none,    // nothing: who fills does what they ask for
};

struct FillRuleOf {
    Space space;
    FillRule rule = FillRule::through;
};

// Of one fill. From any thread.
class Filling {
  public:
    // `rules` of spaces, all others go through. `fill` outlives this.
    Filling(Fill& fill, std::span<const FillRuleOf> rules);

    // Runs `closure` once, with a transaction over what is `stored`. When it fails, the fill is to be
    // dropped.
    Result<void> write(View& stored, const std::function<Result<void>(Txn&)>& closure);
    // Writes what was kept, then finishes the fill. Nothing writes any more.
    Result<void> finish();

  private:
    class LayeredTxn;
    using Place = std::pair<std::uint16_t, Bytes>; // number of the space, key

    [[nodiscard]] FillRule rule_of(const Space& space) const;
    // Whether the key was free until now.
    bool take(BytesView key);
    void keep(const Space& space, BytesView key, std::optional<Bytes> value);
    // What was kept under the key, which may be that it was erased; nothing when nothing was.
    std::optional<std::optional<Bytes>> kept(const Space& space, BytesView key);

    Fill& fill_;
    std::vector<FillRuleOf> rules_; // by number of the space
    std::mutex mutex_;
    // Guarded by mutex_.
    std::map<Place, std::optional<Bytes>> kept_; // nothing: erased
    std::unordered_set<std::size_t> taken_; // hashes: who looks for a key with one of them finds it taken
};

} // namespace slashpost::data
