// What happened: the history of a link and how it is put back, the audit of a workspace, and its feed.
#include "core/ops/events.h"
#include "core/ops/link_restore.h"
#include "http/api/event_shapes.h"
#include "http/api/link_shapes.h"
#include "http/api/names.h"
#include "http/api/path_resource.h"
#include "http/api/routes.h"
#include "http/api/streams.h"
#include "http/wire/encode.h"

#include <fmt/format.h>

#include <algorithm>

namespace slashpost::api {

using wire::field, wire::note, wire::part, wire::required;
using wire::Fields;

namespace {

constexpr std::uint32_t stream_events_max = 25; // of a part, all of which waits in memory for a slow reader
constexpr int stream_retry_ms = 2'000;          // until a reader that was cut off comes again

// Events have one order, that in which they happened.
struct HistoryQuery {
    PageQuery page;
    static constexpr std::string_view wire_name = "EventPage";
    static Fields fields() { return part(&HistoryQuery::page); }
};

struct AuditQuery {
    PageQuery page;
    std::vector<EventType> types;
    static constexpr std::string_view wire_name = "EventList";
    static Fields fields() {
        return wire::joined({part(&AuditQuery::page),
                             {field("types", &AuditQuery::types, wire::comma_list,
                                    note("Only events of these types, with commas; all but link.clicked when "
                                         "absent."))}});
    }
};

struct FeedQuery {
    std::string last;
    std::vector<EventType> types;
    std::uint32_t limit = page_limit_default;
    static constexpr std::string_view wire_name = "EventFeedQuery";
    static Fields fields() {
        return {
            field("last", &FeedQuery::last,
                  note("What an earlier answer had as last; absent: from the oldest event that is kept.")),
            field(
                "types", &FeedQuery::types, wire::comma_list,
                note("Only events of these types, with commas; all but link.clicked when absent. Clicks are "
                     "events while a webhook hears of them, paused or not, and kept for a day.")),
            field("limit", &FeedQuery::limit, wire::clamped(1, page_limit_max),
                  note("How many to answer at most: 25 when absent; above 100 means 100."))};
    }
};

struct FeedReply {
    std::vector<EventReply> events;
    EventId last;
    bool more = false;
    static constexpr std::string_view wire_name = "EventFeed";
    static Fields fields() {
        return {field("events", &FeedReply::events, note("The events, in the order in which they happened.")),
                field("last", &FeedReply::last,
                      note("For the next call, also when there was no event: it goes on behind this one and "
                           "leaves nothing out.")),
                field("more", &FeedReply::more, note("Whether there is more already."))};
    }
};

struct StreamQuery {
    std::string last;
    std::vector<EventType> types;
    static constexpr std::string_view wire_name = "EventStreamQuery";
    static Fields fields() {
        return {
            field("last", &StreamQuery::last,
                  note("What an earlier answer had as last, or the id of an event: it goes on behind this "
                       "one. The header Last-Event-ID says the same and comes first. Absent: what happens "
                       "from now on.")),
            field("types", &StreamQuery::types, wire::comma_list,
                  note("Only events of these types, with commas; all but link.clicked when absent."))};
    }
};

struct RestoreInput {
    std::string event;
    static constexpr std::string_view wire_name = "RestoreInput";
    static Fields fields() {
        return {field("event", &RestoreInput::event, required,
                      note("Id of an event in the link's history: the link becomes what it was before it."),
                      wire::example("01a3185c500000030000000000000000"))};
    }
};

Result<std::vector<EventReply>> history(Context& ctx, const Link& link,
                                        const Draft<Query<HistoryQuery>>& query) {
    return EventReply::of_all(TRY(history_of_link(ctx, link, query->page.request({}), query.problems)));
}

Result<std::vector<EventReply>> audit(Context& ctx, const Draft<Query<AuditQuery>>& query) {
    return EventReply::of_all(
        TRY(audit_of_workspace(ctx, {.types = query->types}, query->page.request({}), query.problems)));
}

Result<FeedReply> feed(Context& ctx, const Draft<Query<FeedQuery>>& query) {
    const auto read = TRY(read_feed(ctx, {.types = query->types}, query->last, query->limit, query.problems));
    return FeedReply{.events = EventReply::of_all(read.events), .last = read.last, .more = read.more};
}

// An id without data moves the place where the reader would go on, and nothing else.
std::string place_mark(std::string_view last) { return fmt::format("id: {}\n\n", last); }

Result<Part> stream(Context& ctx, const Input& input, std::string_view place) {
    const auto query = TRY(Argument<Draft<Query<StreamQuery>>>::take(ctx, input));
    const auto& asked = input.last_event_id.empty() ? query->last : input.last_event_id;
    const auto last = !place.empty()   ? std::string(place)
                      : !asked.empty() ? asked
                                       : event_id_below(std::max<std::uint64_t>(ctx.event_horizon, 1)).hex();
    const auto read = TRY(read_feed(ctx, {.types = query->types}, last, stream_events_max, query.problems));
    Part out{.bytes = {}, .next = read.last.hex(), .media_type = event_stream_media_type};
    if (place.empty())
        out.bytes = fmt::format("retry: {}\n", stream_retry_ms) + place_mark(last);
    for (const auto& event : EventReply::of_all(read.events))
        out.bytes += fmt::format("id: {}\nevent: {}\ndata: {}\n\n", event.id.hex(), wire::name_of(event.type),
                                 wire::encode(event));
    if (!read.more)
        out.pause = stream_look_every;
    else if (out.bytes.empty()) // the types leave out all that was looked at
        out.bytes = place_mark(out.next);
    return out;
}

Result<LinkReply> restore(Context& ctx, const Link& link, const Draft<Body<RestoreInput>>& body) {
    return LinkReply::of(TRY(restore_link(ctx, link, body->event, body.problems)));
}

} // namespace

const RouteList& event_routes() {
    using enum http::Method;
    using enum Role;
    constexpr auto links = LimitedKeys::links;
    // clang-format off
    static const RouteList routes{"event", {
        {get,  "/links/{link_id}/history", "getLinkHistory",
         {.role = viewer, .link = LinkState::any, .limited_keys = links}, on(history),
         "List what happened to a link, deleted or not; newest first."},
        {post, "/links/{link_id}/restore", "restoreLink",
         {.access = Access::write, .role = guest, .link = LinkState::any, .limited_keys = links}, on(restore),
         "Put a link back as it was before an event of its history, also one that is deleted.",
         {"DeletedLink", "FeatureNotIncluded", "WrongWorkspaceType", "RevokedDomain", "LimitReached", "NotFound domain"}},
        {get,  "/events", "getEvents", {.role = admin}, on(feed),
         "Read what happened in a workspace since the last call; oldest first, nothing left out."},
        {get,  "/events/stream", "streamEvents", {.role = admin},
         {.part = stream,
          .is_stream = true,
          .media_type = event_stream_media_type,
          .headers = {{"X-Accel-Buffering", "no"}}, // proxies are to pass on what there is
          .query = &wire::type_of<StreamQuery>()},
         "Be told what happens in a workspace while it happens, as server-sent events; nothing left out.",
         {"LimitReached"}},
        {get,  "/workspaces/{workspace_id}/audit", "getWorkspaceAudit", {.role = admin}, on(audit),
         "List what happened in a workspace, and who did it; newest first."},
    }};
    // clang-format on
    return routes;
}

} // namespace slashpost::api
