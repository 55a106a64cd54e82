#pragma once
// The social preview of a link: what networks and chats show of it instead of what its destination says
// (interface 4.1, wire "Parts of a link").
#include "core/access/context.h"
#include "core/base/change.h"
#include "core/base/errors.h"
#include "core/model/link.h"
#include "core/model/link_parts.h"

namespace slashpost {

// Nothing when the link has none of its own.
Result<std::optional<OpenGraph>> open_graph_of_link(Context& ctx, const Link& link);

struct OpenGraphChange {
    Change<std::string> title;
    Change<std::string> description;
    Change<std::string> image; // any http or https address
    Change<std::string> type;
    Change<std::string> locale;
};
// What it is then. Nothing is made where there is none and the change sets nothing.
Result<std::optional<OpenGraph>> change_open_graph(Context& ctx, const Link& link,
                                                   const OpenGraphChange& change, Problems problems = {});
// Succeeds when there is none.
Result<void> delete_open_graph(Context& ctx, const Link& link);

} // namespace slashpost
