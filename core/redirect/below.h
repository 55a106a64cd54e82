#pragma once
// Visits to what is below a link: "/docs/a/b", where the link "docs" passes paths on to its destination.
#include "core/redirect/address.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace slashpost::redirect {

// So many parts of a path, from its beginning, can be the slashtag of a link that it is below of; so no visit
// costs more look-ups.
inline constexpr std::size_t parts_above_max = 8;

// The slashtags that a path, still percent-encoded, may be below of, the longest first; none of a path with a
// part "..", escaped or not. Allocates nothing.
class PathsAbove {
  public:
    PathsAbove(std::string_view path, SlashtagForm form);
    // The next one, of the kind `below`, with its slashtag in `buffer` and its rest as sent, not empty, a
    // view into the path. Nothing when there is none left.
    std::optional<VisitedPath> next(AddressBuffer& buffer);

  private:
    std::string_view path_;
    SlashtagForm form_;
    std::array<std::size_t, parts_above_max> slashes_{};
    std::size_t left_ = 0; // of the slashes
};

// Whether something can be below an address: it names a host (core/base/hostless.h).
[[nodiscard]] bool takes_path(std::string_view destination);

// Appends `destination` with a slash and `rest`, as sent, behind its path, in front of its query and
// fragment, safe to stand in a header. False, and nothing is appended, when the destination takes none, when
// a part of `rest` is "..", escaped or not, which would lead out of what the link stands for, or when the
// result has no room in a header (has_room).
[[nodiscard]] bool append_below(std::string& out, std::string_view destination, std::string_view rest);

} // namespace slashpost::redirect
