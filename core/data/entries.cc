#include "core/data/entries.h"

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

} // namespace slashpost::data
