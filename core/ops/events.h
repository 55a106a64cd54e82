#pragma once
// Reading what happened: the history of a link, the audit of a workspace, the feed of a workspace's events.
#include "core/access/context.h"
#include "core/base/errors.h"
#include "core/base/page.h"
#include "core/model/event.h"
#include "core/model/link.h"

namespace slashpost {

// An event with what a reply shows of who did it.
struct EventDetails {
    Event event;
    std::optional<Account> account; // as it is now; nothing: nobody's account, or one that is gone
};

Result<EventDetails> details_of(data::View& view, Event event);

// No types: all but clicks.
struct EventFilter {
    std::vector<EventType> types;
};

// How many rows one page looks at, whatever the filter leaves of them.
inline constexpr std::size_t events_looked_at_max = 1'000;

// A page of the link's events; newest first unless the page says otherwise. `last` is the id of an event.
Result<std::vector<EventDetails>> history_of_link(Context& ctx, const Link& link, const PageRequest& page,
                                                  Problems problems = {});
// The same of all that happened in the caller's workspace.
Result<std::vector<EventDetails>> audit_of_workspace(Context& ctx, const EventFilter& filter,
                                                     const PageRequest& page, Problems problems = {});

// What happened in the caller's workspace, in the order in which it was committed, for whoever follows it.
struct EventFeed {
    std::vector<EventDetails> events;
    EventId last;      // where the next call goes on: nothing is skipped then, and nothing told twice
    bool more = false; // there is more already
};
// At most `limit` of them, and fewer while others that the filter leaves out lie between. `last` is that of
// an earlier answer, or an event's id; empty: from the first one that is kept. Invalid on `last` when it is
// neither, and when events behind it may be gone.
Result<EventFeed> read_feed(Context& ctx, const EventFilter& filter, std::string_view last,
                            std::uint32_t limit, Problems problems = {});

// The event of the link that an input names under `event`; adds a problem when there is none, and answers
// nothing.
Result<std::optional<Event>> find_event_of(Context& ctx, const Link& link, std::string_view id,
                                           Problems& problems);

// How long clicks are kept as events, whatever the settings say.
inline constexpr std::int64_t clicks_kept_seconds = 24LL * 3600;

// Erases events that are older than that, or than the settings say, some hundred at a time; true when there
// may be more.
Result<bool> prune_events(SystemContext& system);

} // namespace slashpost
