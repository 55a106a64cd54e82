#pragma once
// Conversions (interface 3.5): what a visitor did after a click, reported by whoever saw it, counted for the
// link, its tags, its domain and its workspace.
#include "core/access/context.h"
#include "core/base/amount.h"
#include "core/base/errors.h"
#include "core/model/conversion.h"

namespace slashpost {

struct NewConversion {
    std::string click_id;       // what the visitor carried; this or a link, not both
    std::optional<LinkId> link; // for those who know the link, but no click
    std::string event;          // of the characters that its format allows (http/wire/formats.h)
    std::optional<Amount> value;
    std::string currency;  // ISO 4217, in any case; with a value only
    std::string reference; // of the reporter, like an order's number; empty: none
};

// Counts it, in the caller's transaction. What is reported again counts once and is answered as the first
// time: the same event for the same click (and reference, if there are any); for a link without a click, the
// same event with the same reference. A report on a link without a reference counts each time.
//
// Fails as invalid with OutOfRange on `value` before the workspace's sum of a currency could overflow.
//
// Refused with ConversionTrackingDisabled where it is, and with ExpiredClick behind the attribution window.
// Fails as not found (source click) for a click id that was not made by this installation for a link of this
// workspace. `problems` as for links (core/ops/links.h).
Result<Conversion> record_conversion(Context& ctx, const NewConversion& in, Problems problems = {});

// Erases a bounded number of the rows that no report can repeat any more; true when there may be more.
Result<bool> prune_conversions(SystemContext& system);

} // namespace slashpost
