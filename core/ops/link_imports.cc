#include "core/ops/link_imports.h"

#include "core/access/doors.h"
#include "core/access/limits.h"
#include "core/base/text.h"
#include "core/base/url.h"
#include "core/data/trail.h"
#include "core/ops/destinations.h"
#include "core/ops/domains.h"
#include "core/ops/external_ids.h"
#include "core/ops/link_labels.h"
#include "core/ops/link_parts.h"
#include "core/ops/slashtags.h"
#include "core/ops/tags.h"
#include "core/schema/imports.h"
#include "core/schema/schema.h"
#include "core/schema/store.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace slashpost {

namespace {

constexpr std::string_view made_tag_color = "808080";
constexpr int suffix_max = 1000;

// As if made at `time`. `place` orders those of one millisecond.
LinkId id_made_at(Timestamp time, std::uint16_t place, Random& random) {
    auto id = RawId::first_at(time);
    id.bytes[6] = static_cast<std::uint8_t>(place >> 8);
    id.bytes[7] = static_cast<std::uint8_t>(place & 0xff);
    random.fill(std::span(id.bytes).subspan(8));
    return LinkId(id);
}

Result<std::optional<TagId>> find_tag_named(Context& ctx, std::string_view name) {
    const auto entry = TRY(schema().tags.unique_name.find(ctx.view(), ctx.workspace.id, fold_case(name)));
    return entry ? TagId::from_bytes(*entry) : std::nullopt;
}

// What is wrong with tags by name. Their rows are looked at when they are set.
Result<void> check_tags(const Context& ctx, const std::vector<std::string>& names, Problems& problems) {
    if (names.empty())
        return {};
    TRY(admit_new_tags(ctx));
    if (names.size() > tags_per_link_max)
        problems.add(out_of_range("tags", "must have at most 50 items"));
    if (std::ranges::any_of(names,
                            [](const auto& name) { return count_code_points(name) > tag_name_length_max; }))
        problems.add(invalid_length("tags", 1, tag_name_length_max));
    return {};
}

// What is wrong with its rules, before anything of it is written.
Result<void> check_rules(Context& ctx, const ImportedLink& in, const Link& link) {
    if (in.rules.empty())
        return {};
    if (!ctx.has(Feature::links_rules))
        return feature_not_included(to_string(Feature::links_rules));
    Problems problems;
    if (in.rules.size() > rules_per_link_max)
        problems.add(out_of_range("rules", fmt::format("are more than {}", rules_per_link_max)));
    for (const auto& rule : in.rules) {
        read_conditions(rule.conditions, {}, problems);
        if (rule.destination)
            TRY(check_destination(ctx, link, *rule.destination, problems));
    }
    return problems.result("link");
}

Result<PreparedLink> prepare_once(Context& ctx, const ImportedLink& in) {
    auto problems = in.problems;
    TRY(check_tags(ctx, in.tags, problems));
    auto link = in.link;
    if (in.created_at > ctx.now)
        problems.add(out_of_range("createdAt", "must not lie in the future"));
    link.id = id_made_at(in.created_at, in.place, ctx.random);
    if (in.clicks < 0 || in.clicks > imported_clicks_max)
        problems.add(out_of_range("clicks", "must be 0 to 1,000,000,000,000"));
    auto prepared = TRY(prepare_link(ctx, std::move(link), std::move(problems)));
    TRY(check_rules(ctx, in, prepared.link));
    return prepared;
}

// A link as it is to be made; or what is to become of it instead.
struct Prepared {
    std::optional<PreparedLink> made;
    ImportOutcome otherwise = {};
    std::optional<Link> holder = {}; // of its address; to be overwritten
};

// Nothing is wrong but that another link has its address; and its external id, which is most often the same
// link's.
bool is_taken(const Error& error) {
    const auto in_use = [](std::string_view property) {
        return [code = already_exists(property).code, property](const FieldError& field) {
            return field.code == code && field.property == property;
        };
    };
    const auto address = in_use("slashtag"), external_id = in_use("externalId");
    return error.kind == ErrorKind::invalid && std::ranges::any_of(error.fields, address) &&
           std::ranges::all_of(error.fields,
                               [&](const FieldError& field) { return address(field) || external_id(field); });
}

Result<Domain> domain_of(Context& ctx, const ImportedLink& in) {
    if (!in.link.domain.full_name.empty())
        return find_domain_by_name(ctx, in.link.domain.full_name);
    const auto id = TRY(default_domain(ctx.view()));
    return find_domain(ctx, id.value_or(DomainId()));
}

Result<std::optional<Link>> holder_of(Context& ctx, const Domain& domain, std::string_view slashtag) {
    const auto& links = schema().links;
    return links.find_by(links.short_url, ctx.view(), domain.id, slashtag_key(domain, slashtag));
}

bool is_same(const Context& ctx, const Link& holder, const ImportedLink& in) {
    const auto wanted = destination("destination", in.link.destination, ctx.settings.destination_schemes);
    return holder.workspace == ctx.workspace.id && wanted.has_value() && wanted->stored == holder.destination;
}

Error taken_by(const Link& holder, const ImportedLink& in) {
    auto message = std::string("is already in use");
    if (holder.slashtag != shown_slashtag(in.link.slashtag))
        message = fmt::format("differs only in case from '{}', which is there, and this domain ignores case; "
                              "give it another one, or make the domain mind the case",
                              holder.slashtag);
    return invalid("link", {already_exists("slashtag", message)}).error();
}

// At most so many characters, and bytes, from the beginning of a slashtag, whole ones.
std::string beginning_of(std::string_view slashtag, std::size_t characters, std::size_t bytes) {
    auto out = shown_slashtag(slashtag);
    while (!out.empty() && (out.size() > bytes || count_code_points(out) > characters)) {
        while ((static_cast<unsigned char>(out.back()) & 0xc0U) == 0x80 && out.size() > 1)
            out.pop_back();
        out.pop_back();
    }
    return out;
}

// The same link under the next slashtag that is free, or what has that already.
Result<Prepared> with_suffix(Context& ctx, const ImportedLink& in, const Domain& domain) {
    auto renamed = in;
    for (int number = 2; number <= suffix_max; ++number) {
        const auto suffix = fmt::format("-{}", number);
        const auto room =
            domain.slashtag.length_max - std::min<std::size_t>(suffix.size(), domain.slashtag.length_max);
        renamed.link.slashtag =
            beginning_of(in.link.slashtag, room, slashtag_length_limit - suffix.size()) + suffix;
        const auto holder = TRY(holder_of(ctx, domain, renamed.link.slashtag));
        if (holder && is_same(ctx, *holder, in))
            return Prepared{.made = {},
                            .otherwise = {.error = {}, .fate = ImportOutcome::Fate::same, .link = *holder}};
        if (holder)
            continue;
        auto prepared = prepare_once(ctx, renamed);
        if (prepared.has_value())
            return Prepared{.made = *std::move(prepared)};
        if (!is_taken(prepared.error()))
            return std::unexpected(std::move(prepared).error());
    }
    return invalid(
        "link", {already_exists("slashtag", "is already in use, as are a thousand with a number behind it")});
}

Result<Prepared> prepare_taken(Context& ctx, const ImportedLink& in, OnTaken on_taken, Error error) {
    using Fate = ImportOutcome::Fate;
    const auto domain = TRY(domain_of(ctx, in));
    const auto holder = TRY(holder_of(ctx, domain, in.link.slashtag));
    if (holder && is_same(ctx, *holder, in))
        return Prepared{.made = {}, .otherwise = {.error = {}, .fate = Fate::same, .link = *holder}};
    if (holder)
        error = taken_by(*holder, in);
    switch (on_taken) {
    case OnTaken::refuse:
        break;
    case OnTaken::skip:
        return Prepared{.made = {}, .otherwise = {.error = {}, .fate = Fate::skipped, .link = {}}};
    case OnTaken::suffix:
        return with_suffix(ctx, in, domain);
    case OnTaken::overwrite:
        if (holder && holder->workspace == ctx.workspace.id) {
            Problems problems;
            TRY(admit_external_id(ctx, holder->id, in.link.external_id, problems));
            TRY(problems.result("link"));
            return Prepared{.made = {},
                            .otherwise = {.error = {}, .fate = Fate::overwritten, .link = *holder},
                            .holder = holder};
        }
        break;
    }
    return Prepared{.made = {}, .otherwise = {.error = std::move(error), .taken = true, .link = {}}};
}

Result<Prepared> prepare(Context& ctx, const ImportedLink& in, OnTaken on_taken) {
    auto prepared = prepare_once(ctx, in);
    if (prepared.has_value())
        return Prepared{.made = *std::move(prepared)};
    if (is_taken(prepared.error()))
        return prepare_taken(ctx, in, on_taken, std::move(prepared).error());
    return std::unexpected(std::move(prepared).error());
}

Result<void> attach_tags(Context& ctx, const ImportedLink& in, Link& link) {
    std::vector<TagId> ids;
    ids.reserve(in.tags.size());
    for (const auto& name : in.tags) {
        const auto found = TRY(find_tag_named(ctx, name));
        ids.push_back(found ? *found
                            : TRY(create_tag(ctx, {.name = name, .color = std::string(made_tag_color)})).id);
    }
    Problems problems;
    TRY(set_tags(ctx, link.tags, ids, problems));
    return problems.result("link");
}

// The rules were checked; what fails now leaves a link behind that is not whole, so nothing of the batch may
// stay.
Result<void> make_rules(Context& ctx, const ImportedLink& in, const Link& link) {
    for (const auto& rule : in.rules)
        if (const auto made = create_rule(ctx, TRY(find_link(ctx, link.id)), rule); !made.has_value())
            return malformed(
                fmt::format("the rules of '{}' cannot be made: {}", link.slashtag, made.error().message));
    return {};
}

Result<Link> overwrite(Context& ctx, const ImportedLink& in, const Link& holder) {
    auto changed = holder;
    if (!in.tags.empty())
        TRY(attach_tags(ctx, in, changed));
    LinkChange change;
    change.destination = Change<std::string>::set(in.link.destination);
    change.title = Change<std::string>::of(in.link.title);
    if (!in.link.description.empty())
        change.description = Change<std::string>::set(in.link.description);
    if (in.link.pass_path)
        change.pass_path = Change<bool>::set(true);
    if (!in.tags.empty())
        change.tags = Change<std::vector<TagId>>::set(changed.tags);
    if (!in.link.external_id.empty())
        change.external_id = Change<std::string>::set(in.link.external_id);
    return TRY(update_link(ctx, holder, change)).link;
}

Result<ImportOutcome> import_one(Context& ctx, const ImportedLink& in, OnTaken on_taken,
                                 EarlierClicks& clicks) {
    auto prepared = TRY(prepare(ctx, in, on_taken));
    if (prepared.holder)
        prepared.otherwise.link = TRY(overwrite(ctx, in, *prepared.holder));
    if (!prepared.made)
        return std::move(prepared.otherwise);
    TRY(attach_tags(ctx, in, prepared.made->link));
    auto link = TRY(write_link(ctx, *std::move(prepared.made)));
    TRY(make_rules(ctx, in, link));
    if (in.clicks > 0)
        TRY(clicks.count(ctx.txn(), link, in.clicks));
    return ImportOutcome{.error = {}, .link = std::move(link)};
}

Result<ImportOutcome> check_one(Context& ctx, const ImportedLink& in, OnTaken on_taken) {
    auto prepared = TRY(prepare(ctx, in, on_taken));
    if (prepared.made)
        prepared.otherwise.link = std::move(prepared.made->link);
    return std::move(prepared.otherwise);
}

Result<std::vector<ImportOutcome>> each(std::span<const ImportedLink> links, const auto& one) {
    std::vector<ImportOutcome> out;
    out.reserve(links.size());
    for (const auto& in : links) {
        auto outcome = one(in);
        if (outcome.has_value())
            out.push_back(*std::move(outcome));
        else if (is_about_one_link(outcome.error()))
            out.push_back({.error = std::move(outcome).error()});
        else
            return std::unexpected(std::move(outcome).error());
    }
    return out;
}

} // namespace

bool is_about_one_link(const Error& error) {
    return error.kind == ErrorKind::invalid || error.kind == ErrorKind::refused ||
           error.kind == ErrorKind::not_found;
}

Result<std::vector<ImportOutcome>> check_links(Context& ctx, std::span<const ImportedLink> links,
                                               OnTaken on_taken) {
    return each(links, [&](const auto& in) { return check_one(ctx, in, on_taken); });
}

Result<std::vector<ImportOutcome>> import_links(Context& ctx, std::span<const ImportedLink> links,
                                                OnTaken on_taken) {
    const data::Unfollowed told_at_the_end(ctx.txn()); // of the import, as one event
    EarlierClicks clicks;
    auto out = TRY(each(links, [&](const auto& in) { return import_one(ctx, in, on_taken, clicks); }));
    TRY(clicks.write(ctx.txn()));
    const auto made = std::ranges::count_if(
        out, [](const auto& one) { return !one.error && one.fate == ImportOutcome::Fate::made; });
    TRY(admit_made_links(ctx, made));
    return out;
}

Result<void> check_import_limits(Context& ctx, std::int64_t links, std::span<const std::string> tags) {
    const auto check = [&](Limit limit, std::int64_t more) -> Result<void> {
        if (more == 0 || !limit_of(ctx.plan, limit))
            return {};
        return check_more(ctx, limit, TRY(used_of(ctx.view(), ctx.payer.id, limit)), more);
    };
    std::int64_t missing = 0;
    for (const auto& name : tags)
        missing += TRY(find_tag_named(ctx, name)) ? 0 : 1;
    TRY(check(Limit::tags, missing));
    return check(Limit::links, links);
}

} // namespace slashpost
