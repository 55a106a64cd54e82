#pragma once
// Addresses that name no host but a person, a place or a thing: "tel:+49301234", "geo:52.5,13.4". What opens
// them is an app, which trusts what it is given; so what each may contain is looked at here.
#include <expected>
#include <string>
#include <string_view>

namespace slashpost {

// Whether the addresses of `scheme`, in lower case, name no host.
[[nodiscard]] bool names_no_host(std::string_view scheme);

// What is wrong with `rest`, which stands behind "scheme:" and is UTF-8 without line breaks, as the end of
// the sentence "is not a valid URL: ..."; nothing when it is fine. `scheme` is one of those, in lower case.
[[nodiscard]] std::expected<void, std::string> check_hostless(std::string_view scheme, std::string_view rest);

} // namespace slashpost
