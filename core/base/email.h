#pragma once
// E-mail addresses: what is one, as far as that can be told without writing to it.
#include <cstddef>
#include <string_view>

namespace slashpost {

inline constexpr std::size_t email_bytes_max = 254;

// One "@", something before it and a dotted name behind it; no white space, no control character, none of
// <>()[],;:\" and at most email_bytes_max bytes. So it can stand in a header or an SMTP command as it is.
[[nodiscard]] bool is_email(std::string_view text);

} // namespace slashpost
