#pragma once
// What lists and searches take as `term` (wire "Lists").
#include <cstddef>

namespace slashpost::api {

inline constexpr std::size_t term_length_max = 255; // in characters

} // namespace slashpost::api
