#pragma once
// Who is no person: search engines, monitors, libraries, and the preview fetchers of chats and networks, told
// by their User-Agent header. The first of these that holds decides:
//
//   1. An empty header is a bot's.
//   2. Names that only look like a bot's are not looked at: those of telephones, browsers and apps in which
//      people open pages, and what stands in the comment about the system, where models are named.
//   3. A sign of a bot: an address, "compatible;" in what is no old browser, a word such as "crawler", or a
//      name of the list, at a place where bots write names. Some are preview fetchers besides.
//   4. A browser's engine, a telephone's system, and curl and wget, by which people try out links: a person.
//   5. Whatever is left is a program: a library, a health check, a script.
//
// The list is that of core/visitors/crawler-user-agents, which tools/bots-update brings up to date. The time
// is bounded by the text's length, whatever the text: a search of 512 bytes takes about ten microseconds, and
// agents.h remembers.
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
