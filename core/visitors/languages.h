#pragma once
// What a browser says of its user's languages: the header Accept-Language with its quality values (RFC 9110,
// 12.5.4).
#include <string_view>

namespace slashpost::redirect {

// The language that the visitor likes best, as it stands in the header ("de-AT"); of equals the first. Empty
// when none is wanted: an absent or malformed header, "*", qualities of 0. Looks at its beginning only.
[[nodiscard]] std::string_view preferred_language(std::string_view accept_language) noexcept;

// Whether a language is one of `range`, in any case: "de" takes in "de" and "de-AT", "de-at" only itself and
// what begins with it (RFC 4647, basic filtering). `range` is in lower case.
[[nodiscard]] bool language_matches(std::string_view language, std::string_view range) noexcept;

} // namespace slashpost::redirect
