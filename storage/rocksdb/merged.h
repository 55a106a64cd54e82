#pragma once
// What the merge operators of presets.cc make of values, for what is not in RocksDB yet.
#include "core/data/engine.h"

namespace slashpost::storage {

// Whether values of a space are added to.
bool merges(data::Pattern pattern);

// The sum of what was written under one key, oldest first. A fault when it cannot be read.
Result<data::Bytes> merged(data::Pattern pattern, std::span<const data::BytesView> parts);

} // namespace slashpost::storage
