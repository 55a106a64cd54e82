#pragma once
// A transaction in which many things of one kind are done one after the other, each by code that knows
// nothing of the others. It wraps the engine's: what they all read is read once, what they all add to is
// added to once, and all writes reach the engine together, in the order of their keys, when everything was
// read. Whoever reads through it sees all of its writes.
#include "core/data/counts.h"
#include "core/data/engine.h"

#include <map>
#include <memory_resource>
#include <span>
#include <unordered_map>
#include <vector>

namespace slashpost::data {

class BatchTxn final : public Txn {
  public:
    // `base` outlives this. In the spaces of `made_here` only keys are written that nobody else writes,
    // because they contain ids that this transaction made: those are written without tracking (`put_blind`),
    // as is every key that was read, which is tracked by that.
    BatchTxn(Txn& base, std::span<const Space> made_here) : base_(base), made_here_(made_here) {}

    // The key contains an id that was made for it, so a look at the store is saved, which costs more than
    // all else when the store is large. Holds for the last such key, of a space of made_here, until it is
    // written.
    void assume_absent(const Space& space, BytesView key);

    // Without this nothing is written. May be called more than once.
    Result<void> flush();

    Result<std::optional<Bytes>> get(const Space& space, BytesView key) override;
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
    enum class Write : std::uint8_t { none, tracked, blind };
    // Number of the space, key.
    using Place = BytesView;
    // What is known of a key, and whether that is still to be written.
    struct Known {
        Space space;
        Place place;
        BytesView value;
        bool known = false;
        bool there = false;
        bool tracked = false; // by the engine
        Write write = Write::none;
    };

    Known& known(const Space& space, BytesView key);
    Result<void> write(Known& one);
    void note(Known& one, std::optional<BytesView> value, Write write);
    BytesView keep(BytesView bytes);
    // A put into a space of made_here. There are many, and hardly one is ever read here: most are told from
    // those by a bit that no key of made_ has.
    struct Made {
        const Space* space; // of made_here_
        BytesView key;
        BytesView value;
    };
    [[nodiscard]] const Space* is_made_here(const Space& space) const; // null: no
    [[nodiscard]] const Made* find_made(const Space& space, BytesView key) const;
    static std::size_t bit_of(BytesView key);
    [[nodiscard]] bool is_absent(const Space& space, BytesView key) const;

    Txn& base_;
    std::span<const Space> made_here_;
    std::pmr::monotonic_buffer_resource memory_{1 << 16};
    std::pmr::unordered_map<Place, Known> known_{&memory_};
    std::vector<Known*> writes_;
    std::vector<Made> made_;
    std::vector<bool> made_bits_;
    std::uint16_t absent_space_ = 0;
    Bytes absent_; // of the last assume_absent(), until it is written
    Bytes place_;  // of a key that is looked up
    std::map<Bytes, std::int64_t> adds_;
    std::map<Bytes, std::map<Bytes, std::int64_t>> sums_; // tallies of the ranges that were scanned
    std::map<Bytes, std::pair<Space, Counts>> counts_;    // by place
};

} // namespace slashpost::data
