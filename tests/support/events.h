#pragma once
// What happened in a World.
#include "tests/support/must.h"
#include "tests/support/world.h"

namespace slashpost::test {

// The last event of the link; to one that was only made, something happens first.
inline EventId last_event_of(World& world, LinkId link) {
    const auto last = [&] {
        Event event;
        must(world.engine->read([&](data::View& view) {
            return schema().events.each(view, [&](const Event& one) -> Result<bool> {
                if (one.subject == link)
                    event = one;
                return true;
            });
        }));
        return event;
    };
    if (last().type == EventType::link_created)
        must(world.operate([&](SystemContext& system) -> Result<void> {
            const auto was = TRY(schema().links.find(system.txn, link.view())).value();
            auto now = was;
            now.title = "Changed";
            return schema().links.update(system.txn, was, now);
        }));
    return last().id;
}

} // namespace slashpost::test
