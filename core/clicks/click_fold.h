#pragma once
// How clicks become totals (core/schema/click_totals.h), a moment after they happened.
#include "core/clicks/journal_reader.h"

namespace slashpost::redirect {

// Folds what is in the journal at the call into the totals. One at a time. When it fails, what it had
// committed is folded and the rest is not; call it again.
Result<FoldReport> fold_clicks(data::Engine& engine, data::Journal& journal);

} // namespace slashpost::redirect
