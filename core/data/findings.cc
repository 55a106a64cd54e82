#include "core/data/findings.h"

#include <fmt/format.h>

namespace slashpost::data {

void Findings::add(std::string sentence) {
    ++count;
    if (sentences.size() < findings_max)
        sentences.push_back(std::move(sentence));
}

std::string printable(BytesView bytes) {
    std::string out;
    for (const char c : bytes)
        out += fmt::format("{:02x}", static_cast<unsigned char>(c));
    return out;
}

Result<void> compare_sums(View& view, BytesView prefix, const Sums& expected,
                          const std::function<void(BytesView, std::int64_t)>& differs) {
    Sums missing;
    for (auto it = expected.lower_bound(Bytes(prefix)); it != expected.end() && it->first.starts_with(prefix);
         ++it)
        missing.insert(*it);
    TRY(view.scan_tallies(Range::of_prefix(prefix), Order::forward, [&](BytesView key, std::int64_t sum) {
        missing[Bytes(key)] -= sum;
        return true;
    }));
    for (const auto& [key, sum] : missing)
        if (sum != 0)
            differs(key, sum);
    return {};
}

} // namespace slashpost::data
