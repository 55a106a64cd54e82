#pragma once
// A text looked for in another, in a time that grows with their lengths alone, whatever both are.
// (std::string_view::find takes as long as both multiplied, and so does glibc's memmem up to 256 bytes.)
#include <cstddef>
#include <string_view>

namespace slashpost {

// Where `needle` begins first in `text`, or npos; an empty one at 0. Adds to `comparisons`, if given, how
// many bytes were compared: at most six for each byte of the text, and two for each of the needle.
[[nodiscard]] std::size_t find_text(std::string_view text, std::string_view needle,
                                    std::size_t* comparisons = nullptr);

} // namespace slashpost
