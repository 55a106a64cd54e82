#pragma once
// What another server on the store has changed, as its feed tells: keys of space::watched.
#include "core/access/context.h"

#include <cstdint>

namespace slashpost {

// Adds what the key says that the redirect path has to forget; nothing for a key that is only an index entry.
void note_change(Changes& changes, std::uint16_t space, data::BytesView key);

} // namespace slashpost
