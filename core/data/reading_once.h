#pragma once
// A transaction in which many things of one kind are done one after the other, each by code that knows
// nothing of the others. What they all read, rows of a few tables, is read from the engine once.
#include "core/data/engine.h"

#include <map>
#include <span>
#include <unordered_map>

namespace slashpost::data {

class ReadingOnce final : public Txn {
  public:
    // Keeps what is read in the spaces `shared`, none of which is one that is added to. `base` outlives this.
    ReadingOnce(Txn& base, std::span<const Space> shared);

    Result<std::optional<Bytes>> get(const Space& space, BytesView key) override;
    Result<std::optional<Bytes>> peek(const Space& space, BytesView key) override;
    Result<void> scan(const Space& space, const Range& range, Order order, const Visit& visit) override;
    Result<void> scan_tallies(const Range& range, Order order, const VisitTally& visit) override;
    Result<std::int64_t> tally(BytesView key) override;
    Result<void> put(const Space& space, BytesView key, BytesView value) override;
    Result<void> erase(const Space& space, BytesView key) override;
    Result<void> add(BytesView tally, std::int64_t delta) override;
    Result<void> add_counts(const Space& space, BytesView key, const Counts& delta) override;
    Result<void> add_sheet(const Space& space, BytesView key, BytesView sheet) override;
    Result<void> append(const Space& space, BytesView key, BytesView more) override;
    Result<void> put_blind(const Space& space, BytesView key, BytesView value) override;
    Result<void> erase_blind(const Space& space, BytesView key) override;

  private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(BytesView key) const { return std::hash<BytesView>()(key); }
    };
    using Kept =
        std::unordered_map<Bytes, std::optional<Bytes>, Hash, std::equal_to<>>; // nothing: no such key

    [[nodiscard]] Kept* kept(const Space& space); // null: not shared
    void forget(const Space& space, BytesView key);

    Txn& base_;
    std::map<std::uint16_t, Kept> kept_; // by number of the space
};

} // namespace slashpost::data
