#include "core/data/trail.h"

#include "core/data/key.h"

namespace slashpost::data {

void Trail::note(const Space& space, BytesView primary, Bytes was, Bytes now) {
    const auto [place, is_new] = places_.try_emplace(key(space.number, Raw{primary}), steps_.size());
    if (is_new)
        steps_.push_back(
            {.space = &space, .primary = Bytes(primary), .was = std::move(was), .now = std::move(now)});
    else
        steps_[place->second].now = std::move(now);
}

} // namespace slashpost::data
