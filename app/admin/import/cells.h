#pragma once
// What single cells of people's files mean: times, counts, tags and short addresses as many programs write
// them.
#include "core/base/time.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slashpost::admin {

// Whether a database wrote this for no value: NULL, or \N.
[[nodiscard]] bool is_null(std::string_view text);

// "2024-03-01", "2024-03-01 09:00:00", "2024-03-01T09:00:00.5Z", "... +0000", "... +00", "... UTC", and
// seconds or milliseconds since 1970. `zone` (core/base/zones.h) is whose clock shows a time that names no
// offset; empty: UTC. Nothing when it is no such time.
[[nodiscard]] std::optional<Timestamp> read_time(std::string_view text, std::string_view zone);

// "1234", "1,234", "1 234", "61.0". Nothing when it is no whole number; -1 for one that is below zero or has
// no room.
[[nodiscard]] std::optional<std::int64_t> read_whole(std::string_view text);

// `a|b`, `a, b`, `["a", "b"]`, `{a,b}`. Where there is a bar, commas belong to the names.
[[nodiscard]] std::vector<std::string> tag_names(std::string_view text);

struct ShortAddress {
    std::string domain;   // with its port if it has one; empty when only a path was given
    std::string slashtag; // may have slashes within; without those around it
};
// "https://go.example.com/spring?x=1", "go.example.com/spring", "/spring".
[[nodiscard]] ShortAddress split_short_address(std::string_view text);

// Of `text`, which may be anything, the beginning as it can be shown on one line of a terminal.
[[nodiscard]] std::string shown(std::string_view text);
// The same as 'spring'.
[[nodiscard]] std::string in_quotes(std::string_view text);

} // namespace slashpost::admin
