#pragma once
// What may be meant by a word that nobody knows: a mistyped command, flag or setting.
#include <optional>
#include <span>
#include <string_view>

namespace slashpost {

// The one of `known` that is most like `typed`, ignoring case; the first of several that are. Nothing when
// none is alike: a letter that is wrong, missing, too many or swapped with the next counts as one mistake,
// and a word may have one for every three letters, three at most. A word of three letters or more also stands
// for what begins with it. What is typed and has more than 64 bytes is like nothing.
[[nodiscard]] std::optional<std::string_view> nearest(std::string_view typed,
                                                      std::span<const std::string_view> known);

} // namespace slashpost
