#pragma once
// What a path may name, as parameters of handlers: each comes through its door, which also looks at its
// state as the route's guard says (core/access/doors.h).
#include "core/access/doors.h"
#include "http/api/route.h"

namespace slashpost::api {

template <>
struct Argument<Link> {
    static Result<Link> take(Context& ctx, const Input& input) { return find_link(ctx, input.at("link_id")); }
    static void describe(Operation&) {}
};

} // namespace slashpost::api
