#include "core/ops/open_graph.h"

#include "core/access/doors.h"
#include "core/base/url.h"
#include "core/ops/link_parts.h"

namespace slashpost {

Result<std::optional<OpenGraph>> open_graph_of_link(Context& ctx, const Link& link) {
    return TRY(parts_of(ctx.view(), link)).open_graph;
}

Result<std::optional<OpenGraph>> change_open_graph(Context& ctx, const Link& link,
                                                   const OpenGraphChange& change, Problems problems) {
    auto parts = TRY(parts_of(ctx.view(), link));
    auto graph = parts.open_graph.value_or(OpenGraph{});
    change.title.apply_to(graph.title);
    change.description.apply_to(graph.description);
    change.type.apply_to(graph.type);
    change.locale.apply_to(graph.locale);
    if (change.image.is_clear())
        graph.image.clear();
    if (change.image.is_set()) {
        auto image = destination("image", change.image.value());
        if (image.has_value())
            graph.image = std::move(image->stored);
        else
            problems.add(std::move(image).error());
    }
    TRY(problems.result("opengraph"));
    const bool sets = change.title.is_set() || change.description.is_set() || change.image.is_set() ||
                      change.type.is_set() || change.locale.is_set();
    if (!parts.open_graph && !sets)
        return std::optional<OpenGraph>();
    parts.open_graph = graph;
    TRY(store_parts(ctx, link, parts));
    return std::optional(std::move(graph));
}

Result<void> delete_open_graph(Context& ctx, const Link& link) {
    auto parts = TRY(parts_of(ctx.view(), link));
    if (!parts.open_graph)
        return {};
    parts.open_graph.reset();
    return store_parts(ctx, link, parts);
}

} // namespace slashpost
