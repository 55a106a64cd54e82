#include "core/access/event_sequence.h"

#include "core/base/errors.h"
#include "core/data/key.h"
#include "core/schema/events.h"

#include <algorithm>

namespace slashpost {

namespace {

constexpr std::string_view begun_key = "events.begun", settled_key = "events.settled";
constexpr int numbers_per_millisecond_bits = 16; // far more than there are commits in one
// By how much a run at least begins behind the one before, if the clock does not say more: so many a run
// takes only in months.
constexpr std::uint64_t run_numbers = std::uint64_t{1} << 36;

std::uint64_t number_in(data::BytesView bytes) {
    std::uint64_t number = 0;
    for (const char byte : bytes)
        number = number << 8 | static_cast<unsigned char>(byte);
    return number;
}

} // namespace

namespace {

// Of the last event that is stored, a restored one perhaps; 0: there is none.
Result<std::uint64_t> last_number(data::View& view) {
    std::uint64_t last = 0;
    TRY(view.scan(space::events, data::Range::of_prefix(EventTable::row_key({})), data::Order::backward,
                  [&](data::BytesView key, data::BytesView) {
                      last = number_in(key.substr(1, sizeof last));
                      return false;
                  }));
    return last;
}

} // namespace

std::uint64_t EventSequence::horizon() const {
    const auto own = horizon_.load(std::memory_order_acquire);
    const auto others = peers_ ? peers_->shown().lowest : 0;
    return own == 0 || others == 0 ? std::max(own, others) : std::min(own, others);
}

// Who idles goes on with those who do not.
Result<void> EventSequence::follow_peers(data::Engine& engine) {
    if (is_in_doubt_)
        TRY(settle_doubts(engine));
    const auto highest = peers_->shown().highest;
    if (highest <= horizon_.load(std::memory_order_acquire))
        return {};
    const std::lock_guard lock(mutex_);
    next_ = std::max(next_, highest);
    settle();
    return {};
}

// The others wait for what may be there or not; a commit behind it shows that.
Result<void> EventSequence::settle_doubts(data::Engine& engine) {
    std::uint64_t upto = 0;
    {
        const std::lock_guard lock(mutex_);
        upto = next_;
    }
    TRY(engine.transact(
        [&](data::Txn& txn) { return txn.put_blind(space::meta, settled_key, data::key(upto)); }));
    const std::lock_guard lock(mutex_);
    doubtful_.erase(doubtful_.begin(), doubtful_.lower_bound(upto));
    settle();
    return {};
}

Result<void> EventSequence::begin(data::Engine& engine, Timestamp now) {
    if (horizon_.load(std::memory_order_acquire) != 0)
        return peers_ ? follow_peers(engine) : Result<void>();
    const std::lock_guard lock(mutex_);
    if (begun_)
        return {};
    next_ = TRY(engine.transact([&](data::Txn& txn) -> Result<std::uint64_t> {
        const auto stored = TRY(txn.get(space::meta, begun_key));
        if (stored && stored->size() != sizeof(std::uint64_t))
            return fault("the number of the first event cannot be read");
        const auto by_clock = static_cast<std::uint64_t>(std::max<std::int64_t>(now.ms, 1))
                              << numbers_per_millisecond_bits;
        const auto first =
            std::max({by_clock, stored ? number_in(*stored) + run_numbers : 0, TRY(last_number(txn)) + 1});
        TRY(txn.put(space::meta, begun_key, data::key(first)));
        return first;
    }));
    begun_ = true;
    settle();
    return {};
}

void EventSequence::settle() {
    auto horizon = next_;
    for (const auto* numbers : {&open_, &doubtful_})
        if (!numbers->empty())
            horizon = std::min(horizon, *numbers->begin());
    horizon_.store(horizon, std::memory_order_release);
    is_in_doubt_ = !doubtful_.empty();
    if (peers_)
        peers_->show(horizon);
}

std::uint64_t EventSequence::Turn::take() {
    const std::lock_guard lock(sequence_.mutex_);
    sequence_.open_.erase(number_);
    number_ = sequence_.next_++;
    sequence_.open_.insert(number_);
    sequence_.settle();
    return number_;
}

void EventSequence::Turn::end(Ended how) {
    if (number_ == 0)
        return;
    const std::lock_guard lock(sequence_.mutex_);
    sequence_.open_.erase(number_);
    if (how == Ended::committed) // on one log with all that came before
        sequence_.doubtful_.erase(sequence_.doubtful_.begin(), sequence_.doubtful_.lower_bound(number_));
    if (how == Ended::unknown)
        sequence_.doubtful_.insert(number_);
    number_ = 0;
    sequence_.settle();
}

} // namespace slashpost
