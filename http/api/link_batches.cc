// Several links in one call (interface 4.1 and 4.6, wire "Link"): routes, shapes, handlers.
#include "core/ops/link_batches.h"

#include "http/api/link_shapes.h"
#include "http/api/path_resource.h"
#include "http/api/replies.h"
#include "http/api/routes.h"

#include <algorithm>
#include <charconv>

namespace slashpost::api {

namespace {

using wire::field;

using LinksBody = Draft<Body<std::vector<LinkInput>>>;

struct BatchReply {
    std::int64_t count = 0;
    std::vector<LinkReply> links;
    static constexpr std::string_view wire_name = "LinkBatch";
    static wire::Fields fields() {
        return {field("count", &BatchReply::count, wire::note("How many links were made.")),
                field("links", &BatchReply::links,
                      wire::note("The links, in the order in which they were sent."))};
    }
};

struct DeleteInput {
    std::vector<wire::Reference> links;
    static constexpr std::string_view wire_name = "LinkDeletion";
    static wire::Fields fields() {
        return {field("links", &DeleteInput::links, wire::required, wire::items_max(batch_links_max),
                      wire::note("Ids of the links; one that is named twice counts once."))};
    }
};

// Problems by item: "[3].slashtag" is a problem of the fourth, on its slashtag.
std::vector<Problems> by_item(const Problems& problems, std::size_t items) {
    std::vector<Problems> out(items);
    for (auto problem : problems.fields()) {
        auto& property = problem.property;
        const auto end = property.find(']');
        std::size_t item = 0;
        std::from_chars(property.data() + 1, property.data() + end, item);
        property.erase(0, std::min(end + 2, property.size()));
        out.at(item).add(std::move(problem));
    }
    return out;
}

Result<std::vector<LinkReply>> create_up_to(Context& ctx, const LinksBody& body, std::size_t count_max) {
    const auto& inputs = *body;
    if (inputs.empty()) // nothing was read, perhaps for a reason
        TRY(body.problems.result("link"));
    auto problems = by_item(body.problems, inputs.size());
    std::vector<LinkDraft> drafts;
    drafts.reserve(inputs.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        auto link = inputs[i].to_new_link(problems[i]);
        drafts.push_back({.link = std::move(link), .problems = std::move(problems[i])});
    }
    std::vector<LinkReply> out;
    out.reserve(drafts.size());
    for (const auto& details : TRY(create_links(ctx, drafts, count_max)))
        out.push_back(LinkReply::of(details));
    return out;
}

BatchReply counted(std::vector<LinkReply> links) {
    const auto count = std::ssize(links);
    return {.count = count, .links = std::move(links)};
}

// The interface states no maximum for PUT; there is one all the same.
std::size_t put_max(const Context& ctx) { return std::max(batch_links_max, ctx.settings.bulk_links_max); }

Result<BatchReply> post_bulk(Context& ctx, const LinksBody& body) {
    return counted(TRY(create_up_to(ctx, body, ctx.settings.bulk_links_max)));
}

Result<BatchReply> put_bulk(Context& ctx, const LinksBody& body) {
    return counted(TRY(create_up_to(ctx, body, put_max(ctx))));
}

Result<std::vector<LinkReply>> put_links(Context& ctx, const LinksBody& body) {
    return create_up_to(ctx, body, put_max(ctx));
}

Result<CountReply> remove(Context& ctx, const Body<DeleteInput>& body) {
    std::vector<std::string> ids;
    ids.reserve(body->links.size());
    for (const auto& link : body->links)
        ids.push_back(link.id);
    return CountReply{.count = TRY(delete_links(ctx, ids))};
}

} // namespace

const RouteList& link_batch_routes() {
    using enum http::Method;
    using enum Role;
    constexpr auto write = Access::write;
    constexpr auto bulk = Feature::links_bulk;
    constexpr auto extended = WorkspaceTypes::extended;
    constexpr auto links = LimitedKeys::links;
    // clang-format off
    static const RouteList routes{"link", {
        {post, "/links/bulk", "createLinksInBulk",
         {.access = write, .role = guest, .feature = bulk, .types = extended, .limited_keys = links},
         on(post_bulk),
         "Create several links, all or none: at most 10, unless the operator says otherwise.",
         {"FeatureNotIncluded", "WrongWorkspaceType", "RevokedDomain", "LimitReached", "NotFound domain"}},
        {put,  "/links/bulk", "putLinksInBulk",
         {.access = write, .role = guest, .feature = bulk, .types = extended, .limited_keys = links},
         on(put_bulk),
         "Create several links, all or none: at most 100, or as many as POST may if that is more.",
         {"FeatureNotIncluded", "WrongWorkspaceType", "RevokedDomain", "LimitReached", "NotFound domain"}},
        {put,  "/links", "createLinks",
         {.access = write, .role = guest, .feature = bulk, .limited_keys = links}, on(put_links),
         "Create several links, all or none, in a workspace of any type: as many as PUT /links/bulk.",
         {"FeatureNotIncluded", "WrongWorkspaceType", "RevokedDomain", "LimitReached", "NotFound domain"}},
        {del,  "/links", "deleteLinks",
         {.access = write, .role = guest, .feature = bulk, .link = LinkState::live,
          .place = LinkDomain::any_domain, .limited_keys = links},
         on(remove),
         "Delete several links, all or none.",
         {"NotFound link"}},
    }};
    // clang-format on
    return routes;
}

} // namespace slashpost::api
