#include "core/data/batch_txn.h"

#include "core/data/key.h"

#include <algorithm>
#include <ranges>

namespace slashpost::data {

namespace {

constexpr std::size_t space_bytes = 2;
constexpr std::size_t made_bits_max = 1 << 23;
constexpr std::size_t sums_kept_max = 64; // of one range; a larger one is scanned again each time

// What is added to by the engine is not kept here, so nothing is known of it.
bool is_put(const Space& space) {
    return space.pattern == Pattern::rows || space.pattern == Pattern::hot_lookup ||
           space.pattern == Pattern::queue;
}

} // namespace

BytesView BatchTxn::keep(BytesView bytes) {
    auto* const kept = static_cast<char*>(memory_.allocate(std::max<std::size_t>(bytes.size(), 1), 1));
    std::ranges::copy(bytes, kept);
    return {kept, bytes.size()};
}

BatchTxn::Known& BatchTxn::known(const Space& space, BytesView key) {
    place_.clear();
    append_key(place_, space.number);
    place_ += key;
    auto found = known_.find(place_);
    if (found == known_.end()) {
        const auto place = keep(place_);
        found = known_.emplace(place, Known{.space = space, .place = place}).first;
    }
    return found->second;
}

const Space* BatchTxn::is_made_here(const Space& space) const {
    const auto found = std::ranges::find(made_here_, space.number, &Space::number);
    return found == made_here_.end() ? nullptr : &*found;
}

std::size_t BatchTxn::bit_of(BytesView key) { return std::hash<BytesView>()(key) % made_bits_max; }

const BatchTxn::Made* BatchTxn::find_made(const Space& space, BytesView key) const {
    if (made_.empty() || !made_bits_[bit_of(key)])
        return nullptr;
    const auto found = std::find_if(made_.rbegin(), made_.rend(), [&](const Made& one) {
        return one.space->number == space.number && one.key == key;
    });
    return found == made_.rend() ? nullptr : &*found;
}

Result<std::optional<Bytes>> BatchTxn::get(const Space& space, BytesView key) {
    if (is_made_here(space)) {
        if (const auto* const made = find_made(space, key))
            return Bytes(made->value);
        if (is_absent(space, key))
            return std::nullopt;
        return base_.get(space, key);
    }
    if (!is_put(space)) {
        TRY(flush());
        return base_.get(space, key);
    }
    auto& one = known(space, key);
    if (!one.known) {
        const auto value = TRY(base_.get(space, key));
        one.known = one.tracked = true;
        one.there = value.has_value();
        if (value)
            one.value = keep(*value);
    }
    return one.there ? std::optional(Bytes(one.value)) : std::nullopt;
}

void BatchTxn::assume_absent(const Space& space, BytesView key) {
    absent_space_ = space.number;
    absent_ = key;
}

bool BatchTxn::is_absent(const Space& space, BytesView key) const {
    return absent_space_ == space.number && absent_ == key && !key.empty();
}

void BatchTxn::note(Known& one, std::optional<BytesView> value, Write write) {
    if (one.write == Write::none)
        writes_.push_back(&one);
    if (one.write != Write::tracked)
        one.write = write;
    one.known = true;
    one.there = value.has_value();
    one.value = value ? keep(*value) : BytesView();
}

Result<void> BatchTxn::put(const Space& space, BytesView key, BytesView value) {
    if (const auto* const here = is_made_here(space)) {
        made_bits_.resize(made_bits_max);
        if (is_absent(space, key))
            absent_.clear();
        made_bits_[bit_of(key)] = true;
        made_.push_back({.space = here, .key = keep(key), .value = keep(value)});
        return {};
    }
    if (!is_put(space)) {
        TRY(flush());
        return base_.put(space, key, value);
    }
    auto& one = known(space, key);
    note(one, value, one.tracked ? Write::blind : Write::tracked);
    return {};
}

Result<void> BatchTxn::put_blind(const Space& space, BytesView key, BytesView value) {
    if (is_made_here(space))
        return put(space, key, value);
    if (!is_put(space)) {
        TRY(flush());
        return base_.put_blind(space, key, value);
    }
    note(known(space, key), value, Write::blind);
    return {};
}

Result<void> BatchTxn::erase(const Space& space, BytesView key) {
    if (is_made_here(space) || !is_put(space)) {
        TRY(flush());
        return base_.erase(space, key);
    }
    note(known(space, key), std::nullopt, Write::tracked);
    return {};
}

Result<void> BatchTxn::erase_blind(const Space& space, BytesView key) {
    if (is_made_here(space) || !is_put(space)) {
        TRY(flush());
        return base_.erase_blind(space, key);
    }
    note(known(space, key), std::nullopt, Write::blind);
    return {};
}

Result<void> BatchTxn::add(BytesView tally, std::int64_t delta) {
    adds_[Bytes(tally)] += delta;
    return {};
}

Result<void> BatchTxn::add_counts(const Space& space, BytesView key, const Counts& delta) {
    auto& [in, sum] = counts_[data::key(space.number, Raw{key})];
    in = space;
    sum.add(delta);
    return {};
}

Result<void> BatchTxn::add_sheet(const Space& space, BytesView key, BytesView sheet) {
    return base_.add_sheet(space, key, sheet);
}

Result<void> BatchTxn::append(const Space& space, BytesView key, BytesView more) {
    return base_.append(space, key, more);
}

Result<void> BatchTxn::scan(const Space& space, const Range& range, Order order, const Visit& visit) {
    TRY(flush());
    return base_.scan(space, range, order, visit);
}

Result<std::int64_t> BatchTxn::tally(BytesView key) {
    const auto added = adds_.find(Bytes(key));
    return TRY(base_.tally(key)) + (added == adds_.end() ? 0 : added->second);
}

Result<void> BatchTxn::scan_tallies(const Range& range, Order order, const VisitTally& visit) {
    const auto name = key(range.from, range.until);
    auto found = sums_.find(name);
    if (found == sums_.end()) {
        std::map<Bytes, std::int64_t> sums;
        TRY(base_.scan_tallies(range, Order::forward, [&](BytesView tally, std::int64_t sum) {
            sums.emplace(tally, sum);
            return sums.size() <= sums_kept_max;
        }));
        if (sums.size() > sums_kept_max) {
            TRY(flush());
            return base_.scan_tallies(range, order, visit);
        }
        found = sums_.emplace(name, std::move(sums)).first;
    }
    auto sums = found->second;
    const auto until = range.until.empty() ? adds_.end() : adds_.lower_bound(range.until);
    if (range.until.empty() || range.from < range.until)
        for (auto at = adds_.lower_bound(range.from); at != until; ++at)
            sums[at->first] += at->second;
    const auto visit_all = [&](const auto& all) {
        for (const auto& [tally, sum] : all)
            if (!visit(tally, sum))
                break;
    };
    if (order == Order::forward)
        visit_all(sums);
    else
        visit_all(sums | std::views::reverse);
    return {};
}

Result<void> BatchTxn::flush() {
    std::ranges::sort(writes_, {}, &Known::place);
    // Those that are tracked first: the engine holds the others back until somebody reads or writes by key.
    for (const auto kind : {Write::tracked, Write::blind})
        for (auto* const one : writes_)
            if (one->write == kind)
                TRY(write(*one));
    writes_.clear();
    for (const auto& one : made_)
        TRY(base_.put_blind(*one.space, one.key, one.value));
    made_.clear();
    for (const auto& [tally, delta] : adds_)
        TRY(base_.add(tally, delta));
    for (const auto& [place, counts] : counts_)
        TRY(base_.add_counts(counts.first, BytesView(place).substr(space_bytes), counts.second));
    adds_.clear();
    counts_.clear();
    sums_.clear();
    return {};
}

Result<void> BatchTxn::write(Known& one) {
    const auto key = one.place.substr(space_bytes);
    const auto how = std::exchange(one.write, Write::none);
    one.tracked = one.tracked || how == Write::tracked;
    if (!one.there)
        return how == Write::blind ? base_.erase_blind(one.space, key) : base_.erase(one.space, key);
    return how == Write::blind ? base_.put_blind(one.space, key, one.value)
                               : base_.put(one.space, key, one.value);
}

} // namespace slashpost::data
