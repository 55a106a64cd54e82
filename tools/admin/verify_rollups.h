#pragma once
// Part of `slashpost-admin verify`: what rollups (core/schema/rollups.h) say twice must agree.
//
//   of each subject   the days add up to what was counted since ever, in every figure that is kept for ever;
//                     the hours of a day to its clicks, while hours are kept, and never to more
//   in each row       no number is below zero; sessions, and each dimension, are not more than the clicks;
//                     nor are rules and arms together, as one of them at most decides
//   among subjects    links, and domains, have no more clicks than their workspace
//   with the totals   no subject has more clicks than its total (core/schema/click_totals.h), which began to
//                     be counted earlier, and is folded first
//
// Rollups began later than totals, so it is never the other way round.
#include "core/base/time.h"
#include "core/data/table.h"

namespace slashpost::admin {

Result<data::Findings> verify_rollups(data::View& view, Timestamp now);

} // namespace slashpost::admin
