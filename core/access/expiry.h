#pragma once
// Links whose time is over. A link's status follows its expires_at without a sweep: an index over what will
// expire next makes "is anything due?" one seek, and only what is due is touched.
#include "core/access/context.h"

namespace slashpost {

Result<bool> links_are_due(data::View& view, Timestamp now);

// Sets the status of at most some hundred links that are due. Call again until none is.
Result<void> expire_due_links(Desk& desk, Timestamp now);

} // namespace slashpost
