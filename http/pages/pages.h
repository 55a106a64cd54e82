#pragma once
// Pages that stand in front of a destination (core/redirect/page.h), as whole replies.
//
// Every field that a member or a stranger can fill is escaped here, and no page runs or loads anything but
// what its own Content-Security-Policy names. The text of a link's scripts is an exception by its nature: it
// is sent as escaped data, so that it cannot break out of its place, and the page's own script makes scripts
// with the page's nonce of it. That script goes on to the destination as soon as they have been started and
// what they asked for at once is there, and in any case within two seconds.
#include "core/redirect/page.h"
#include "http/server/message.h"

#include <string_view>

namespace slashpost::http {

// `location` is where the page leads, safe in a header; `query` is the visitor's, which a QR code reads.
Reply render_page(const redirect::Page& page, std::string_view location, std::string_view query);

} // namespace slashpost::http
