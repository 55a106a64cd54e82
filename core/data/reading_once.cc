#include "core/data/reading_once.h"

namespace slashpost::data {

ReadingOnce::ReadingOnce(Txn& base, std::span<const Space> shared) : base_(base) {
    for (const auto& space : shared)
        kept_.try_emplace(space.number);
}

ReadingOnce::Kept* ReadingOnce::kept(const Space& space) {
    const auto found = kept_.find(space.number);
    return found != kept_.end() ? &found->second : nullptr;
}

void ReadingOnce::forget(const Space& space, BytesView key) {
    if (auto* const here = kept(space))
        if (const auto found = here->find(key); found != here->end())
            here->erase(found);
}

Result<std::optional<Bytes>> ReadingOnce::get(const Space& space, BytesView key) {
    auto* const here = kept(space);
    if (here == nullptr)
        return base_.get(space, key);
    if (const auto found = here->find(key); found != here->end())
        return found->second;
    return here->emplace(key, TRY(base_.get(space, key))).first->second;
}

Result<std::optional<Bytes>> ReadingOnce::peek(const Space& space, BytesView key) {
    if (auto* const here = kept(space))
        if (const auto found = here->find(key); found != here->end())
            return found->second;
    return base_.peek(space, key); // not kept: `get` is to be tracked
}

Result<void> ReadingOnce::put(const Space& space, BytesView key, BytesView value) {
    forget(space, key);
    return base_.put(space, key, value);
}

Result<void> ReadingOnce::erase(const Space& space, BytesView key) {
    forget(space, key);
    return base_.erase(space, key);
}

Result<void> ReadingOnce::put_blind(const Space& space, BytesView key, BytesView value) {
    forget(space, key);
    return base_.put_blind(space, key, value);
}

Result<void> ReadingOnce::erase_blind(const Space& space, BytesView key) {
    forget(space, key);
    return base_.erase_blind(space, key);
}

Result<void> ReadingOnce::scan(const Space& space, const Range& range, Order order, const Visit& visit) {
    return base_.scan(space, range, order, visit);
}

Result<void> ReadingOnce::scan_tallies(const Range& range, Order order, const VisitTally& visit) {
    return base_.scan_tallies(range, order, visit);
}

Result<std::int64_t> ReadingOnce::tally(BytesView key) { return base_.tally(key); }

Result<void> ReadingOnce::add(BytesView tally, std::int64_t delta) { return base_.add(tally, delta); }

Result<void> ReadingOnce::add_counts(const Space& space, BytesView key, const Counts& delta) {
    return base_.add_counts(space, key, delta);
}

Result<void> ReadingOnce::add_sheet(const Space& space, BytesView key, BytesView sheet) {
    return base_.add_sheet(space, key, sheet);
}

Result<void> ReadingOnce::append(const Space& space, BytesView key, BytesView more) {
    return base_.append(space, key, more);
}

} // namespace slashpost::data
