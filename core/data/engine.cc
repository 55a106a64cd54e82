#include "core/data/engine.h"

#include "core/base/errors.h"
#include "core/data/counts.h"
#include "core/data/merging.h"

namespace slashpost::data {

Range Range::of_prefix(BytesView prefix) {
    Bytes until(prefix);
    while (!until.empty() && static_cast<unsigned char>(until.back()) == 0xff)
        until.pop_back();
    if (!until.empty())
        until.back() = static_cast<char>(static_cast<unsigned char>(until.back()) + 1);
    return {.from = Bytes(prefix), .until = std::move(until)};
}

Range Range::behind(BytesView key) const {
    return {.from = key.empty() ? from : Bytes(key) + '\0', .until = until};
}

namespace {

std::unexpected<Error> no_sum() { return fault("a tally is not a sum"); }

} // namespace

Result<void> View::scan_tallies(const Range& range, Order order, const VisitTally& visit) {
    bool readable = true;
    TRY(scan(tallies, range, order, [&](BytesView key, BytesView value) {
        const auto sum = decode_sum(value);
        readable = sum.has_value();
        return sum && visit(key, *sum);
    }));
    if (!readable)
        return no_sum();
    return {};
}

Result<std::int64_t> View::tally(BytesView key) {
    const auto stored = TRY(peek(tallies, key));
    const auto sum = stored ? decode_sum(*stored) : 0;
    if (!sum)
        return no_sum();
    return *sum;
}

Result<std::int64_t> View::sum(BytesView prefix) {
    std::int64_t total = 0;
    TRY(scan_tallies(Range::of_prefix(prefix), Order::forward, [&](BytesView, std::int64_t sum) {
        total += sum;
        return true;
    }));
    return total;
}

Result<void> Txn::add(BytesView tally, std::int64_t delta) {
    return merge(tallies, tally, encode_sum(delta));
}

Result<void> Txn::add_counts(const Space& space, BytesView key, const Counts& delta) {
    return merge(space, key, delta.encode());
}

} // namespace slashpost::data
