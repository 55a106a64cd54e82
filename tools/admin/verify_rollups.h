#pragma once
// Part of `slashpost-admin verify`: what rollups (core/schema/rollups.h) say twice must agree.
//
//   of each subject   the days add up to what was counted since ever, in every figure that is kept for ever;
//                     the hours of a day to its clicks while hours are kept, and never to more
//   in each row       no number is below zero; sessions, and each dimension, are not more than the clicks;
//                     nor are rules and arms together, as at most one of them decides
//   among subjects    the links, and the domains, of a workspace have no more clicks than it has
//   with the totals   no subject has more clicks than its total (core/schema/click_totals.h): those began to
//                     be counted earlier, so it may have less
//
// What is being erased together with its tag, domain or workspace, row by row, is left out.
#include "core/base/time.h"
#include "core/data/table.h"
#include "tools/admin/rollup_keys.h"

namespace slashpost::admin {

// A subject whose rollups seem to have more clicks than its total. Beside a running server the rollups may
// be folded some moments before the totals, so that has to be looked at again after a further fold.
struct AheadOfTotal {
    KnownSubject subject;
    WorkspaceId workspace;
    std::int64_t clicks = 0;
};

struct RollupFindings {
    data::Findings findings;
    std::vector<AheadOfTotal> ahead;
};

Result<RollupFindings> verify_rollups(data::View& view, Timestamp now);
// To be called with a later view, when every click before the first was folded into the totals.
Result<void> compare_with_totals(data::View& view, RollupFindings& found);

} // namespace slashpost::admin
