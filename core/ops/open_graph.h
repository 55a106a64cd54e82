#pragma once
// The social preview of a link: what networks and chats show of it instead of what its destination says
// (interface 4.1, wire "Parts of a link").
#include "core/access/context.h"
#include "core/base/errors.h"
#include "core/model/link.h"
#include "core/model/link_parts.h"

namespace slashpost {

// Nothing when the link has none of its own.
Result<std::optional<OpenGraph>> open_graph_of_link(Context& ctx, const Link& link);
// What is empty in `wanted` is empty then. Its image may be any http or https address.
Result<OpenGraph> set_open_graph(Context& ctx, const Link& link, OpenGraph wanted, Problems problems = {});
// Succeeds when there is none.
Result<void> delete_open_graph(Context& ctx, const Link& link);

} // namespace slashpost
