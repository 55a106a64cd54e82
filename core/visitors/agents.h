#pragma once
// What a User-Agent header tells of a visitor's program: device, system, browser; whether it is a bot
// (core/visitors/bot_patterns.h), and one that shows others what an address leads to (wire "The visitor's
// side").
//
// Reading a header costs some microseconds. Each thread remembers what it found of the last thousand or so,
// by the whole text, so that for nearly every visit it costs some tens of nanoseconds and no allocation.
#include "core/model/visitor.h"

#include <cstdint>
#include <string_view>

namespace slashpost::redirect {

// A header is looked at so far. No browser sends more, nor does a bot that says so.
inline constexpr std::size_t agent_bytes_max = 512;

struct KnownAgent {
    Agent agent;
    // Tells headers apart: a keyed hash of what was looked at, under a key that lives as long as the process.
    // 0: there was no header.
    std::uint64_t mark = 0;
};

// Any bytes are fine. No person's browser sends an empty header.
[[nodiscard]] KnownAgent know_agent(std::string_view user_agent);
[[nodiscard]] inline Agent agent_of(std::string_view user_agent) { return know_agent(user_agent).agent; }

} // namespace slashpost::redirect
