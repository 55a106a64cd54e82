#pragma once
// Text of the web that is not in UTF-8.
#include <optional>
#include <string>
#include <string_view>

namespace slashpost {

// `bytes` as UTF-8, read in the encoding that the web calls `label`, in any case (Encoding Standard, "Names
// and labels"; of those with several labels the usual ones). What stands for no character becomes U+FFFD.
// Nothing for a label that names none of them, as "utf-7" does, or when the library has no table of it.
// `bytes` are less than 512 MiB.
[[nodiscard]] std::optional<std::string> utf8_from(std::string_view bytes, std::string_view label);

} // namespace slashpost
