#pragma once
// The caller's account, for whoever answers with it besides the route.
#include "core/access/context.h"

namespace slashpost::api {

// What GET /account answers, as JSON.
Result<std::string> account_json(Context& ctx);

} // namespace slashpost::api
