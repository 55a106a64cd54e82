// Social previews of links (interface 4.1): shapes, routes, and handlers of one core call each.
#include "core/ops/open_graph.h"
#include "http/api/path_resource.h"
#include "http/api/replies.h"
#include "http/api/routes.h"
#include "http/wire/formats.h"

namespace slashpost::api {

using wire::empty_clears, wire::example, wire::field, wire::length, wire::note;
using wire::Fields;
namespace formats = wire::formats;

namespace {

constexpr std::size_t title_length_max = 255;
constexpr std::size_t description_length_max = 2000;

struct OpenGraphInput {
    Change<std::string> title;
    Change<std::string> description;
    Change<std::string> image;
    Change<std::string> type;
    Change<std::string> locale;
    static constexpr std::string_view wire_name = "OpenGraphInput";
    static Fields fields() {
        return {
            field("title", &OpenGraphInput::title, empty_clears, length(0, title_length_max),
                  note("Title of the preview. What is absent, here and below, stays as it is; an empty text "
                       "takes it away."),
                  example("Summer sale")),
            field("description", &OpenGraphInput::description, empty_clears,
                  length(0, description_length_max), note("What stands below the title.")),
            field("image", &OpenGraphInput::image, empty_clears, formats::uri,
                  note("Address of the picture, http or https."), example("https://example.com/sale.png")),
            field("type", &OpenGraphInput::type, empty_clears, formats::open_graph_type,
                  note("What kind of thing is shown, such as website."), example("website")),
            field("locale", &OpenGraphInput::locale, empty_clears, formats::locale,
                  note("The language of the preview, such as en_US."), example("en_US"))};
    }
    [[nodiscard]] OpenGraphChange to_change() const {
        return {.title = title, .description = description, .image = image, .type = type, .locale = locale};
    }
};

// All five, or none of them.
struct OpenGraphReply {
    std::optional<std::string> title;
    std::optional<std::string> description;
    std::optional<std::string> image;
    std::optional<std::string> type;
    std::optional<std::string> locale;
    static constexpr std::string_view wire_name = "OpenGraph";
    static Fields fields() {
        return {
            field("title", &OpenGraphReply::title,
                  note("Title of the preview. All five are there, or none.")),
            field("description", &OpenGraphReply::description, note("What stands below the title.")),
            field("image", &OpenGraphReply::image, note("Address of the picture.")),
            field("type", &OpenGraphReply::type, note("What kind of thing is shown, such as website.")),
            field("locale", &OpenGraphReply::locale, note("The language of the preview, such as en_US."))};
    }
    static OpenGraphReply of(const std::optional<OpenGraph>& graph) {
        if (!graph)
            return {};
        return {.title = graph->title,
                .description = graph->description,
                .image = graph->image,
                .type = graph->type,
                .locale = graph->locale};
    }
};

Result<OpenGraphReply> read(Context& ctx, const Link& link) {
    return OpenGraphReply::of(TRY(open_graph_of_link(ctx, link)));
}

Result<OpenGraphReply> write(Context& ctx, const Link& link, const Update<OpenGraphInput>& sent) {
    auto now = TRY(read(ctx, link));
    if (!TRY(may_change(ctx, link, sent, now)))
        return now;
    const auto body = TRY(sent.differing_from(now));
    return OpenGraphReply::of(TRY(change_open_graph(ctx, link, body->to_change(), body.problems)));
}

Result<EmptyReply> remove(Context& ctx, const Link& link) {
    TRY(delete_open_graph(ctx, link));
    return EmptyReply{};
}

} // namespace

const RouteList& link_opengraph_routes() {
    using enum http::Method;
    using enum Role;
    constexpr auto types = WorkspaceTypes::classic_or_gallery;
    constexpr auto live = LinkState::live;
    constexpr auto links = LimitedKeys::links;
    // clang-format off
    static const RouteList routes{"opengraph", {
        {get,  "/links/{link_id}/opengraph", "getOpenGraph", {.role = viewer, .types = types, .link = live, .limited_keys = links},
         on(read),
         "Read the social preview of a link; {} when it has none of its own."},
        {post, "/links/{link_id}/opengraph", "setOpenGraph",
         {.access = Access::write, .role = guest, .feature = Feature::links_opengraph,
          .types = types, .link = live, .domain = DomainState::in_force,
          .place = LinkDomain::shared_domain_to_change, .limited_keys = links}, on(write),
         "Change the social preview of a link, which gets one of its own if need be.",
         {"LimitReached"}},
        {del,  "/links/{link_id}/opengraph", "deleteOpenGraph",
         {.access = Access::write, .role = guest, .link = live, .limited_keys = links}, on(remove),
         "Delete the social preview of a link; that of its destination is shown again."},
    }};
    // clang-format on
    return routes;
}

} // namespace slashpost::api
