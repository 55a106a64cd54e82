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

namespace slashpost::admin {

Result<data::Findings> verify_rollups(data::View& view, Timestamp now);

} // namespace slashpost::admin
