// Links by what a system of the workspace's own calls them (core/ops/external_ids.h). A PUT makes the link or
// changes it, so that such a system need not know which, nor keep our ids.
#include "core/access/doors.h"
#include "core/base/errors.h"
#include "http/api/link_shapes.h"
#include "http/api/path_parameters.h"
#include "http/api/path_resource.h"
#include "http/api/routes.h"

#include <algorithm>

namespace slashpost::api {

// The link that has the external id of the path.
struct LinkByExternalId {
    Link link;
};
template <>
struct Argument<LinkByExternalId> {
    static Result<LinkByExternalId> take(Context& ctx, const Input& input) {
        const auto external_id = input.at(external_id_parameter);
        auto link = TRY(find_link_by_external_id(ctx, external_id));
        if (!link)
            return not_found("link", external_id);
        return LinkByExternalId{*std::move(link)};
    }
    static void describe(Operation&) {}
};

// The external id of the path, and the link that has it, if there is one.
struct ExternalIdOfPath {
    std::string text;
    std::optional<Link> link;
};
template <>
struct Argument<ExternalIdOfPath> {
    static Result<ExternalIdOfPath> take(Context& ctx, const Input& input) {
        const auto external_id = input.at(external_id_parameter);
        auto link = TRY(find_link_by_external_id(ctx, external_id));
        // As for Argument<Link>.
        if (link && !input.body.has_value())
            TRY(need_shared(ctx, *link));
        return ExternalIdOfPath{.text = std::string(external_id), .link = std::move(link)};
    }
    static void describe(Operation&) {}
};

namespace {

// Of a link that is there: what the body of a creation may say, which is all of a change but `active`. Who
// sends that body twice is to get the same link twice.
struct LinkPutChange {
    LinkChangeInput said;
    static constexpr std::string_view wire_name = "LinkPutChange";
    static wire::Fields fields() {
        auto out = wire::part(&LinkPutChange::said);
        std::erase_if(out, [](const wire::Field& field) { return field.name == "active"; });
        return out;
    }
};

// `said` is what the body has; empty: nothing.
void check_external_id_of_path(std::string_view said, const ExternalIdOfPath& named, Problems& problems) {
    if (!said.empty() && said != named.text)
        problems.add(invalid_format("externalId", "is another one than the address of the call has"));
}

Result<LinkReply> make_named(Context& ctx, const ExternalIdOfPath& named, const wire::Tree& body) {
    Problems problems;
    const auto input = TRY(wire::decode<LinkInput>(body, problems));
    auto link = input.to_new_link(problems);
    check_external_id_of_path(link.external_id, named, problems);
    link.external_id = named.text;
    return LinkReply::of(TRY(create_link(ctx, std::move(link), std::move(problems))));
}

// What a creation needs is needed here, too: who sends a body does not know whether the link is there.
Result<bool> lacks_destination(const wire::Tree& body) {
    Problems problems;
    TRY(wire::decode<LinkInput>(body, problems));
    return std::ranges::find(problems.fields(), required_field("destination")) != problems.fields().end();
}

Result<LinkReply> change_named(Context& ctx, const ExternalIdOfPath& named, const wire::Tree& body) {
    const auto& link = *named.link;
    const Update<LinkPutChange> sent{.body = body};
    auto now = LinkReply::of(TRY(describe_link(ctx, link)));
    const bool lacks = TRY(lacks_destination(body));
    const bool is_so_already = !TRY(may_change(ctx, link, sent, now)) || sent.is_as(now);
    if (is_so_already && !lacks)
        return now;
    const auto draft = TRY(sent.differing_from(now));
    auto problems = draft.problems;
    auto change = draft->said.to_change(problems);
    if (lacks)
        problems.add(required_field("destination"));
    if (change.external_id.is_set())
        check_external_id_of_path(change.external_id.value(), named, problems);
    change.external_id = Change<std::string>::keep();
    return LinkReply::of(TRY(update_link(ctx, link, change, std::move(problems))));
}

Result<LinkReply> read_named(Context& ctx, const LinkByExternalId& named) {
    return LinkReply::of(TRY(describe_link(ctx, named.link)));
}

Result<LinkReply> put_named(Context& ctx, const ExternalIdOfPath& named, const Update<LinkInput>& sent) {
    return named.link ? change_named(ctx, named, sent.body) : make_named(ctx, named, sent.body);
}

Result<LinkReply> remove_named(Context& ctx, const LinkByExternalId& named) {
    return LinkReply::of(TRY(delete_link(ctx, named.link)));
}

} // namespace

const RouteList& link_external_id_routes() {
    using enum http::Method;
    using enum Role;
    constexpr auto write = Access::write;
    constexpr auto links = LimitedKeys::links;
    // clang-format off
    static const RouteList routes{"link", {
        {get, "/links/by-external-id/{external_id}", "getLinkByExternalId", {.role = viewer, .limited_keys = links}, on(read_named),
         "Read the link that has an external id."},
        {put, "/links/by-external-id/{external_id}", "putLinkByExternalId",
         {.access = write, .role = guest, .place = LinkDomain::shared_domain_to_change, .limited_keys = links}, on(put_named),
         "Make the link that has an external id, or change it to what the body says; what that leaves out stays as it is.",
         {"FeatureNotIncluded", "WrongWorkspaceType", "WrongLinkType", "RevokedDomain", "LimitReached", "NotFound domain"}},
        {del, "/links/by-external-id/{external_id}", "deleteLinkByExternalId",
         {.access = write, .role = guest, .place = LinkDomain::any_domain, .limited_keys = links}, on(remove_named),
         "Delete the link that has an external id; it stops redirecting, and the external id is free."},
    }};
    // clang-format on
    return routes;
}

} // namespace slashpost::api
