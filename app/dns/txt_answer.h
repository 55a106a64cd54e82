#pragma once
// What a DNS answer says about one name (RFC 1035, 4.1). It counts only as far as it is about that name: a
// server, or whoever answers in its place, may put records of any other name into its answer section.
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slashpost::dns {

// The TXT records of `name`, and of the name that it is an alias of by CNAME records of the same answer, at
// most 16 one after the other. A record is one or more strings, which mean what they say put together. Of the
// answer section the first 1,000 records are read. Nothing when the answer cannot be read; then no part of it
// counts.
std::optional<std::vector<std::string>> texts_of(std::span<const unsigned char> answer,
                                                 std::string_view name);

} // namespace slashpost::dns
