#pragma once
// The compiled form of their parts that links carry (core/schema/routing.h), looked at and mended as a
// whole. What writes parts compiles them; this is for stores of before that, and for proof.
#include "core/data/findings.h"

namespace slashpost {

// Each link whose compiled form is not that of its parts.
Result<data::Findings> check_compiled(data::View& view);

// Compiles what check_compiled would find, in bounded transactions; may be stopped and run again at any time.
// Nothing else may write meanwhile. Returns the number of links that were mended.
Result<std::uint64_t> compile_anew(data::Engine& engine);

} // namespace slashpost
