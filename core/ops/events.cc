#include "core/ops/events.h"

#include "core/access/events_behind.h"
#include "core/ops/row_lists.h"
#include "core/schema/schema.h"

#include <algorithm>
#include <map>
#include <set>

namespace slashpost {

namespace {

constexpr std::string_view pruned_key = "events.pruned"; // in space::meta: id of the last one that was erased
// Of what is erased at once. An event may have the rules of a link twice, 512 KiB each.
constexpr std::size_t batch_max = 500;
constexpr std::size_t batch_bytes_max = std::size_t{4} << 20;
constexpr std::size_t click_batch_max = 50; // events of clicks, each of which has hundreds of them

bool passes(const EventFilter& filter, const Event& event) {
    return filter.types.empty() || std::ranges::find(filter.types, event.type) != filter.types.end();
}

class Accounts {
  public:
    explicit Accounts(data::View& view) : view_(view) {}
    Result<EventDetails> details(Event event) {
        auto& known = known_[event.account];
        if (!known)
            known = event.account.empty() ? std::optional<Account>()
                                          : TRY(schema().accounts.find(view_, event.account.view()));
        // What a link was is for putting it back, not to be shown: a page would have it a hundred times.
        event.link_before.clear();
        event.parts_before.clear();
        return EventDetails{.event = std::move(event), .account = *known};
    }

  private:
    data::View& view_;
    std::map<RawId, std::optional<std::optional<Account>>> known_;
};

// Where a feed goes on.
Result<std::optional<data::Bytes>> place_after(Context& ctx, std::string_view last, Problems& problems) {
    if (last.empty())
        return std::optional<data::Bytes>();
    const auto id = EventId::parse(last);
    if (!id) {
        problems.add(invalid_format("last", "is not what an earlier answer says"));
        return std::optional<data::Bytes>();
    }
    const auto pruned = TRY(ctx.view().get(space::meta, pruned_key));
    if (pruned && id->view() < *pruned)
        problems.add(invalid_format("last", "is older than the events that are kept; begin without it"));
    return std::optional(data::Bytes(id->view()));
}

// Where an event stands in any of the lists follows from its id, so that the row is there no longer does not
// matter.
Result<data::Walk> walk_of(const PageRequest& page, Problems& problems) {
    data::Walk walk{.order = walk_order(page.direction)};
    if (!page.last.empty()) {
        if (const auto id = EventId::parse(page.last))
            walk.after = data::Bytes(id->view());
        else
            problems.add(invalid_format("last", "is not the id of an event"));
    }
    TRY(problems.result("event"));
    return walk;
}

// The first ids of the walk through any of the scopes: as many as the page and what it skips.
Result<std::vector<EventId>> ids_of(Context& ctx, const data::Ordered<Event>& index,
                                    const std::vector<data::Bytes>& scopes, data::Walk walk,
                                    std::size_t ids_max) {
    std::vector<EventId> ids;
    for (const auto& scope : scopes) {
        walk.scope = scope;
        std::size_t of_scope = 0;
        TRY(index.walk(ctx.view(), walk, [&](data::BytesView primary) -> Result<bool> {
            ids.push_back(*EventId::from_bytes(primary));
            return ++of_scope < ids_max;
        }));
    }
    std::ranges::sort(ids);
    if (walk.order == data::Order::backward)
        std::ranges::reverse(ids);
    if (ids.size() > ids_max)
        ids.resize(ids_max);
    return ids;
}

Result<std::vector<EventDetails>> list(Context& ctx, const data::Ordered<Event>& index,
                                       const std::vector<data::Bytes>& scopes, const PageRequest& page,
                                       Problems problems) {
    const auto walk = TRY(walk_of(page, problems));
    const auto ids = TRY(ids_of(ctx, index, scopes, walk, std::size_t{page.offset} + page.limit));
    Accounts accounts(ctx.view());
    std::vector<EventDetails> out;
    for (std::size_t i = page.offset; i < ids.size(); ++i)
        if (auto event = TRY(schema().events.find(ctx.view(), ids[i].view())))
            out.push_back(TRY(accounts.details(std::move(*event))));
    return out;
}

} // namespace

Result<std::vector<EventDetails>> history_of_link(Context& ctx, const Link& link, const PageRequest& page,
                                                  Problems problems) {
    return list(ctx, schema().events.by_subject, {data::key(ctx.workspace.id, link.id)}, page,
                std::move(problems));
}

Result<std::vector<EventDetails>> audit_of_workspace(Context& ctx, const EventFilter& filter,
                                                     const PageRequest& page, Problems problems) {
    if (filter.types.empty())
        return list(ctx, schema().events.by_workspace, {data::key(ctx.workspace.id)}, page,
                    std::move(problems));
    std::vector<data::Bytes> scopes;
    for (const auto type : std::set(filter.types.begin(), filter.types.end()))
        scopes.push_back(data::key(ctx.workspace.id, type));
    return list(ctx, schema().events.by_type, scopes, page, std::move(problems));
}

Result<EventDetails> details_of(data::View& view, Event event) {
    return Accounts(view).details(std::move(event));
}

Result<EventFeed> read_feed(Context& ctx, const EventFilter& filter, std::string_view last,
                            std::uint32_t limit, Problems problems) {
    EventFeed out;
    const auto after = TRY(place_after(ctx, last, problems));
    TRY(problems.result("event"));
    if (after)
        out.last = *EventId::from_bytes(*after);
    if (ctx.event_horizon == 0) // nothing was written since the start, so nothing is new
        return out;
    const bool with_clicks = std::ranges::find(filter.types, EventType::link_clicked) != filter.types.end();
    const auto found =
        TRY(events_behind(ctx.view(), ctx.workspace.id, with_clicks, after, data::key(ctx.event_horizon),
                          filter.types.empty() ? limit : events_looked_at_max));
    Accounts accounts(ctx.view());
    out.more = !found.all;
    for (const auto& id : found.ids) {
        if (out.events.size() == limit) {
            out.more = true;
            break;
        }
        out.last = id;
        auto event = TRY(schema().events.find(ctx.view(), id.view()));
        if (event && passes(filter, *event))
            out.events.push_back(TRY(accounts.details(std::move(*event))));
    }
    // Who is told all that there is need not come back for it in a month, when it is gone.
    if (!out.more)
        out.last = std::max(out.last, event_id_below(ctx.event_horizon));
    return out;
}

Result<std::optional<Event>> find_event_of(Context& ctx, const Link& link, std::string_view id,
                                           Problems& problems) {
    if (id.empty()) {
        if (problems.none()) // else reading it found that
            problems.add(required_field("event"));
        return std::optional<Event>();
    }
    const auto parsed = EventId::parse(id);
    auto event = parsed ? TRY(schema().events.find(ctx.view(), parsed->view())) : std::optional<Event>();
    if (event && event->workspace == ctx.workspace.id && event->subject == link.id)
        return event;
    problems.add(invalid_format("event", "is not the id of an event in the link's history"));
    return std::optional<Event>();
}

namespace {

Result<bool> prune_old(SystemContext& system) {
    const auto& table = schema().events;
    const auto first_kept = system.now.plus_seconds(-system.tools.settings.events_kept_seconds);
    // A walk from there does not step over what was erased before.
    const auto pruned = TRY(system.txn.get(space::meta, pruned_key)).value_or(data::Bytes());
    std::vector<Event> old;
    std::size_t bytes = 0;
    bool more = false;
    TRY(table.each(
        system.txn,
        [&](const Event& event) -> Result<bool> {
            if (event.at >= first_kept)
                return false;
            bytes += event.link_before.size() + event.parts_before.size();
            old.push_back(event);
            more = old.size() == batch_max || bytes >= batch_bytes_max;
            return !more;
        },
        pruned));
    if (old.empty())
        return false;
    for (const auto& event : old)
        TRY(table.remove(system.txn, event));
    TRY(system.txn.put(space::meta, pruned_key, old.back().id.view()));
    return more;
}

// They weigh more than what is done, and are worth less.
Result<bool> prune_clicks(SystemContext& system) {
    const auto& table = schema().events;
    const auto first_kept = system.now.plus_seconds(-clicks_kept_seconds);
    std::vector<Event> old;
    TRY(table.clicks.walk(system.txn, {}, [&](data::BytesView primary) -> Result<bool> {
        auto event = TRY(table.find(system.txn, primary));
        if (!event || event->at >= first_kept)
            return false;
        old.push_back(*std::move(event));
        return old.size() < click_batch_max;
    }));
    for (const auto& event : old)
        TRY(table.remove(system.txn, event));
    return old.size() == click_batch_max;
}

} // namespace

Result<bool> prune_events(SystemContext& system) {
    const bool more_clicks = TRY(prune_clicks(system));
    return TRY(prune_old(system)) || more_clicks;
}

} // namespace slashpost
