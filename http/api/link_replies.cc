// What link_shapes.h declares of answers.
#include "core/base/percent.h"
#include "core/ops/domain_lists.h"
#include "core/ops/domains.h"
#include "http/api/link_shapes.h"

namespace slashpost::api {

using wire::field, wire::note;
using wire::Fields;

Fields ProtocolReply::fields() {
    return {field("allowed", &ProtocolReply::allowed,
                  note("The schemes that addresses on the domain may begin with.")),
            field("default", &ProtocolReply::preferred, note("The scheme to write in front of shortUrl."))};
}

Fields SharingReply::fields() {
    return {field("protocol", &SharingReply::protocol, note("How addresses on the domain are written."))};
}

Fields DomainReply::fields() {
    return {field("id", &DomainReply::id, note("Id of the domain.")),
            field("ref", &DomainReply::ref, note("/domains/ and the id.")),
            field("fullName", &DomainReply::full_name,
                  note("The domain's name, with its port unless that is 80 or 443.")),
            field("sharing", &DomainReply::sharing, note("How to write addresses on the domain.")),
            field("active", &DomainReply::active,
                  note("Whether links can be made on it now: it is verified, switched on and not revoked."))};
}

Fields CreatorReply::fields() {
    return {field("id", &CreatorReply::id, note("Id of the account.")),
            field("fullName", &CreatorReply::full_name, note("The person's name.")),
            field("avatarUrl", &CreatorReply::avatar_url,
                  note("Address of a picture of the person; empty: none."))};
}

Fields LinkTagReply::fields() {
    return {field("id", &LinkTagReply::id, note("Id of the tag.")),
            field("name", &LinkTagReply::name, note("The tag's name.")),
            field("color", &LinkTagReply::color, note("Six hexadecimal digits, lower case, without #.")),
            field("active", &LinkTagReply::active, note("Whether the tag is in use; always true so far.")),
            field("clicks", &LinkTagReply::clicks,
                  note("Clicks on all links of the workspace while they carried the tag."))};
}

Fields LinkScriptReply::fields() {
    return {field("id", &LinkScriptReply::id, note("Id of the script.")),
            field("name", &LinkScriptReply::name, note("The script's name."))};
}

Fields LinkReply::fields() {
    return {
        field("id", &LinkReply::id, note("Id of the link; it stays when the address changes.")),
        field("title", &LinkReply::title, note("What people call the link.")),
        field("slashtag", &LinkReply::slashtag,
              note("What stands behind the domain and the slash, as it was given.")),
        field("destination", &LinkReply::destination,
              note("Where visitors are sent, unless a rule or the rotator says otherwise.")),
        field("shortUrl", &LinkReply::short_url,
              note("The short address without a scheme: the domain's name, a slash and the slashtag, escaped "
                   "where it has letters beyond ASCII.")),
        field("domainId", &LinkReply::domain_id, note("Id of the domain.")),
        field("domainName", &LinkReply::domain_name, note("The domain's name.")),
        field("domain", &LinkReply::domain, note("The domain on which the link is.")),
        field("type", &LinkReply::type,
              note("standard, or rotator: one that spreads its visitors over several destinations.")),
        field("status", &LinkReply::status, note("active, expired (its time is over), paused or deleted.")),
        field("favourite", &LinkReply::favourite, note("Whether it is one of the workspace's favourites.")),
        field("forwardParameters", &LinkReply::forward_parameters,
              note("Whether the visitor's query is added to the destination's, as the link or its domain "
                   "says.")),
        field("forwarding", &LinkReply::forwarding,
              note("What the link says itself of parameters that visitors bring along; absent: nothing.")),
        field("https", &LinkReply::https, note("Always true; kept for older clients.")),
        field("isPublic", &LinkReply::is_public, note("Always false; kept for older clients.")),
        field("integrated", &LinkReply::integrated, note("Always false; kept for older clients.")),
        field("tags", &LinkReply::tags, note("The tags that the link carries, in the order of attaching.")),
        field("scripts", &LinkReply::scripts,
              note("The scripts that visitors run on their way, in the order of attaching.")),
        field("clicks", &LinkReply::clicks,
              note("Visits by people since the link was made; bots, HEAD and previews are not counted.")),
        field("sessions", &LinkReply::sessions,
              note("Clicks of visitors who had not clicked the link in the 30 minutes before.")),
        field("createdAt", &LinkReply::created_at, note("When the link was made.")),
        field("updatedAt", &LinkReply::updated_at, note("When the link was last changed.")),
        field("creator", &LinkReply::creator, note("Who made the link.")),
        field("description", &LinkReply::description, note("Notes on the link; absent when there are none.")),
        field("expiresAt", &LinkReply::expires_at,
              note("When the link expires or did; absent when it never will.")),
        field("activeFrom", &LinkReply::active_from,
              note("When the link begins or did; absent when it has had no beginning but its making.")),
        field("expiredUrl", &LinkReply::expired_url,
              note("Where the link leads when it has expired or is paused; absent: where the domain says.")),
        field("redirectType", &LinkReply::redirect_type,
              note("The status that visitors are redirected with; absent: the domain's.")),
        field("aliases", &LinkReply::aliases,
              note("Other slashtags on the domain that lead to the link, too; absent: none.")),
        field("passwordSetAt", &LinkReply::password_set_at,
              note("When the password was set that visitors have to know; absent: they have to know none.")),
        field("maxClicks", &LinkReply::max_clicks,
              note("How many visitors get to the destination until the link ends; absent: any number.")),
        field("clicksLeft", &LinkReply::clicks_left,
              note("How many of maxClicks are left; absent without maxClicks.")),
        field("externalId", &LinkReply::external_id,
              note("What a system of yours calls the link; absent: nothing. Of a deleted link what it was "
                   "called, which another one may be by now.")),
        field(
            "passPath", &LinkReply::pass_path,
            note("true: what visitors ask for below the short address goes on below the destination; absent: "
                 "it does not.")),
        field("lastClickAt", &LinkReply::last_click_at,
              note("Time of the last click; absent before the first.")),
        field("lastClickDate", &LinkReply::last_click_date,
              note("The same as lastClickAt, for older clients."))};
}

LinkReply LinkReply::of(const LinkDetails& details) {
    const auto& [link, domain, creator, clicks, sessions, last_click_at, tags, scripts] = details;
    LinkReply out{
        .id = link.id,
        .title = link.title,
        .slashtag = link.slashtag,
        .destination = link.destination,
        .short_url = domain.full_name + "/",
        .domain_id = link.domain,
        .domain_name = domain.full_name,
        .domain = {.id = link.domain,
                   .ref = std::string(domain_ref_prefix) + link.domain.hex(),
                   .full_name = domain.full_name,
                   .sharing = {},
                   .active = status_of(domain) == DomainStatus::active},
        .type = link.type,
        .status = link.status,
        .favourite = link.favourite,
        .forward_parameters = link.own_forwarding().on(domain.forwarding).parameters,
        .forwarding = LinkForwardingReply::of(link.own_forwarding()),
        .clicks = clicks,
        .sessions = sessions,
        .created_at = link.created_at,
        .updated_at = link.updated_at,
        .creator = {.id = link.creator, .full_name = creator.full_name, .avatar_url = creator.avatar_url},
        .expires_at = link.expires_at,
        .active_from = link.active_from,
        .last_click_at = last_click_at,
        .last_click_date = last_click_at};
    append_uri_text(out.short_url, link.slashtag);
    if (!link.description.empty())
        out.description = link.description;
    if (!link.expired_url.empty())
        out.expired_url = shown_place(link.expired_url);
    if (link.redirect_type != 0)
        out.redirect_type = link.redirect_type;
    if (link.pass_path)
        out.pass_path = true;
    if (!link.aliases.empty()) {
        out.aliases.emplace();
        for (const auto& alias : link.aliases)
            out.aliases->push_back(alias.slashtag);
    }
    out.password_set_at = link.password_set_at;
    if (link.clicks_max != 0) {
        out.max_clicks = link.clicks_max;
        out.clicks_left = link.is_used_up() ? 0 : link.clicks_max - link.clicks_used;
    }
    if (!link.external_id.empty())
        out.external_id = link.external_id;
    for (const auto& tag : tags)
        out.tags.push_back(
            {.id = tag.id, .name = tag.name, .color = tag.color, .active = tag.active, .clicks = tag.clicks});
    for (const auto& script : scripts)
        out.scripts.push_back({.id = script.id, .name = script.name});
    return out;
}

} // namespace slashpost::api
