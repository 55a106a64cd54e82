#pragma once
// What a web address given by a user may be, and the form in which it is stored (wire "Link", Destination).
//
// An address is read as a browser reads it (the URL Standard, url.spec.whatwg.org), so that every http or
// https address a browser opens is accepted, "https:\\host/a b" too. The stored form is as given except where
// a URI forbids it: it is printable ASCII without white space, safe in a Location header, and a browser
// opens the same page for both. Two addresses may be equal to a browser and yet be stored differently.
#include "core/base/result.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace slashpost {

// Of the stored form, as it stands in a Location header: so many bytes of it at most. Every client and server
// on the way takes an address as long as this.
inline constexpr std::size_t destination_length_max = 2'048;
// Older stores may have longer ones, of as many characters, of four bytes each, each escaped.
inline constexpr std::size_t destination_bytes_max = destination_length_max * 4 * 3;

struct Destination {
    std::string stored;
    // With its port, as host_and_port() makes it: to compare with our own domains' names. Empty for a scheme
    // whose addresses name none (core/base/hostless.h).
    std::string host;
};

// Whether destinations may have `scheme` when the operator says so: a scheme by its form, and none of those
// that run or show something inside the browser instead of going somewhere (javascript:, data:, file: ...).
[[nodiscard]] bool may_allow_scheme(std::string_view scheme);
// Whether an operator may set it. Not those that browsers go to from no link, or that name a part of a
// message.
[[nodiscard]] bool may_set_scheme(std::string_view scheme);

// A stored address as people read and type it: its host in Unicode, its escapes undone. The result may hold
// any byte.
[[nodiscard]] std::string readable_address(std::string_view stored);

// Reads `given` as the value of the field `property`. Schemes are http, https and `more_schemes` (in lower
// case), as far as may_allow_scheme() holds. The stored form has at most `bytes_max` bytes. Fails with
// RequiredField when nothing is given, with InvalidLength, or with InvalidFormat and a message that begins
// with "is not a valid URL". destination(p, destination(p, x)->stored)->stored is destination(p, x)->stored.
[[nodiscard]] std::expected<Destination, FieldError>
destination(std::string_view property, std::string_view given, std::span<const std::string> more_schemes = {},
            std::size_t bytes_max = destination_length_max);

} // namespace slashpost
