// Search for links (interface 4.1, wire "Lists"): routes, shapes, handlers. A search is a query string or a
// body of the same names.
#include "core/ops/link_search.h"

#include "http/api/link_shapes.h"
#include "http/api/path_resource.h"
#include "http/api/replies.h"
#include "http/api/routes.h"

namespace slashpost::api {

namespace {

using wire::field, wire::note, wire::part;

struct FoundQuery {
    std::string term;
    LinkFilterQuery filter;
    static constexpr std::string_view wire_name = "LinkSearchTerm";
    static wire::Fields fields() {
        return wire::joined(
            {{field("term", &FoundQuery::term, wire::required, wire::length(search_term_min, search_term_max),
                    wire::example("spring"),
                    note("What to look for in slashtag, title and destination, ignoring case and accents; or "
                         "a short address."))},
             part(&FoundQuery::filter)});
    }
    [[nodiscard]] LinkSearch search() const { return {.term = term, .filter = filter.filter()}; }
};

struct SearchQuery {
    FoundQuery found;
    std::uint32_t limit = page_limit_default;
    std::uint32_t offset = 0;
    std::string last;
    static constexpr std::string_view wire_name = "LinkSearch";
    static wire::Fields fields() {
        return wire::joined(
            {part(&SearchQuery::found),
             {field("limit", &SearchQuery::limit, wire::clamped(1, page_limit_max),
                    note("How many to answer at most: 25 when absent; above 100 means 100.")),
              field("offset", &SearchQuery::offset, wire::range(0, page_offset_max),
                    note("How many to skip; prefer last.")),
              field("last", &SearchQuery::last,
                    note("Id of the last item of the page before; the answer goes on behind it."))}});
    }
};

template <class Part> // a Query or Body
Result<std::vector<LinkReply>> search(Context& ctx, const Draft<Part>& input) {
    std::vector<LinkReply> out;
    for (const auto& details : TRY(search_links(
             ctx, input->found.search(),
             {.limit = input->limit, .offset = input->offset, .order_by = {}, .last = input->last},
             input.problems)))
        out.push_back(LinkReply::of(details));
    return out;
}

template <class Part>
Result<CountReply> count(Context& ctx, const Draft<Part>& input) {
    return CountReply{.count = TRY(count_found_links(ctx, input->search(), input.problems))};
}

} // namespace

const RouteList& link_search_routes() {
    using enum http::Method;
    using enum Role;
    constexpr auto links = LimitedKeys::links;
    // clang-format off
    static const RouteList routes{"link", {
        {get,  "/links/search", "searchLinks", {.role = viewer, .limited_keys = links}, on(search<Query<SearchQuery>>),
         "Search for links: best first, which is by slashtag, then title, then destination; then newest first."},
        {post, "/links/search", "searchLinksByBody", {.role = viewer, .limited_keys = links}, on(search<Body<SearchQuery>>),
         "The same as GET /links/search."},
        {get,  "/links/search/count", "countFoundLinks", {.role = viewer, .limited_keys = links}, on(count<Query<FoundQuery>>),
         "Count the links that a search finds."},
        {post, "/links/search/count", "countFoundLinksByBody", {.role = viewer, .limited_keys = links}, on(count<Body<FoundQuery>>),
         "The same as GET /links/search/count."},
    }};
    // clang-format on
    return routes;
}

} // namespace slashpost::api
