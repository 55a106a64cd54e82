#pragma once
// Putting together the address that a visitor is sent to, safe to stand in a header whatever came in: the
// result has no control characters, no spaces and nothing outside ASCII.
#include <string>
#include <string_view>

namespace slashpost::redirect {

// Appends `address`, escaping the bytes that must not stand in a header.
void append_location(std::string& out, std::string_view address);

// Appends `destination` with the visitor's query added to its own, in front of its fragment. A parameter
// whose name the destination has itself is left out; names are compared undone of escapes ('+' is a space).
// An API key that somebody put into the query is never passed on.
void append_forwarded(std::string& out, std::string_view destination, std::string_view query);

} // namespace slashpost::redirect
