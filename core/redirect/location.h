#pragma once
// Putting together the address that a visitor is sent to, safe to stand in a header whatever came in: the
// result has no control characters, no spaces and nothing outside ASCII.
#include <string>
#include <string_view>

namespace slashpost::redirect {

// Appends `address`, escaping the bytes that must not stand in a header.
void append_location(std::string& out, std::string_view address);

// A parameter that this service adds, and nobody else: what visitors send under its name is not passed on.
// Both can stand in a query as they are.
struct OwnParameter {
    std::string_view name;
    std::string_view value; // empty: not this time, the destination's own stays if it has one
};

// Appends `destination` with the visitor's query added to its own, in front of its fragment. A parameter
// whose name the destination has itself is left out; names are compared undone of escapes ('+' is a space).
// An API key that somebody put into the query is never passed on, nor the mark of a QR code.
// `own`, if any, comes last, and takes the place of what the destination has under that name: an address that
// somebody copied after having followed a link must not put all further visits down to theirs.
void append_forwarded(std::string& out, std::string_view destination, std::string_view query,
                      const OwnParameter* own = nullptr);

} // namespace slashpost::redirect
