#include "http/api/link_shapes.h"

#include "core/ops/link_labels.h"
#include "http/wire/formats.h"

#include <fmt/format.h>

#include <algorithm>

namespace slashpost::api {

using wire::at_least, wire::comma_list, wire::example, wire::field, wire::items_max, wire::length, wire::note,
    wire::part, wire::required;
using wire::Fields, wire::Reference;
namespace formats = wire::formats;

namespace {

constexpr std::int64_t ttl_seconds_min = 60;
constexpr std::size_t filter_ids_max = 100;
constexpr std::int64_t day_seconds = 24 * 3600;

// The first that is given counts: domainId, domain.id, domain.ref, domain.fullName (wire "Link").
DomainChoice choice_of(const std::optional<DomainId>& domain_id, const DomainInput& domain,
                       Problems& problems) {
    std::string_view ref = domain.ref;
    if (ref.starts_with(domain_ref_prefix))
        ref.remove_prefix(domain_ref_prefix.size());
    const auto referred = DomainId::parse(ref);
    if (!referred && !ref.empty())
        problems.add(invalid_format("domain.ref", "must be /domains/ and an id"));

    const auto is_of_domain = [](const FieldError& problem) { // or of the whole input
        return problem.property.empty() || problem.property.starts_with("domain");
    };
    if (std::ranges::any_of(problems.fields(), is_of_domain))
        return {.id = {}, .full_name = {}, .unreadable = true};
    const auto& id = domain_id ? domain_id : domain.id ? domain.id : referred;
    return {.id = id, .full_name = id ? std::string() : domain.full_name};
}

// What is no id names nothing, which the operation tells; no id is empty.
template <class I>
std::vector<I> ids_of(const std::vector<Reference>& references) {
    std::vector<I> out;
    out.reserve(references.size());
    for (const auto& reference : references)
        out.push_back(I::parse(reference.id).value_or(I{}));
    return out;
}

template <class I>
Change<std::vector<I>> ids_of(const std::optional<std::vector<Reference>>& references) {
    return references ? Change<std::vector<I>>::set(ids_of<I>(*references)) : Change<std::vector<I>>::keep();
}

} // namespace

Fields DomainInput::fields() {
    return {field("id", &DomainInput::id), field("ref", &DomainInput::ref, example("/domains/…")),
            field("fullName", &DomainInput::full_name, example("go.example.com"))};
}

Fields LinkInput::fields() {
    return {
        field("destination", &LinkInput::destination, required, formats::uri,
              note("http, https or what the operator allows besides; at most 2,048 characters."),
              example("https://example.com/a?b=c")),
        field("domainId", &LinkInput::domain_id, note("A verified domain shared with the workspace.")),
        field("domain", &LinkInput::domain),
        field("slashtag", &LinkInput::slashtag, formats::slashtag,
              note("Unique on its domain; generated when absent. How long it may be is the domain's to say."),
              example("sale")),
        field("title", &LinkInput::title, length(0, link_title_length_max),
              note("Link <slashtag> when absent.")),
        field("description", &LinkInput::description,
              length(link_description_length_min, link_description_length_max)),
        field("favourite", &LinkInput::favourite),
        field("forwardParameters", &LinkInput::forward_parameters,
              note("Whether the visitor's query is added to the destination's; true when absent.")),
        field("type", &LinkInput::type, note("Fixed for ever; standard when absent.")),
        field("ttl", &LinkInput::ttl_seconds, at_least(ttl_seconds_min),
              note("Seconds until the link expires.")),
        field("expiresAt", &LinkInput::expires_at, note("Instead of ttl.")),
        field("tags", &LinkInput::tags, items_max(tags_per_link_max)),
        field("scripts", &LinkInput::scripts, items_max(scripts_per_link_max)),
    };
}

NewLink LinkInput::to_new_link(Problems& problems) const {
    return {.destination = destination,
            .domain = choice_of(domain_id, domain, problems),
            .slashtag = slashtag,
            .title = title,
            .description = description,
            .favourite = favourite,
            .forward_parameters = forward_parameters,
            .type = type,
            .ttl_seconds = ttl_seconds,
            .expires_at = expires_at,
            .tags = ids_of<TagId>(tags),
            .scripts = ids_of<ScriptId>(scripts)};
}

Fields LinkChangeInput::fields() {
    return {
        field("destination", &LinkChangeInput::destination, formats::uri),
        field("domainId", &LinkChangeInput::domain_id, note("Another domain moves the link.")),
        field("domain", &LinkChangeInput::domain),
        field("slashtag", &LinkChangeInput::slashtag, formats::slashtag, note("Unique on its domain.")),
        field("title", &LinkChangeInput::title, length(0, link_title_length_max)),
        field("description", &LinkChangeInput::description,
              length(link_description_length_min, link_description_length_max)),
        field("favourite", &LinkChangeInput::favourite),
        field("forwardParameters", &LinkChangeInput::forward_parameters),
        field("type", &LinkChangeInput::type, note("May be sent, but cannot be changed.")),
        field("ttl", &LinkChangeInput::ttl_seconds, at_least(ttl_seconds_min),
              note("Seconds from now until the link expires.")),
        field("expiresAt", &LinkChangeInput::expires_at),
        field("tags", &LinkChangeInput::tags, items_max(tags_per_link_max), note("Exactly these.")),
        field("scripts", &LinkChangeInput::scripts, items_max(scripts_per_link_max), note("Exactly these."))};
}

LinkChange LinkChangeInput::to_change(Problems& problems) const {
    return {.destination = Change<std::string>::of(destination),
            .domain = choice_of(domain_id, domain, problems),
            .slashtag = Change<std::string>::of(slashtag),
            .title = title,
            .description = description,
            .favourite = Change<bool>::of(favourite),
            .forward_parameters = Change<bool>::of(forward_parameters),
            .type = type,
            .ttl_seconds = ttl_seconds,
            .expires_at = expires_at,
            .tags = ids_of<TagId>(tags),
            .scripts = ids_of<ScriptId>(scripts)};
}

Fields DomainFilterInput::fields() {
    return {field("id", &DomainFilterInput::id, comma_list, items_max(filter_ids_max),
                  note("One id or several with commas.")),
            field("fullName", &DomainFilterInput::full_name, example("go.example.com"))};
}

Fields CreatorFilterInput::fields() {
    return {field("id", &CreatorFilterInput::id, comma_list, items_max(filter_ids_max),
                  note("One id or several with commas."))};
}

Fields TagFilterInput::fields() {
    return {field("id", &TagFilterInput::id, comma_list, items_max(filter_ids_max),
                  note("One id or several with commas: links with any of them."))};
}

Fields StatusFilterInput::fields() {
    return {field("active", &StatusFilterInput::active,
                  note("true when absent; false: expired and deleted links instead."))};
}

Fields LinkFilterQuery::fields() {
    return {field("domain", &LinkFilterQuery::domain),
            field("slashtag", &LinkFilterQuery::slashtag, note("Exactly this one.")),
            field("creator", &LinkFilterQuery::creator),
            field("tag", &LinkFilterQuery::tag),
            field("favourite", &LinkFilterQuery::favourite, wire::absent_when("none")),
            field("status", &LinkFilterQuery::status),
            field("dateFrom", &LinkFilterQuery::date_from, formats::date, note("First day of createdAt.")),
            field("dateTo", &LinkFilterQuery::date_to, formats::date, note("Last day of createdAt."))};
}

LinkFilter LinkFilterQuery::filter() const {
    return {.domains = domain.id,
            .domain_name = domain.full_name,
            .slashtag = slashtag,
            .creators = creator.id,
            .tags = tag.id,
            .favourite = favourite,
            .active = status.active,
            .created_from = date_from,
            .created_until = date_to ? std::optional(date_to->plus_seconds(day_seconds)) : std::nullopt};
}

Fields LinkListQuery::fields() {
    return wire::joined({part(&LinkListQuery::filter),
                         part(&LinkListQuery::page),
                         {field("orderBy", &LinkListQuery::order_by, wire::one_of(link_orders()),
                                note("createdAt when absent."))}});
}

Fields ProtocolReply::fields() {
    return {field("allowed", &ProtocolReply::allowed), field("default", &ProtocolReply::preferred)};
}

Fields SharingReply::fields() { return {field("protocol", &SharingReply::protocol)}; }

Fields DomainReply::fields() {
    return {field("id", &DomainReply::id), field("ref", &DomainReply::ref),
            field("fullName", &DomainReply::full_name), field("sharing", &DomainReply::sharing),
            field("active", &DomainReply::active)};
}

Fields CreatorReply::fields() {
    return {field("id", &CreatorReply::id), field("fullName", &CreatorReply::full_name),
            field("avatarUrl", &CreatorReply::avatar_url)};
}

Fields LinkTagReply::fields() {
    return {field("id", &LinkTagReply::id), field("name", &LinkTagReply::name),
            field("color", &LinkTagReply::color), field("active", &LinkTagReply::active),
            field("clicks", &LinkTagReply::clicks)};
}

Fields LinkScriptReply::fields() {
    return {field("id", &LinkScriptReply::id), field("name", &LinkScriptReply::name)};
}

Fields LinkReply::fields() {
    return {field("id", &LinkReply::id),
            field("title", &LinkReply::title),
            field("slashtag", &LinkReply::slashtag),
            field("destination", &LinkReply::destination),
            field("shortUrl", &LinkReply::short_url),
            field("domainId", &LinkReply::domain_id),
            field("domainName", &LinkReply::domain_name),
            field("domain", &LinkReply::domain),
            field("type", &LinkReply::type),
            field("status", &LinkReply::status),
            field("favourite", &LinkReply::favourite),
            field("forwardParameters", &LinkReply::forward_parameters),
            field("https", &LinkReply::https),
            field("isPublic", &LinkReply::is_public),
            field("integrated", &LinkReply::integrated),
            field("tags", &LinkReply::tags),
            field("scripts", &LinkReply::scripts),
            field("clicks", &LinkReply::clicks),
            field("sessions", &LinkReply::sessions),
            field("createdAt", &LinkReply::created_at),
            field("updatedAt", &LinkReply::updated_at),
            field("creator", &LinkReply::creator),
            field("description", &LinkReply::description),
            field("expiresAt", &LinkReply::expires_at),
            field("lastClickAt", &LinkReply::last_click_at),
            field("lastClickDate", &LinkReply::last_click_date)};
}

LinkReply LinkReply::of(const LinkDetails& details) {
    const auto& [link, domain, creator, clicks, sessions, last_click_at, tags, scripts] = details;
    LinkReply out{
        .id = link.id,
        .title = link.title,
        .slashtag = link.slashtag,
        .destination = link.destination,
        .short_url = domain.full_name + "/" + link.slashtag,
        .domain_id = link.domain,
        .domain_name = domain.full_name,
        .domain = {.id = link.domain,
                   .ref = std::string(domain_ref_prefix) + link.domain.hex(),
                   .full_name = domain.full_name,
                   .sharing = {},
                   .active = domain.active},
        .type = link.type,
        .status = link.status,
        .favourite = link.favourite,
        .forward_parameters = link.forward_parameters,
        .clicks = clicks,
        .sessions = sessions,
        .created_at = link.created_at,
        .updated_at = link.updated_at,
        .creator = {.id = link.creator, .full_name = creator.full_name, .avatar_url = creator.avatar_url},
        .expires_at = link.expires_at,
        .last_click_at = last_click_at,
        .last_click_date = last_click_at};
    if (!link.description.empty())
        out.description = link.description;
    for (const auto& tag : tags)
        out.tags.push_back(
            {.id = tag.id, .name = tag.name, .color = tag.color, .active = tag.active, .clicks = tag.clicks});
    for (const auto& script : scripts)
        out.scripts.push_back({.id = script.id, .name = script.name});
    return out;
}

} // namespace slashpost::api
