#pragma once
// Whether the search index says what the rows say; part of `slashpost-admin verify`.
//
//   of each workspace that has an index: every link that is not marked has a number, and under it its id, its
//   texts and what filters ask for, as the row has them now; no number belongs to a link that is not there;
//   every posting says what the documents hold, and all postings together all that they hold
//   of each other workspace: every link is marked, so that nothing is forgotten when it gets an index
#include "core/data/findings.h"

namespace slashpost::search {

// Takes memory for some ten thousand links at a time.
Result<data::Findings> check_indexes(data::View& view);

} // namespace slashpost::search
