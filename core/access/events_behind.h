#pragma once
// Which events of a workspace come next for whoever reads them one after the other.
#include "core/data/engine.h"
#include "core/model/event.h"

#include <optional>

namespace slashpost {

struct EventsBehind {
    std::vector<EventId> ids; // in their order
    bool all = true;          // there are no more
};

// The first `max` of them behind `after` and before `until`, both as bytes of ids; with those of clicks or
// without.
Result<EventsBehind> events_behind(data::View& view, WorkspaceId workspace, bool with_clicks,
                                   const std::optional<data::Bytes>& after, const data::Bytes& until,
                                   std::size_t max);

} // namespace slashpost
