#include "core/ops/link_restore.h"

#include "core/access/doors.h"
#include "core/access/features.h"
#include "core/ops/events.h"
#include "core/ops/link_parts.h"
#include "core/schema/schema.h"

#include <algorithm>
#include <fmt/format.h>

namespace slashpost {

namespace {

struct Past {
    Link link;
    LinkParts parts;
};

// Goes back from what is stored, event by event; each says all of the row that it changed.
Result<Past> before(Context& ctx, const Link& link, const Event& event) {
    Past past{.link = link, .parts = TRY(parts_of(ctx.view(), link))};
    const LinkParts no_parts{.link = link.id, .workspace = link.workspace};
    std::size_t steps = 0;
    bool arrived = false;
    const data::Walk walk{.scope = data::key(link.workspace, link.id), .order = data::Order::backward};
    TRY(schema().events.by_subject.walk(ctx.view(), walk, [&](data::BytesView primary) -> Result<bool> {
        const auto one = TRY(schema().events.find(ctx.view(), primary));
        if (!one)
            return true;
        if (!one->link_before.empty())
            past.link = TRY(data::decode<Link>(one->link_before));
        if (one->parts_changed)
            past.parts =
                one->parts_before.empty() ? no_parts : TRY(data::decode<LinkParts>(one->parts_before));
        arrived = one->id == event.id;
        return !arrived && ++steps < restore_events_max;
    }));
    if (!arrived)
        return refused(
            "LimitReached", "link",
            fmt::format("More than {} events have happened to the link since then.", restore_events_max));
    return past;
}

// Those that are still there; others were taken off every link.
template <class I, class T>
Result<std::vector<I>> still_there(Context& ctx, const data::Table<T>& table, const std::vector<I>& ids) {
    std::vector<I> out;
    for (const auto& id : ids)
        if (const auto row = TRY(table.find(ctx.view(), id.view()));
            row && row->workspace == ctx.workspace.id)
            out.push_back(id);
    return out;
}

Change<std::string> change_to(const std::string& now, const std::string& then) {
    if (now == then)
        return {};
    return then.empty() ? Change<std::string>::clear() : Change<std::string>::set(then);
}

std::vector<std::string> slashtags_of(const std::vector<LinkAlias>& aliases) {
    std::vector<std::string> out;
    out.reserve(aliases.size());
    for (const auto& alias : aliases)
        out.push_back(alias.slashtag);
    return out;
}

// What makes the link what it was.
Result<LinkChange> change_to(Context& ctx, const Link& now, const Link& then) {
    LinkChange change;
    if (then.domain != now.domain)
        change.domain.id = then.domain;
    change.slashtag = change_to(now.slashtag, then.slashtag);
    if (then.aliases != now.aliases || now.status == LinkStatus::deleted)
        change.aliases = Change<std::vector<std::string>>::set(slashtags_of(then.aliases));
    change.destination = change_to(now.destination, then.destination);
    change.title = change_to(now.title, then.title);
    change.description = change_to(now.description, then.description);
    change.expired_url = change_to(now.expired_url, then.expired_url);
    change.external_id = change_to(now.external_id, then.external_id);
    change.favourite = Change<bool>::set(then.favourite);
    const auto own = then.own_forwarding();
    change.forward_parameters = own.parameters ? Change<bool>::set(*own.parameters) : Change<bool>::clear();
    change.on_conflict = Change<OnConflict>::set(then.on_conflict);
    change.redirect_type = then.redirect_type == 0 ? Change<std::uint32_t>::clear()
                                                   : Change<std::uint32_t>::set(then.redirect_type);
    change.active = Change<bool>::set(then.status != LinkStatus::paused);
    if (then.expires_at != now.expires_at)
        change.expires_at =
            then.expires_at ? Change<Timestamp>::set(*then.expires_at) : Change<Timestamp>::clear();
    if (then.active_from != now.active_from)
        change.active_from =
            then.active_from ? Change<Timestamp>::set(*then.active_from) : Change<Timestamp>::clear();
    if (then.password_hash != now.password_hash)
        change.earlier_password =
            Change<LinkPassword>::set({.hash = then.password_hash, .set_at = then.password_set_at});
    if (then.clicks_max != now.clicks_max)
        change.max_clicks = then.clicks_max == 0 ? Change<std::uint32_t>::clear()
                                                 : Change<std::uint32_t>::set(then.clicks_max);
    change.pass_path = Change<bool>::set(then.pass_path);
    change.tags = Change<std::vector<TagId>>::set(TRY(still_there(ctx, schema().tags, then.tags)));
    change.scripts =
        Change<std::vector<ScriptId>>::set(TRY(still_there(ctx, schema().scripts, then.scripts)));
    return change;
}

Result<void> need(const Context& ctx, bool wanted, Feature feature) {
    return wanted && !ctx.has(feature) ? feature_not_included(to_string(feature)) : Result<void>();
}

// `link` is the row as stored.
Result<void> put_back_parts(Context& ctx, const Link& link, const LinkParts& then) {
    const auto now = TRY(parts_of(ctx.view(), link));
    if (data::encode(now) == data::encode(then))
        return {};
    TRY(need(ctx, !then.rules.empty() && then.rules != now.rules, Feature::links_rules));
    TRY(need(ctx, then.open_graph && then.open_graph != now.open_graph, Feature::links_opengraph));
    TRY(store_parts(ctx, link, then));
    Problems problems;
    DestinationCheck destinations(ctx, link);
    TRY(check_part_destinations(ctx, link, destinations, problems));
    return problems.result("link");
}

} // namespace

Result<LinkDetails> restore_link(Context& ctx, const Link& link, std::string_view id, Problems problems) {
    const auto event = TRY(find_event_of(ctx, link, id, problems));
    if (event && event->type == EventType::link_created)
        problems.add(invalid_format("event", "made the link, so there was none before it"));
    TRY(problems.result("link"));
    const auto past = TRY(before(ctx, link, *event));
    if (past.link.status == LinkStatus::deleted)
        return refused("DeletedLink", "link", "The link was deleted before that event, too.");
    TRY(update_link(ctx, link, TRY(change_to(ctx, link, past.link))));
    const auto stored = TRY(schema().links.find(ctx.view(), link.id.view()));
    TRY(put_back_parts(ctx, *stored, past.parts));
    return describe_link(ctx, TRY(schema().links.find(ctx.view(), link.id.view())).value_or(*stored));
}

} // namespace slashpost
