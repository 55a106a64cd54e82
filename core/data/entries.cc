#include "core/data/entries.h"

#include <algorithm>

namespace slashpost::data {

Result<void> walk_entries(View& view, const Space& space, BytesView prefix, const Walk& walk,
                          std::size_t primary_bytes, const VisitPrimary& visit) {
    const Bytes scope = Bytes(prefix) + walk.scope;
    Range range = Range::of_prefix(scope);
    if (!walk.from.empty())
        range.from = scope + walk.from;
    if (walk.until)
        range.until = scope + *walk.until;
    if (walk.after) {
        const Bytes position = scope + *walk.after;
        if (walk.order == Order::forward)
            range.from = std::max(range.from, position + '\0');
        else if (range.until.empty() || position < range.until)
            range.until = position;
    }
    if (!range.until.empty() && range.from >= range.until)
        return {};

    Result<bool> more = true;
    TRY(view.scan(space, range, walk.order, [&](BytesView key, BytesView) {
        more = visit(key.substr(key.size() - std::min(primary_bytes, key.size())));
        return more.has_value() && *more;
    }));
    if (!more.has_value())
        return std::unexpected(std::move(more).error());
    return {};
}

bool has_key(const std::vector<Entry>& entries, const Bytes& key) {
    return std::ranges::any_of(entries, [&](const Entry& entry) { return entry.key == key; });
}

Result<void> move_entries(Txn& txn, const std::vector<Entry>& old, const std::vector<Entry>& fresh) {
    for (const auto& entry : old)
        if (!has_key(fresh, entry.key))
            TRY(txn.erase_blind(*entry.space, entry.key));
    for (const auto& entry : fresh) {
        const bool kept = std::ranges::any_of(
            old, [&](const Entry& before) { return before.key == entry.key && before.value == entry.value; });
        if (!kept)
            TRY(txn.put_blind(*entry.space, entry.key, entry.value));
    }
    return {};
}

Result<void> move_tallies(Txn& txn, const std::vector<Bytes>& old, const std::vector<Bytes>& fresh) {
    const auto add_missing = [&](const auto& from, const auto& in, std::int64_t delta) -> Result<void> {
        for (const auto& tally : from)
            if (std::ranges::find(in, tally) == in.end())
                TRY(txn.add(tally, delta));
        return {};
    };
    TRY(add_missing(old, fresh, -1));
    return add_missing(fresh, old, 1);
}

} // namespace slashpost::data
