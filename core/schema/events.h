#pragma once
// The table of events. Ids are in the order of the commits, so no index has a place but the id.
#include "core/data/table.h"
#include "core/model/event.h"
#include "core/schema/people.h"

namespace slashpost {

struct EventTable : Table<Event> {
    EventTable() : Table(space::events, "event") {}

    // Without clicks, so that who does not want to hear of those need not read past them.
    Ordered<Event> by_workspace{
        this, 1, "by_workspace",
        [](const Event& e) { return when(e.type != EventType::link_clicked, e.workspace); },
        [](const Event&) { return data::Bytes(); }};
    // Of a link: its history.
    Ordered<Event> by_subject{this, 2, "by_subject",
                              [](const Event& e) { return always(e.workspace, e.subject); },
                              [](const Event&) { return data::Bytes(); }};
    // Of a workspace: an audit of some types reads no others.
    Ordered<Event> by_type{this, 3, "by_type", [](const Event& e) { return always(e.workspace, e.type); },
                           [](const Event&) { return data::Bytes(); }};
    // Clicks, which are kept for less time.
    Ordered<Event> clicks{this, 4, "clicks",
                          [](const Event& e) { return when(e.type == EventType::link_clicked); },
                          [](const Event&) { return data::Bytes(); }};
};

} // namespace slashpost
