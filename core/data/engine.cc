#include "core/data/engine.h"

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

Result<std::int64_t> View::sum(BytesView prefix) {
    std::int64_t total = 0;
    TRY(scan_tallies(Range::of_prefix(prefix), Order::forward, [&](BytesView, std::int64_t sum) {
        total += sum;
        return true;
    }));
    return total;
}

} // namespace slashpost::data
