#include "core/redirect/bot_patterns.h"

#include <algorithm>
#include <re2/re2.h>
#include <string>

namespace slashpost::redirect {

namespace {

// "bot" stands for most of them; the list has those that call themselves otherwise.
constexpr std::string_view words_of_bots =
    "(?i:bot|crawl|spider|slurp|preview|facebookexternalhit|whatsapp|embedly|iframely|mastodon|feedfetcher|"
    "mediapartners|archiver|monitor|lighthouse|headlesschrome|scraper|validator|pleroma|akkoma|misskey|"
    "bluesky cardyb|kakaotalk-scrap|google-pagerenderer)";
constexpr std::string_view words_of_fetchers =
    "(?i:bluesky cardyb|pleroma|akkoma|misskey|kakaotalk-scrap|google-pagerenderer|nextcloud server crawler)";
// What people carry or use, whose names have one of a bot within them: a telephone, a browser.
constexpr std::string_view words_of_people = "(?i:cubot|sogoumse|sogoumobilebrowser)";

RE2::Options search_options() {
    RE2::Options options;
    options.set_encoding(RE2::Options::EncodingLatin1); // headers are bytes, whatever they claim to be
    options.set_never_capture(true);
    options.set_max_mem(std::int64_t{32} << 20U); // for the states of two automata; grows as they are met
    options.set_log_errors(false);
    return options;
}

// All patterns of the list, or those marked so, as alternatives.
std::string alternatives(std::string_view own, std::string_view marked) {
    std::string pattern(own);
    for (auto rest = detail::bot_list; !rest.empty();) {
        const auto line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(rest.size(), line.size() + 1));
        if (const auto tab = line.find('\t'); tab != line.npos && line.starts_with(marked))
            pattern.append("|(?:").append(line.substr(tab + 1)).append(")");
    }
    return pattern;
}

struct Patterns {
    const RE2 bots{alternatives(words_of_bots, ""), search_options()};
    const RE2 fetchers{alternatives(words_of_fetchers, "preview\t"), search_options()};
    const RE2 people{words_of_people, search_options()};
};

re2::StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }

} // namespace

BotKind find_bot(std::string_view user_agent) {
    static const Patterns patterns;
    std::string other; // without the names that mislead
    if (RE2::PartialMatch(piece(user_agent), patterns.people)) {
        other = user_agent;
        RE2::GlobalReplace(&other, patterns.people, "");
        user_agent = other;
    }
    if (!RE2::PartialMatch(piece(user_agent), patterns.bots))
        return BotKind::none;
    return RE2::PartialMatch(piece(user_agent), patterns.fetchers) ? BotKind::preview_fetcher : BotKind::bot;
}

} // namespace slashpost::redirect
