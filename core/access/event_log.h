#pragma once
// From what a transaction did to rows to the events that it writes (core/model/event.h). The one place that
// makes them: Service::commit calls it, when the work has gone well and before the commit.
#include "core/access/context.h"
#include "core/access/event_sequence.h"
#include "core/data/trail.h"
#include "core/model/event.h"

namespace slashpost {

// Who did what follows; empty: the installation itself.
struct EventCause {
    AccountId account;
    ApiKeyId key;
    std::string_view call;
};

// Writes the events that the trail amounts to. Takes a number from `turn` if there are any.
Result<void> write_events(data::Txn& txn, const data::Trail& trail, const EventCause& cause, Timestamp now,
                          EventSequence::Turn& turn);

// For what leaves no row that is followed: tells it with the other events of the transaction. All but id,
// time and who is to be given.
void note_event(data::Txn& txn, const Event& event);

} // namespace slashpost
