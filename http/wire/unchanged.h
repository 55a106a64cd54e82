#pragma once
// Clients read a thing, change some of it, and post all of it back. What is as they read it says nothing
// (wire "Transport"), so it is taken out of the input before anything looks at it: no rule of its form, no
// right and no existence is asked for it, and of two spellings of one field the one that differs is left.
#include "http/wire/decode.h"

namespace slashpost::wire {

// The input without the members, at any depth, that are fields of the shape and have the value that `shown`
// has: the JSON of a reply. Required fields stay, or they would be missing.
Tree without_unchanged(const Tree& input, const ValueType& type, std::string_view shown);
// Whether all fields of the shape that the input has are like that.
bool is_unchanged(const Tree& input, const ValueType& type, std::string_view shown);

} // namespace slashpost::wire
