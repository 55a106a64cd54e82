#include "core/ops/deep_links.h"

#include "core/access/doors.h"
#include "core/base/percent.h"
#include "core/base/text.h"
#include "core/ops/link_parts.h"

#include <algorithm>

namespace slashpost {

namespace {

// The stored form: URI characters only. No "#", because in an address for Android what follows one says which
// app to open and where to go without it.
std::string read_path(std::string_view given, Problems& problems) {
    const auto path = trim(given);
    std::string out;
    if (path.find('#') != path.npos || has_control(path))
        problems.add(invalid_format("path", "must have no # and no control characters"));
    else
        append_uri_text(out, path);
    if (path.empty())
        problems.add(required_field("path"));
    return out;
}

template <class Keep>
Result<void> erase_unless(Context& ctx, const Link& link, const Keep& keep) {
    auto parts = TRY(parts_of(ctx.view(), link));
    if (std::erase_if(parts.deep_links, [&](const DeepLink& one) { return !keep(one); }) == 0)
        return {};
    return store_parts(ctx, link, parts);
}

} // namespace

Result<App> find_app(std::string_view id) {
    const auto* const app = find_known_app(id);
    if (app == nullptr)
        return not_found("app", id);
    return *app;
}

Result<std::vector<DeepLink>> deep_links_of_link(Context& ctx, const Link& link) {
    return TRY(parts_of(ctx.view(), link)).deep_links;
}

Result<DeepLink> set_deep_link(Context& ctx, const Link& link, const App& app, const DeepLinkInput& in,
                               Problems problems) {
    DeepLink deep{.app = std::string(app.id), .path = {}, .active = in.active, .unknown = {}};
    if (!in.path.empty())
        deep.path = read_path(in.path, problems);
    TRY(problems.result("app"));
    auto parts = TRY(parts_of(ctx.view(), link));
    const auto old = std::ranges::find(parts.deep_links, deep.app, &DeepLink::app);
    if (old != parts.deep_links.end())
        *old = deep;
    else
        parts.deep_links.push_back(deep);
    TRY(store_parts(ctx, link, parts));
    return deep;
}

Result<void> delete_deep_link(Context& ctx, const Link& link, const App& app) {
    return erase_unless(ctx, link, [&](const DeepLink& one) { return one.app != app.id; });
}

Result<void> delete_all_deep_links(Context& ctx, const Link& link) {
    return erase_unless(ctx, link, [](const DeepLink&) { return false; });
}

} // namespace slashpost
