#pragma once
// Deep links: where in an app a link leads people who have it (interface 4.6, wire "Parts of a link"). Which
// apps there are: core/model/apps.h.
#include "core/access/context.h"
#include "core/base/errors.h"
#include "core/model/apps.h"
#include "core/model/link.h"
#include "core/model/link_parts.h"

namespace slashpost {

inline constexpr std::size_t deep_link_path_length_max = 2048;

// A known app by its id as sent in a path.
Result<App> find_app(std::string_view id);

struct DeepLinkInput {
    std::string path; // what follows the app's "scheme://": "user?username=ada"
    bool active = true;
};

// In the order of adding.
Result<std::vector<DeepLink>> deep_links_of_link(Context& ctx, const Link& link);
// The app's only one of this link, new or in place of the old one.
Result<DeepLink> set_deep_link(Context& ctx, const Link& link, const App& app, const DeepLinkInput& in,
                               Problems problems = {});
// Both succeed when there is none.
Result<void> delete_deep_link(Context& ctx, const Link& link, const App& app);
Result<void> delete_all_deep_links(Context& ctx, const Link& link);

} // namespace slashpost
