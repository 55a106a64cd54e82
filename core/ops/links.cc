#include "core/ops/links.h"

#include "core/access/doors.h"
#include "core/access/limits.h"
#include "core/access/link_rows.h"
#include "core/base/host.h"
#include "core/base/text.h"
#include "core/ops/destinations.h"
#include "core/ops/external_ids.h"
#include "core/ops/field_rules.h"
#include "core/ops/link_addresses.h"
#include "core/ops/link_details.h"
#include "core/ops/link_labels.h"
#include "core/ops/link_parts.h"
#include "core/ops/slashtags.h"
#include "core/schema/schema.h"
#include "core/schema/store.h"

#include <cstdlib>
#include <fmt/format.h>

namespace slashpost {

namespace {

void check_begin(const Link& link, Problems& problems) {
    if (link.active_from && link.expires_at && *link.active_from >= *link.expires_at)
        problems.add(out_of_range("activeFrom", "must be before the link expires"));
}

// Both may be sent, if they say the same but for the time that a call takes.
bool disagree(Timestamp now, std::int64_t ttl_seconds, Timestamp expires_at) {
    return std::abs(now.plus_seconds(ttl_seconds).ms - expires_at.ms) >= 1000;
}

// When a link given this time to live, or this end, expires. Either may be absent.
std::optional<Timestamp> expiry(Timestamp now, std::optional<std::int64_t> ttl_seconds,
                                std::optional<Timestamp> expires_at, Problems& problems) {
    if (ttl_seconds && (*ttl_seconds < link_ttl_seconds_min || *ttl_seconds > link_ttl_seconds_max)) {
        problems.add(out_of_range(
            "ttl", fmt::format("must be between {} and {}", link_ttl_seconds_min, link_ttl_seconds_max)));
        return std::nullopt;
    }
    if (expires_at && *expires_at <= now) {
        problems.add(out_of_range("expiresAt", "must lie in the future"));
        return std::nullopt;
    }
    if (ttl_seconds && expires_at && disagree(now, *ttl_seconds, *expires_at)) {
        problems.add(invalid_format("ttl", "says another end than expiresAt"));
        problems.add(invalid_format("expiresAt", "says another end than ttl"));
        return std::nullopt;
    }
    if (expires_at)
        return expires_at;
    return ttl_seconds ? std::optional(now.plus_seconds(*ttl_seconds)) : std::nullopt;
}

Result<void> check_notes(const Context& ctx, const std::string& description) {
    if (!description.empty() && !ctx.has(Feature::links_notes))
        return feature_not_included(to_string(Feature::links_notes));
    return {};
}

std::string default_title(std::string_view slashtag) { return fmt::format("Link {}", slashtag); }

// What an update says about tags and scripts.
Result<void> change_labels(const Context& ctx, const LinkChange& change, const Domain& domain, bool moves,
                           Link& link, Problems& problems) {
    const bool adds_tags =
        change.tags.is_set() && TRY(set_tags(ctx, link.tags, change.tags.value(), problems));
    const bool adds_scripts =
        change.scripts.is_set() && TRY(set_scripts(ctx, link.scripts, change.scripts.value(), problems));
    if (!link.scripts.empty() && (adds_scripts || moves))
        TRY(admit_scripts_on(ctx, domain));
    return adds_tags || adds_scripts ? need_in_force(domain) : Result<void>();
}

void change_forwarding(const LinkChange& change, Link& link) {
    if (change.forward_parameters.is_set())
        link.forward(change.forward_parameters.value());
    else if (change.forward_parameters.is_clear())
        link.forward(std::nullopt);
    change.on_conflict.apply_to(link.on_conflict);
}

void change_redirect_type(const LinkChange& change, Link& link, Problems& problems) {
    change.redirect_type.apply_to(link.redirect_type);
    if (change.redirect_type.is_set())
        check_redirect_type(link.redirect_type, problems);
}

Result<std::string> read_expired_url(std::string_view given, DestinationCheck& check, Problems& problems) {
    auto stored = TRY(check.read(given, problems, "expiredUrl", DestinationCheck::Path::stays));
    check_places("expiredUrl", stored, problems);
    return stored;
}

// Where the link leads now and when it has ended. What led elsewhere may lead back when the link moves, and
// may take no path when it begins to pass paths on; `asks` is the field for which that is looked at, if any.
Result<void> change_destinations(const LinkChange& change, std::string_view asks, DestinationCheck& check,
                                 Link& link, Problems& problems) {
    if (change.destination.is_set())
        link.destination = TRY(check.read(change.destination.value(), problems));
    else if (!asks.empty())
        TRY(check.admit(link.destination, problems, asks));
    if (change.expired_url.is_clear())
        link.expired_url.clear();
    else if (change.expired_url.is_set() && change.expired_url.value() != link.expired_url)
        link.expired_url = TRY(read_expired_url(change.expired_url.value(), check, problems));
    else if (!asks.empty() && !link.expired_url.empty())
        TRY(check.admit(link.expired_url, problems, asks, DestinationCheck::Path::stays));
    return {};
}

void change_guards(const LinkChange& change, Link& link, Problems& problems) {
    if (change.password.is_set())
        check_link_password(change.password.value(), problems);
    if (change.password.is_clear() || change.earlier_password.is_clear())
        set_password(link, {});
    else if (change.earlier_password.is_set())
        set_password(link, change.earlier_password.value());
    change_clicks(link, change.max_clicks, problems);
}

// When the link begins and ends, and whether it goes on until then.
void change_expiry(const Context& ctx, const LinkChange& change, Link& link, Problems& problems) {
    if (change.ttl_seconds.is_clear() || change.expires_at.is_clear())
        link.expires_at.reset();
    std::optional<std::int64_t> ttl;
    std::optional<Timestamp> end;
    if (change.ttl_seconds.is_set())
        ttl = change.ttl_seconds.value();
    // A client that posts a whole expired link back means to keep its end, not to set one in the past.
    if (change.expires_at.is_set() && link.expires_at != change.expires_at.value())
        end = change.expires_at.value();
    if (ttl || end)
        link.expires_at = expiry(ctx.now, ttl, end, problems);
    change.active_from.apply_to(link.active_from);
    check_begin(link, problems);
    const bool pauses = change.active.is_set() ? !change.active.value() : link.status == LinkStatus::paused;
    const bool is_over = (link.expires_at && *link.expires_at <= ctx.now) || link.is_used_up();
    link.status = pauses ? LinkStatus::paused : is_over ? LinkStatus::expired : LinkStatus::active;
}

} // namespace

Result<LinkDetails> describe_link(Context& ctx, const Link& link) {
    return LinkNeighbours(ctx).details(link);
}

Result<LinkDetails> create_link(Context& ctx, NewLink in, Problems problems) {
    auto link = TRY(make_link(ctx, std::move(in), std::move(problems)));
    TRY(admit_made_links(ctx, 1));
    return LinkNeighbours(ctx).details_of_new(std::move(link));
}

Result<void> admit_made_links(Context& ctx, std::int64_t count) {
    if (!limit_of(ctx.plan, Limit::links))
        return {};
    const auto used = TRY(used_of(ctx.view(), ctx.payer.id, Limit::links)); // with the new ones
    return admit_more(ctx, Limit::links, used - count, count);
}

Result<PreparedLink> prepare_link(Context& ctx, NewLink in, Problems problems) {
    TRY(check_notes(ctx, in.description));
    in.slashtag = shown_slashtag(in.slashtag);
    std::vector<TagId> tags;
    std::vector<ScriptId> scripts;
    TRY(set_tags(ctx, tags, in.tags, problems));
    TRY(set_scripts(ctx, scripts, in.scripts, problems));
    Domain domain;
    if (!in.domain.unreadable) { // else all other problems can be told without it
        domain = TRY(choose_domain(ctx, in.domain));
        TRY(admit_domain(domain, problems));
        if (!scripts.empty())
            TRY(admit_scripts_on(ctx, domain));
        if (!in.slashtag.empty())
            TRY(check_chosen_slashtag(ctx, domain, nullptr, in.slashtag, problems));
    }
    auto aliases =
        TRY(read_aliases(ctx, domain, nullptr, slashtag_key(domain, in.slashtag), in.aliases, problems));
    if (!in.ttl_seconds && !in.expires_at)
        in.ttl_seconds = ctx.workspace.default_ttl_seconds;
    const auto expires_at = expiry(ctx.now, in.ttl_seconds, in.expires_at, problems);
    const auto id = in.id ? *in.id : ctx.ids.next<LinkId>();
    Link link{.id = id,
              .workspace = ctx.workspace.id,
              .domain = domain.id,
              .creator = ctx.account.id,
              .slashtag = in.slashtag,
              .slashtag_key = slashtag_key(domain, in.slashtag),
              .description = std::move(in.description),
              .type = in.type,
              .favourite = in.favourite,
              .created_at = id.made_at(), // lists by creation go by the id
              .updated_at = id.made_at(),
              .expires_at = expires_at,
              .tags = std::move(tags),
              .scripts = std::move(scripts),
              .on_conflict = in.forwarding.on_conflict,
              .active_from = in.active_from,
              .redirect_type = in.redirect_type.value_or(0),
              .pass_path = in.pass_path,
              .external_id = std::move(in.external_id),
              .aliases = std::move(aliases)};
    TRY(admit_external_id(ctx, link.id, link.external_id, problems));
    check_begin(link, problems);
    if (in.redirect_type)
        check_redirect_type(*in.redirect_type, problems);
    if (!in.password.empty())
        check_link_password(in.password, problems);
    if (in.max_clicks)
        change_clicks(link, Change<std::uint32_t>::set(*in.max_clicks), problems);
    link.forward(in.forwarding.parameters);
    DestinationCheck destinations(ctx, link);
    if (!in.destination.empty())
        link.destination = TRY(destinations.read(in.destination, problems));
    if (!in.expired_url.empty())
        link.expired_url = TRY(read_expired_url(in.expired_url, destinations, problems));
    TRY(problems.result("link"));
    if (!in.password.empty())
        set_password(link, TRY(make_link_password(in.password, ctx.now)));
    return PreparedLink{.link = std::move(link), .domain = std::move(domain), .title = std::move(in.title)};
}

Result<Link> write_link(Context& ctx, PreparedLink prepared) {
    auto& [link, domain, title] = prepared;
    if (link.slashtag.empty())
        link.slashtag = link.slashtag_key = TRY(generate_slashtag(ctx, domain));
    link.title = title ? std::move(*title) : default_title(link.slashtag);
    TRY(claim_addresses(ctx, nullptr, link));
    TRY(claim_external_id(ctx, link));
    TRY(insert_link(ctx.system_context(), link));
    return std::move(link);
}

Result<Link> make_link(Context& ctx, NewLink in, Problems problems) {
    return write_link(ctx, TRY(prepare_link(ctx, std::move(in), std::move(problems))));
}

Result<LinkDetails> update_link(Context& ctx, const Link& link, const LinkChange& change, Problems problems) {
    if (change.description.is_set())
        TRY(check_notes(ctx, change.description.value()));
    if (change.type && *change.type != link.type)
        return refused("WrongLinkType", "link", "The type of a link cannot be changed.");

    auto changed = link;
    auto domain = TRY(domain_of(ctx.view(), link));
    const bool comes_back = link.status == LinkStatus::deleted;
    TRY(change_address(ctx, change, changed, domain, problems));
    change_guards(change, changed, problems);
    change_expiry(ctx, change, changed, problems);
    TRY(change_labels(ctx, change, domain, comes_back || changed.domain != link.domain, changed, problems));
    if (change.title.is_set())
        changed.title = change.title.value();
    else if (change.title.is_clear())
        changed.title = default_title(changed.slashtag);
    change.description.apply_to(changed.description);
    change.favourite.apply_to(changed.favourite);
    if (changed.favourite != link.favourite)
        TRY(need_in_force(domain));
    change_forwarding(change, changed);
    change_redirect_type(change, changed, problems);
    TRY(change_external_id(ctx, link, change.external_id, changed, problems));
    const bool moved =
        comes_back || changed.domain != link.domain || changed.slashtag_keys() != link.slashtag_keys();
    change.pass_path.apply_to(changed.pass_path);
    const std::string_view asks = moved ? "slashtag" : changed.pass_path && !link.pass_path ? "passPath" : "";
    DestinationCheck destinations(ctx, changed);
    TRY(change_destinations(change, asks, destinations, changed, problems));
    if (!asks.empty() && problems.none())
        TRY(check_part_destinations(ctx, changed, destinations, problems, asks));
    TRY(problems.result("link"));

    if (change.password.is_set())
        set_password(changed, TRY(make_link_password(change.password.value(), ctx.now)));
    changed.updated_at = ctx.now;
    TRY(claim_addresses(ctx, comes_back ? nullptr : &link, changed));
    TRY(claim_external_id(ctx, changed));
    TRY(change_link(ctx.system_context(), link, changed));
    if (comes_back)
        TRY(admit_made_links(ctx, 1));
    return describe_link(ctx, changed);
}

Result<LinkDetails> delete_link(Context& ctx, const Link& link) {
    return describe_link(ctx, TRY(retire_link(ctx.system_context(), link)));
}

Result<LinkDetails> set_favourite(Context& ctx, const Link& link, bool favourite) {
    auto changed = link;
    changed.favourite = favourite;
    changed.updated_at = ctx.now;
    TRY(change_link(ctx.system_context(), link, changed));
    return describe_link(ctx, changed);
}

} // namespace slashpost
