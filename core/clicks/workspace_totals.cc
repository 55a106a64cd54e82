#include "core/clicks/workspace_totals.h"

#include "core/schema/rollups.h"

#include <algorithm>

namespace slashpost::redirect {

void WorkspaceTotals::add(WorkspaceId workspace, DomainId domain, std::uint32_t hour, std::int64_t clicks,
                          std::optional<Timestamp> last) {
    auto& total = totals_[workspace];
    total.clicks += clicks;
    total.last = std::max(total.last, last);
    total.days[day_of(begin_of(Grain::hour, hour))] += clicks;
    total.domains[domain] += clicks;
}

Result<void> WorkspaceTotals::write(data::Txn& txn) const {
    for (const auto& [id, total] : totals_) {
        TRY(txn.add(workspace_clicks_tally(id), total.clicks));
        if (total.last)
            TRY(raise_last_click(txn, last_click_key(id, LinkId()), *total.last));
        for (const auto& [day, clicks] : total.days)
            TRY(txn.add(workspace_day_tally(id, day), clicks));
        for (const auto& [domain, clicks] : total.domains)
            TRY(txn.add(domain_clicks_tally(domain, id), clicks));
    }
    return {};
}

} // namespace slashpost::redirect
