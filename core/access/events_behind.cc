#include "core/access/events_behind.h"

#include "core/schema/schema.h"

#include <algorithm>

namespace slashpost {

Result<EventsBehind> events_behind(data::View& view, WorkspaceId workspace, bool with_clicks,
                                   const std::optional<data::Bytes>& after, const data::Bytes& until,
                                   std::size_t max) {
    EventsBehind out;
    const auto add = [&](const data::Ordered<Event>& index, data::Bytes scope) -> Result<void> {
        std::size_t count = 0;
        return index.walk(view, {.scope = std::move(scope), .after = after, .from = {}, .until = until},
                          [&](data::BytesView primary) -> Result<bool> {
                              out.ids.push_back(*EventId::from_bytes(primary));
                              return ++count <= max; // one more than asked for, to know whether there is
                          });
    };
    const auto& events = schema().events;
    TRY(add(events.by_workspace, data::key(workspace)));
    if (with_clicks)
        TRY(add(events.by_type, data::key(workspace, EventType::link_clicked)));
    std::ranges::sort(out.ids);
    out.all = out.ids.size() <= max;
    if (!out.all)
        out.ids.resize(max);
    return out;
}

} // namespace slashpost
