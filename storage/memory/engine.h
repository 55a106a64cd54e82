#pragma once
// The reference engine: everything in memory, every rule of core/data/engine.h in the plainest form that is
// right. What most tests run on; nothing survives it. Figures it does not keep stay zero.
#include "core/data/engine.h"

#include <memory>
#include <span>

namespace slashpost::storage {

// `spaces` have distinct numbers; using any other space answers with a fault.
std::unique_ptr<data::Engine> make_memory_engine(std::span<const data::Space> spaces);

} // namespace slashpost::storage
