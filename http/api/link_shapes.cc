#include "http/api/link_shapes.h"

#include "core/ops/external_ids.h"
#include "core/ops/link_labels.h"
#include "http/wire/formats.h"

#include <fmt/format.h>

#include <algorithm>

namespace slashpost::api {

using wire::comma_list, wire::example, wire::field, wire::items_max, wire::length, wire::note, wire::part,
    wire::range, wire::required, wire::trimmed;
using wire::Fields, wire::Reference;
namespace formats = wire::formats;

namespace {

constexpr std::size_t filter_ids_max = 100;
constexpr std::int64_t day_seconds = 24 * 3600;

// "/domains/<id>", also without the first slash, or the id alone.
std::optional<DomainId> id_of_ref(std::string_view ref) {
    if (ref.starts_with('/'))
        ref.remove_prefix(1);
    constexpr auto prefix = domain_ref_prefix.substr(1);
    if (ref.starts_with(prefix))
        ref.remove_prefix(prefix.size());
    return DomainId::parse(ref);
}

DomainChoice choice(std::string_view property, const std::optional<DomainId>& id,
                    std::string_view full_name = {}) {
    return {.id = id, .full_name = std::string(full_name), .property = std::string(property)};
}

// The first that is given counts: domainId, domain.id, domain.fullName, a text in place of the object. The
// ref is looked at without any of them (wire "Link").
DomainChoice choice_of(const std::optional<DomainId>& domain_id, const DomainInput& domain,
                       Problems& problems) {
    const auto is_of_domain = [](const FieldError& problem) { // or of the whole input
        return problem.property.empty() || problem.property.starts_with("domain");
    };
    DomainChoice unreadable{.id = {}, .full_name = {}, .unreadable = true};
    if (std::ranges::any_of(problems.fields(), is_of_domain))
        return unreadable;
    std::vector<DomainChoice> all{choice("domainId", domain_id), choice("domain.id", domain.id),
                                  choice("domain.fullName", {}, domain.full_name)};
    const auto id = DomainId::parse(domain.id_or_name);
    all.push_back(choice("domain", id, id ? std::string_view() : domain.id_or_name));
    std::erase_if(all, [](const DomainChoice& one) { return !one.given(); });
    if (all.empty() && !domain.ref.empty()) {
        all.push_back(choice("domain.ref", id_of_ref(domain.ref)));
        if (!all.front().given()) {
            problems.add(invalid_format("domain.ref", "must be /domains/ and an id"));
            return unreadable;
        }
    }
    if (all.empty())
        return {};
    auto first = std::move(all.front());
    all.erase(all.begin());
    first.others = std::move(all);
    return first;
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

// Of a field's two spellings; both, if both are there, must say the same.
Change<bool> forward_parameters_of(const std::optional<bool>& plain, const Change<bool>& nested,
                                   Problems& problems) {
    if (plain && !nested.is_keep() && nested != Change<bool>::set(*plain)) {
        problems.add(invalid_format("forwardParameters", "is not what forwarding.parameters says"));
        problems.add(invalid_format("forwarding.parameters", "is not what forwardParameters says"));
    }
    return plain ? Change<bool>::set(*plain) : nested;
}

template <class T>
std::optional<T> given(const Change<T>& change) {
    return change.is_set() ? std::optional(change.value()) : std::nullopt;
}

LinkForwardingInput what_is_said(const Change<LinkForwardingInput>& forwarding) {
    if (forwarding.is_set())
        return forwarding.value();
    if (forwarding.is_clear())
        return {.parameters = Change<bool>::clear(), .on_conflict = Change<OnConflict>::clear()};
    return {};
}

} // namespace

Fields DomainInput::fields() {
    return {field("id", &DomainInput::id, note("Id of the domain.")),
            field("ref", &DomainInput::ref, note("/domains/ and the id of the domain."),
                  example("/domains/019a9e3c7b5f4d2e8a1b6c0d9e8f7a6b")),
            field("fullName", &DomainInput::full_name,
                  note("The domain's name, with its port unless that is 80 or 443."),
                  example("go.example.com")),
            field("", &DomainInput::id_or_name, note("Id or full name of the domain."))};
}

Fields LinkInput::fields() {
    return {
        field("destination", &LinkInput::destination, required, formats::uri,
              note("Where visitors are to be sent: http, https or what the operator allows besides; at most "
                   "2,048 bytes as it stands in an address, other characters escaped."),
              example("https://example.com/a?b=c")),
        field("domainId", &LinkInput::domain_id,
              note("Id of a verified domain that is shared with the workspace. It counts before domain.")),
        field("domain", &LinkInput::domain,
              note("The domain by its id or full name, else by its ref. Without it and domainId: the "
                   "installation's default domain, if the workspace shares it.")),
        field("slashtag", &LinkInput::slashtag, formats::slashtag, trimmed,
              note("What stands behind the domain and the slash, unique on the domain; generated when "
                   "absent. How long it may be is the domain's to say."),
              example("sale")),
        field("aliases", &LinkInput::aliases, items_max(link_aliases_max),
              note("Other slashtags on the same domain that lead to the link, too, by the same rules.")),
        field("title", &LinkInput::title, length(0, link_title_length_max),
              note("What people call the link; Link <slashtag> when absent.")),
        field("description", &LinkInput::description,
              length(link_description_length_min, link_description_length_max),
              note("Notes on the link. Needs the feature links.notes.")),
        field("favourite", &LinkInput::favourite,
              note("Whether it is one of the workspace's favourites; false when absent.")),
        field("forwardParameters", &LinkInput::forward_parameters,
              note("Whether the visitor's query is added to the destination's; as the domain says when "
                   "absent.")),
        field("forwarding", &LinkInput::forwarding, note(forwarding_note)),
        field("expiredUrl", &LinkInput::expired_url, formats::uri,
              note("Where the link leads when it has expired or is paused, with {path} and {domain} for what "
                   "was asked for; as the domain says when absent.")),
        field("redirectType", &LinkInput::redirect_type,
              note("The status that visitors are redirected with: 301, 302, 307 or 308; the domain's when "
                   "absent.")),
        field("type", &LinkInput::type,
              note("standard, or rotator: one that spreads its visitors over several destinations. Fixed for "
                   "ever; standard when absent.")),
        field("ttl", &LinkInput::ttl_seconds, range(link_ttl_seconds_min, link_ttl_seconds_max),
              note("Seconds until the link expires. Without it and expiresAt, what the workspace says; if "
                   "that says nothing, the link does not expire.")),
        field("expiresAt", &LinkInput::expires_at, note("When the link expires; instead of ttl.")),
        field("activeFrom", &LinkInput::active_from,
              note("When the link begins: until then visitors get what they get of one that has expired.")),
        field(
            "passPath", &LinkInput::pass_path,
            note("Whether what visitors ask for below the short address is answered, too, and goes on below "
                 "the destination; false when absent.")),
        field("password", &LinkInput::password,
              note("What visitors have to know: 6 characters to 256 bytes. It is kept as a hash and shown to "
                   "nobody; "
                   "none when absent.")),
        field("maxClicks", &LinkInput::max_clicks, range(1, link_clicks_max),
              note("How many visitors get to the destination until the link ends, programs that only look "
                   "not among them; any number when absent.")),
        field("tags", &LinkInput::tags, items_max(tags_per_link_max),
              note("Ids of the tags that the link is to carry. Needs the feature links.tags.")),
        field("scripts", &LinkInput::scripts, items_max(scripts_per_link_max),
              note("Ids of the scripts that visitors are to run on their way. Needs the feature "
                   "links.scripts.")),
        field("externalId", &LinkInput::external_id, length(1, external_id_length_max),
              note("What a system of yours calls the link, without control characters; unique among the "
                   "workspace's links that are not deleted, case and white space count.")),
    };
}

NewLink LinkInput::to_new_link(Problems& problems) const {
    const auto parameters = forward_parameters_of(forward_parameters, forwarding.parameters, problems);
    return {.destination = destination,
            .domain = choice_of(domain_id, domain, problems),
            .slashtag = slashtag,
            .aliases = aliases,
            .title = title,
            .description = description,
            .favourite = favourite,
            .forwarding = {.parameters = given(parameters),
                           .on_conflict = given(forwarding.on_conflict).value_or(OnConflict::as_domain)},
            .expired_url = expired_url,
            .redirect_type = redirect_type,
            .type = type,
            .ttl_seconds = ttl_seconds,
            .expires_at = expires_at,
            .active_from = active_from,
            .tags = ids_of<TagId>(tags),
            .scripts = ids_of<ScriptId>(scripts),
            .pass_path = pass_path,
            .password = password,
            .max_clicks = max_clicks,
            .external_id = external_id};
}

Fields LinkChangeInput::fields() {
    return {
        field("destination", &LinkChangeInput::destination, formats::uri,
              note("Where visitors are to be sent: http, https or what the operator allows besides; at "
                   "most 2,048 bytes as it stands in an address, other characters escaped.")),
        field("domainId", &LinkChangeInput::domain_id,
              note("Id of another domain, to which the link moves; its old address stops working.")),
        field("domain", &LinkChangeInput::domain, note("The same by id or full name, else by ref.")),
        field("slashtag", &LinkChangeInput::slashtag, formats::slashtag, trimmed,
              note("What stands behind the domain and the slash, unique on the domain; the old address "
                   "stops working.")),
        field(
            "aliases", &LinkChangeInput::aliases, items_max(link_aliases_max),
            note(
                "Other slashtags on the same domain that lead to the link then, exactly these; null: none.")),
        field("title", &LinkChangeInput::title, length(0, link_title_length_max),
              note("What people call the link; null takes it away.")),
        field("description", &LinkChangeInput::description,
              length(link_description_length_min, link_description_length_max),
              note("Notes on the link; null takes them away. Needs the feature links.notes.")),
        field("favourite", &LinkChangeInput::favourite,
              note("Whether it is one of the workspace's favourites.")),
        field("forwardParameters", &LinkChangeInput::forward_parameters,
              note("Whether the visitor's query is added to the destination's.")),
        field("forwarding", &LinkChangeInput::forwarding,
              note("What becomes of the parameters that visitors bring along; null: what the domain says.")),
        field("expiredUrl", &LinkChangeInput::expired_url, formats::uri,
              note("Where the link leads when it has expired or is paused, with {path} and {domain} for "
                   "what was asked for; null: where the domain says.")),
        field("redirectType", &LinkChangeInput::redirect_type,
              note("The status that visitors are redirected with: 301, 302, 307 or 308; null: the "
                   "domain's.")),
        field("active", &LinkChangeInput::active,
              note("false pauses the link: visitors get what they get of one that has expired. true lets "
                   "it go on.")),
        field("type", &LinkChangeInput::type, note("May be sent, but cannot be changed.")),
        field("ttl", &LinkChangeInput::ttl_seconds, range(link_ttl_seconds_min, link_ttl_seconds_max),
              note("Seconds from now until the link expires; null: never.")),
        field("expiresAt", &LinkChangeInput::expires_at,
              note("When the link expires, instead of ttl; null: never.")),
        field("activeFrom", &LinkChangeInput::active_from,
              note("When the link begins: until then visitors get what they get of one that has expired; "
                   "null: it has begun.")),
        field(
            "passPath", &LinkChangeInput::pass_path,
            note("Whether what visitors ask for below the short address is answered, too, and goes on below "
                 "the destination.")),
        field("password", &LinkChangeInput::password,
              note("What visitors have to know from now on: 6 characters to 256 bytes; null: nothing.")),
        field("maxClicks", &LinkChangeInput::max_clicks, range(1, link_clicks_max),
              note("How many visitors get to the destination until the link ends, those who have been there "
                   "since there is such a bound among them; null: any number.")),
        field("tags", &LinkChangeInput::tags, items_max(tags_per_link_max),
              note("Ids of the tags that the link carries then: exactly these.")),
        field("scripts", &LinkChangeInput::scripts, items_max(scripts_per_link_max),
              note("Ids of the scripts of the link then: exactly these.")),
        field("externalId", &LinkChangeInput::external_id, length(1, external_id_length_max),
              note("What a system of yours calls the link, unique among the workspace's links that are not "
                   "deleted; null takes it away."))};
}

LinkChange LinkChangeInput::to_change(Problems& problems) const {
    const auto said = what_is_said(forwarding);
    return {.destination = Change<std::string>::of(destination),
            .domain = choice_of(domain_id, domain, problems),
            .slashtag = Change<std::string>::of(slashtag),
            .aliases = aliases,
            .title = title,
            .description = description,
            .favourite = Change<bool>::of(favourite),
            .forward_parameters = forward_parameters_of(forward_parameters, said.parameters, problems),
            .on_conflict = said.on_conflict,
            .expired_url = expired_url,
            .redirect_type = redirect_type,
            .active = Change<bool>::of(active),
            .type = type,
            .ttl_seconds = ttl_seconds,
            .expires_at = expires_at,
            .active_from = active_from,
            .pass_path = Change<bool>::of(pass_path),
            .tags = ids_of<TagId>(tags),
            .scripts = ids_of<ScriptId>(scripts),
            .password = password,
            .max_clicks = max_clicks,
            .external_id = external_id};
}

Fields DomainFilterInput::fields() {
    return {field("id", &DomainFilterInput::id, comma_list, items_max(filter_ids_max),
                  note("Only links on this domain: its id, or several with commas.")),
            field("fullName", &DomainFilterInput::names, comma_list, items_max(filter_ids_max),
                  note("Only links on the domain of this name, or of several with commas.")),
            field("", &DomainFilterInput::names, comma_list, items_max(filter_ids_max),
                  note("Only links on this domain: its id or full name, or several with commas."))};
}

Fields CreatorFilterInput::fields() {
    return {field("id", &CreatorFilterInput::id, comma_list, items_max(filter_ids_max),
                  note("Only links that this account made: its id, or several with commas.")),
            field("", &CreatorFilterInput::id, comma_list, items_max(filter_ids_max),
                  note("The same as creator.id."))};
}

Fields TagFilterInput::fields() {
    return {
        field("id", &TagFilterInput::id, comma_list, items_max(filter_ids_max),
              note("Only links that carry this tag: its id, or several with commas for links with any of "
                   "them.")),
        field("", &TagFilterInput::id, comma_list, items_max(filter_ids_max), note("The same as tag.id."))};
}

Fields StatusFilterInput::fields() {
    return {
        field("active", &StatusFilterInput::active,
              note("true, as when absent: active links. false: expired, paused and deleted ones instead.")),
        field("", &StatusFilterInput::words, comma_list,
              note("active: active links, as when absent. trashed: expired, paused and deleted ones "
                   "instead. Both, with a comma: all links."))};
}

Fields LinkFilterQuery::fields() {
    return {field("domain", &LinkFilterQuery::domain, note("Only links on this domain.")),
            field("slashtag", &LinkFilterQuery::slashtag, trimmed,
                  note("Only links with exactly this slashtag.")),
            field("creator", &LinkFilterQuery::creator, note("Only links that this account made.")),
            field("tag", &LinkFilterQuery::tag, note("Only links that carry this tag.")),
            field("favourite", &LinkFilterQuery::favourite, wire::absent_when("none"),
                  note("true: only favourites; false: only the others; none, as when absent: both.")),
            field("status", &LinkFilterQuery::status, note("Links in which state.")),
            field("dateFrom", &LinkFilterQuery::date_from, formats::date,
                  note("Only links made on this day or later, UTC.")),
            field("dateTo", &LinkFilterQuery::date_to, formats::date,
                  note("Only links made on this day or before, UTC."))};
}

LinkFilter LinkFilterQuery::filter() const {
    const bool active = has(status.words, StatusWord::active);
    const bool by_words = !status.words.empty();
    return {.domains = domain.id,
            .domain_names = domain.names,
            .slashtag = slashtag,
            .creators = creator.id,
            .tags = tag.id,
            .favourite = favourite,
            .active = by_words ? active : status.active,
            .in_any_state = active && has(status.words, StatusWord::trashed),
            .created_from = date_from,
            .created_until = date_to ? std::optional(date_to->plus_seconds(day_seconds)) : std::nullopt};
}

Fields LinkListQuery::fields() {
    return wire::joined({part(&LinkListQuery::filter),
                         part(&LinkListQuery::page),
                         {field("orderBy", &LinkListQuery::order_by, wire::one_of(link_orders()),
                                note("What the links are sorted by; createdAt when absent."))}});
}

} // namespace slashpost::api
