#include "core/ops/events.h"

#include "core/schema/schema.h"

#include <algorithm>
#include <map>

namespace slashpost {

namespace {

constexpr std::string_view pruned_key = "events.pruned"; // in space::meta: id of the last one that was erased
constexpr std::size_t batch_max = 500;

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
        return EventDetails{.event = std::move(event), .account = *known};
    }

  private:
    data::View& view_;
    std::map<RawId, std::optional<std::optional<Account>>> known_;
};

// Behind all events with smaller numbers, before all others.
EventId end_below(std::uint64_t number) {
    return *EventId::from_bytes(data::key(number - 1, ~std::uint64_t{0}));
}

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
Result<data::Walk> walk_of(data::Bytes scope, const PageRequest& page, Problems& problems) {
    data::Walk walk{.scope = std::move(scope),
                    .order = page.direction == Direction::ascending ? data::Order::forward
                                                                    : data::Order::backward};
    if (!page.last.empty()) {
        if (const auto id = EventId::parse(page.last))
            walk.after = data::Bytes(id->view());
        else
            problems.add(invalid_format("last", "is not the id of an event"));
    }
    TRY(problems.result("event"));
    return walk;
}

Result<std::vector<EventDetails>> list(Context& ctx, const data::Ordered<Event>& index, data::Bytes scope,
                                       const EventFilter& filter, const PageRequest& page,
                                       Problems problems) {
    const auto walk = TRY(walk_of(std::move(scope), page, problems));
    Accounts accounts(ctx.view());
    std::vector<EventDetails> out;
    auto to_skip = page.offset;
    TRY(index.walk(ctx.view(), walk, [&](data::BytesView primary) -> Result<bool> {
        auto event = TRY(schema().events.find(ctx.view(), primary));
        if (!event || !passes(filter, *event))
            return true;
        if (to_skip > 0)
            --to_skip;
        else
            out.push_back(TRY(accounts.details(std::move(*event))));
        return out.size() < page.limit;
    }));
    return out;
}

} // namespace

Result<std::vector<EventDetails>> history_of_link(Context& ctx, const Link& link, const PageRequest& page,
                                                  Problems problems) {
    return list(ctx, schema().events.by_subject, data::key(ctx.workspace.id, link.id), {}, page,
                std::move(problems));
}

Result<std::vector<EventDetails>> audit_of_workspace(Context& ctx, const EventFilter& filter,
                                                     const PageRequest& page, Problems problems) {
    return list(ctx, schema().events.by_workspace, data::key(ctx.workspace.id), filter, page,
                std::move(problems));
}

Result<EventFeed> read_feed(Context& ctx, const EventFilter& filter, std::string_view last,
                            std::uint32_t limit, Problems problems) {
    EventFeed out;
    data::Walk walk{.scope = data::key(ctx.workspace.id),
                    .after = TRY(place_after(ctx, last, problems)),
                    .until = data::key(ctx.event_horizon)};
    TRY(problems.result("event"));
    if (walk.after)
        out.last = *EventId::from_bytes(*walk.after);
    if (ctx.event_horizon == 0) // nothing was written since the start, so nothing is new
        return out;
    Accounts accounts(ctx.view());
    std::size_t looked_at = 0;
    TRY(schema().events.by_workspace.walk(ctx.view(), walk, [&](data::BytesView primary) -> Result<bool> {
        if (out.events.size() == limit || looked_at++ == events_looked_at_max) {
            out.more = true;
            return false;
        }
        out.last = *EventId::from_bytes(primary);
        auto event = TRY(schema().events.find(ctx.view(), primary));
        if (event && passes(filter, *event))
            out.events.push_back(TRY(accounts.details(std::move(*event))));
        return true;
    }));
    // Who is told all that there is need not come back for it in a month, when it is gone.
    if (!out.more)
        out.last = std::max(out.last, end_below(ctx.event_horizon));
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

Result<bool> prune_events(SystemContext& system) {
    const auto& table = schema().events;
    const auto first_kept = system.now.plus_seconds(-system.tools.settings.events_kept_seconds);
    // A walk from there does not step over what was erased before.
    const auto pruned = TRY(system.txn.get(space::meta, pruned_key)).value_or(data::Bytes());
    std::vector<Event> old;
    TRY(table.each(
        system.txn,
        [&](const Event& event) -> Result<bool> {
            if (event.at < first_kept)
                old.push_back(event);
            return event.at < first_kept && old.size() < batch_max;
        },
        pruned));
    if (old.empty())
        return false;
    for (const auto& event : old)
        TRY(table.remove(system.txn, event));
    TRY(system.txn.put(space::meta, pruned_key, old.back().id.view()));
    return old.size() == batch_max;
}

} // namespace slashpost
