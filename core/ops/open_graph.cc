#include "core/ops/open_graph.h"

#include "core/access/doors.h"
#include "core/base/url.h"
#include "core/ops/link_parts.h"

namespace slashpost {

Result<std::optional<OpenGraph>> open_graph_of_link(Context& ctx, const Link& link) {
    return TRY(parts_of(ctx.view(), link)).open_graph;
}

Result<OpenGraph> set_open_graph(Context& ctx, const Link& link, OpenGraph wanted, Problems problems) {
    if (!wanted.image.empty()) {
        auto image = destination("image", wanted.image);
        if (image.has_value())
            wanted.image = std::move(image->stored);
        else
            problems.add(std::move(image).error());
    }
    TRY(problems.result("opengraph"));
    auto parts = TRY(parts_of(ctx.view(), link));
    parts.open_graph = wanted;
    TRY(store_parts(ctx, link, parts));
    return wanted;
}

Result<void> delete_open_graph(Context& ctx, const Link& link) {
    auto parts = TRY(parts_of(ctx.view(), link));
    if (!parts.open_graph)
        return {};
    parts.open_graph.reset();
    return store_parts(ctx, link, parts);
}

} // namespace slashpost
