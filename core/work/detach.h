#pragma once
// Takes a tag or a script that was erased off the links that carry it, some hundred links at a time.
//
// Once its row is erased nothing can attach it any more, because attaching reads that row in the same
// transaction; so when an index holds no link of it, none will come.
#include "core/access/context.h"

namespace slashpost {

// One batch; true when no link of the workspace carries the tag any more. A link is not "updated" by this:
// to everybody the tag left it when the tag was erased.
Result<bool> take_tag_off_links(SystemContext& system, WorkspaceId workspace, TagId tag);
Result<bool> take_script_off_links(SystemContext& system, ScriptId script);

} // namespace slashpost
