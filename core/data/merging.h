#pragma once
// What the rules of merging (MergeRule) make of values. Every engine merges with these, so that all of them
// make the same of the same operands, however few or many they put together at a time.
#include "core/data/engine.h"

#include <span>

namespace slashpost::data {

// The value that the parts make, oldest first: a value, if there was one, and operands. Nothing when one of
// them cannot be read, or the rule is `none`. Merging is associative: parts may be merged beforehand. There
// is at least one part.
std::optional<Bytes> merge_values(MergeRule rule, std::span<const BytesView> parts);

// A sum as a value and as an operand: 8 bytes, little-endian, two's complement. Sums wrap around.
Bytes encode_sum(std::int64_t sum);
// Nothing when `bytes` are not 8.
std::optional<std::int64_t> decode_sum(BytesView bytes);

} // namespace slashpost::data
