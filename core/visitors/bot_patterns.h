#pragma once
// Who is no person: search engines, monitors, and the preview fetchers of chats and networks, told by their
// User-Agent header. The patterns are those of core/visitors/crawler-user-agents, which tools/bots-update
// brings up to date, and a few of our own. The time is bounded by the text's length, whatever the text.
//
// A search of 512 bytes takes about ten microseconds; agents.h remembers.
#include <cstdint>
#include <string_view>

namespace slashpost::redirect {

enum class BotKind : std::uint8_t {
    none,
    bot,
    preview_fetcher, // of a chat or a network that shows what an address leads to
};

// Safe to use from any thread. The first call of the process builds the patterns, some ten milliseconds.
[[nodiscard]] BotKind find_bot(std::string_view user_agent);

namespace detail {
// The list of the package, put in at build time: lines of "bot" or "preview", a tab and a pattern.
extern const std::string_view bot_list;
} // namespace detail

} // namespace slashpost::redirect
