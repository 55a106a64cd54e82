#include "core/redirect/bots.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace slashpost::redirect {

namespace {

// In lower case. "bot" stands for most of them: Googlebot, Twitterbot, Slackbot, Discordbot, LinkedInBot...
constexpr std::array<std::string_view, 18> marks{
    "bot",      "crawl",   "spider",     "slurp",          "preview",     "facebookexternalhit",
    "whatsapp", "embedly", "iframely",   "mastodon",       "feedfetcher", "mediapartners",
    "archiver", "monitor", "lighthouse", "headlesschrome", "scraper",     "validator"};
constexpr std::string_view phone = "cubot"; // a maker of telephones whose name stands in their headers

constexpr std::size_t bytes_looked_at_max = 1024;

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

// For each byte, the marks that have it at `place`, one bit each.
constexpr auto marks_with(std::size_t place) {
    std::array<std::uint32_t, 256> table{};
    for (std::size_t i = 0; i < marks.size(); ++i) {
        table[static_cast<unsigned char>(marks[i][place])] |= 1U << i;
        table[static_cast<unsigned char>(marks[i][place] - 32)] |= 1U << i; // the capital letter
    }
    return table;
}
constexpr auto marks_with_first = marks_with(0);
constexpr auto marks_with_second = marks_with(1);

bool begins_with(std::string_view text, std::string_view mark) {
    return text.size() >= mark.size() &&
           std::equal(mark.begin(), mark.end(), text.begin(), [](char m, char t) { return m == lower(t); });
}

bool is_phone(std::string_view text, std::size_t bot_at) {
    constexpr auto before = phone.size() - 3;
    return bot_at >= before && begins_with(text.substr(bot_at - before), phone);
}

} // namespace

bool is_bot(std::string_view user_agent) {
    const auto text = user_agent.substr(0, bytes_looked_at_max);
    for (std::size_t at = 0; at + 1 < text.size(); ++at)
        // Two letters rule out nearly every place.
        for (auto left = marks_with_first[static_cast<unsigned char>(text[at])] &
                         marks_with_second[static_cast<unsigned char>(text[at + 1])];
             left != 0; left &= left - 1) {
            const auto mark = marks[static_cast<std::size_t>(std::countr_zero(left))];
            if (begins_with(text.substr(at), mark) && !is_phone(text, at))
                return true;
        }
    return false;
}

} // namespace slashpost::redirect
