#pragma once
// Destinations of links: what core/base/url.h says of any address, and that none of this server's own short
// addresses leads back to itself (wire "Link").
#include "core/access/context.h"
#include "core/base/errors.h"
#include "core/model/link.h"

namespace slashpost {

// The stored form of `given`. Adds a problem on `property` and answers an empty text when it is no valid
// destination of `link`, which need not be stored yet but has its domain and slashtag.
Result<std::string> check_destination(Context& ctx, const Link& link, std::string_view given,
                                      Problems& problems, std::string_view property = "destination");

} // namespace slashpost
