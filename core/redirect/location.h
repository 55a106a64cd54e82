#pragma once
// Putting together the address that a visitor is sent to, safe to stand in a header whatever came in: the
// result has no control characters, no spaces and nothing outside ASCII.
#include "core/model/forwarding.h"
#include "core/redirect/redirector.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace slashpost::redirect {

// Appends `address`, escaping the bytes that must not stand in a header.
void append_location(std::string& out, std::string_view address);
// Of http or https. Other schemes open an app, which expects no parameter of ours.
[[nodiscard]] bool is_web(std::string_view destination);

// A parameter that this service adds, and nobody else: what visitors send under its name is not passed on.
// Both can stand in a query as they are.
struct OwnParameter {
    std::string_view name;
    std::string_view value; // empty: not this time, the destination's own stays if it has one
};

// Whether an address, with a parameter of this service, has room in a Location.
[[nodiscard]] inline bool has_room(std::string_view address) {
    constexpr std::size_t own_parameter_bytes_max = 256;
    return address.size() <= own_location_bytes_max - own_parameter_bytes_max;
}

// Appends `destination` with the visitor's query added to its own, in front of its fragment. Where both have
// a parameter of one name, `wins` says which of them stays; names are compared undone of escapes ('+' is a
// space). Of the visitor's those that would make it longer than location_bytes_max are left out, whole, from
// the end. An address that names no host is sent as it is. An API key that somebody put into the query is
// never passed on, nor the mark of a QR code. `own`, if any, comes last, and takes the place of what the
// destination has under that name: an address that somebody copied after having followed a link must not put
// all further visits down to theirs.
void append_forwarded(std::string& out, std::string_view destination, std::string_view query,
                      OnConflict wins = OnConflict::destination, const OwnParameter* own = nullptr);

// Appends `address`, which says what is not found by "%7Bpath%7D" and "%7Bdomain%7D" in it (a stored address
// has no braces): the path that was asked for, as sent, without its slash, and the domain's name. In a query
// each stands as a value of its own. What would make it longer than own_location_bytes_max is left out.
void append_missing_place(std::string& out, std::string_view address, std::string_view domain,
                          std::string_view path);

} // namespace slashpost::redirect
