#pragma once
// What clicks add up to beside the totals of their links (core/schema/click_totals.h): those of workspaces,
// of their days and of their domains.
#include "core/data/engine.h"
#include "core/schema/click_totals.h"

#include <map>

namespace slashpost::redirect {

class WorkspaceTotals {
  public:
    // `last` is the last of the clicks, which are those of one hour.
    void add(WorkspaceId workspace, DomainId domain, std::uint32_t hour, std::int64_t clicks,
             std::optional<Timestamp> last);
    Result<void> write(data::Txn& txn) const;

  private:
    struct Total {
        std::int64_t clicks = 0;
        std::optional<Timestamp> last;
        std::map<std::uint32_t, std::int64_t> days;
        std::map<DomainId, std::int64_t> domains;
    };
    std::map<WorkspaceId, Total> totals_;
};

} // namespace slashpost::redirect
