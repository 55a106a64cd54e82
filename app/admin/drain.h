#pragma once
// Before a server is taken away: what it has not counted yet.
#include "app/admin/admin_context.h"

namespace slashpost::admin {

// Counts every click that the server has taken, and says how many came meanwhile; the answer is
// exit_findings when there are some. If it `leaves`, the server says at /readyz that it is to be sent no more
// visitors, and the command waits until none has come for some seconds, a minute at most.
Result<int> drain(AdminContext& context, bool leaves, Console& console);

} // namespace slashpost::admin
