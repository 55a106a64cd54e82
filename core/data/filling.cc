#include "core/data/filling.h"

#include "core/base/errors.h"

namespace slashpost::data {

class Filling::LayeredTxn final : public Txn {
  public:
    LayeredTxn(Filling& filling, View& stored, Txn& fill) : filling_(filling), stored_(stored), fill_(fill) {}

    Result<std::optional<Bytes>> get(const Space& space, BytesView key) override { return peek(space, key); }
    Result<std::optional<Bytes>> peek(const Space& space, BytesView key) override {
        const auto rule = filling_.rule_of(space);
        if (rule == FillRule::kept || rule == FillRule::rows)
            if (auto kept = filling_.kept(space, key))
                return *std::move(kept);
        auto value = TRY(stored_.peek(space, key)); // it stays as it is: nothing is to be tracked
        if (rule == FillRule::unique && !value && !filling_.take(key))
            value.emplace();
        return value;
    }
    // What the fill wrote is not there.
    Result<void> scan(const Space& space, const Range& range, Order order, const Visit& visit) override {
        return stored_.scan(space, range, order, visit);
    }
    Result<void> scan_tallies(const Range& range, Order order, const VisitTally& visit) override {
        return stored_.scan_tallies(range, order, visit);
    }
    Result<std::int64_t> tally(BytesView key) override { return stored_.tally(key); }

    Result<void> put(const Space& space, BytesView key, BytesView value) override {
        return write(space, key, Bytes(value), false);
    }
    Result<void> erase(const Space& space, BytesView key) override { return write(space, key, {}, false); }
    Result<void> put_blind(const Space& space, BytesView key, BytesView value) override {
        return write(space, key, Bytes(value), true);
    }
    Result<void> erase_blind(const Space& space, BytesView key) override {
        return write(space, key, {}, true);
    }
    Result<void> add(BytesView tally, std::int64_t delta) override { return fill_.add(tally, delta); }
    Result<void> add_counts(const Space& space, BytesView key, const Counts& delta) override {
        return fill_.add_counts(space, key, delta);
    }
    Result<void> add_sheet(const Space& space, BytesView key, BytesView sheet) override {
        return fill_.add_sheet(space, key, sheet);
    }
    Result<void> append(const Space& space, BytesView key, BytesView more) override {
        return fill_.append(space, key, more);
    }

  private:
    Result<void> write(const Space& space, BytesView key, std::optional<Bytes> value, bool blind) {
        const auto rule = filling_.rule_of(space);
        if (rule == FillRule::none)
            return {};
        if (rule == FillRule::kept || (rule == FillRule::rows && !blind)) {
            filling_.keep(space, key, std::move(value));
            return {};
        }
        return value ? fill_.put_blind(space, key, *value) : fill_.erase_blind(space, key);
    }

    Filling& filling_;
    View& stored_;
    Txn& fill_;
};

Filling::Filling(Fill& fill, std::span<const FillRuleOf> rules) : fill_(fill) {
    for (const auto& one : rules) {
        if (rules_.size() <= one.space.number)
            rules_.resize(one.space.number + std::size_t{1}, {.space = {}, .rule = FillRule::through});
        rules_[one.space.number] = one;
    }
}

FillRule Filling::rule_of(const Space& space) const {
    return space.number < rules_.size() ? rules_[space.number].rule : FillRule::through;
}

bool Filling::take(BytesView key) {
    const std::lock_guard lock(mutex_);
    return taken_.insert(std::hash<BytesView>()(key)).second;
}

void Filling::keep(const Space& space, BytesView key, std::optional<Bytes> value) {
    const std::lock_guard lock(mutex_);
    kept_.insert_or_assign(Place(space.number, key), std::move(value));
}

std::optional<std::optional<Bytes>> Filling::kept(const Space& space, BytesView key) {
    const std::lock_guard lock(mutex_);
    const auto found = kept_.find(Place(space.number, key));
    if (found == kept_.end())
        return std::nullopt;
    return std::make_optional(found->second); // which may be none
}

Result<void> Filling::write(View& stored, const std::function<Result<void>(Txn&)>& closure) {
    return fill_.write([&](Txn& fill) {
        LayeredTxn txn(*this, stored, fill);
        return closure(txn);
    });
}

Result<void> Filling::finish() {
    TRY(fill_.write([&](Txn& fill) -> Result<void> {
        for (const auto& [place, value] : kept_) {
            const auto& space = rules_[place.first].space;
            TRY(value ? fill.put_blind(space, place.second, *value) : fill.erase_blind(space, place.second));
        }
        return {};
    }));
    return fill_.finish();
}

} // namespace slashpost::data
