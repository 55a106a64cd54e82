#include "tools/admin/house.h"

#include "core/schema/recent_rollups.h"
#include "core/search/indexer.h"
#include "tools/admin/progress.h"

namespace slashpost::admin {

Result<int> read_settled(House& house, const std::function<Result<int>(data::View&)>& f) {
    for (;;) {
        TRY(house.fold_clicks());
        TRY(settle_all(house.engine));
        const auto code = TRY(house.engine.read([&](data::View& view) -> Result<std::optional<int>> {
            if (!TRY(recent_hours(view)).empty()) // one began just now
                return std::nullopt;
            return TRY(f(view));
        }));
        if (code)
            return *code;
    }
}

Result<std::uint64_t> index_links(House& house, Console& console, std::uint64_t expected) {
    std::uint64_t done = 0;
    Progress progress(console, "search index", [&]() -> std::optional<double> {
        if (expected == 0)
            return std::nullopt;
        return static_cast<double>(done) / static_cast<double>(expected);
    });
    return search::index_all(
        house.engine, [&](std::uint64_t links) { return progress.step(links - std::exchange(done, links)); });
}

} // namespace slashpost::admin
