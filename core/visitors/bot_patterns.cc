#include "core/visitors/bot_patterns.h"

#include "core/visitors/literals.h"

#include <algorithm>
#include <cctype>
#include <deque>
#include <optional>
#include <re2/re2.h>
#include <string>
#include <vector>

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
    options.set_log_errors(false);
    return options;
}

re2::StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }

constexpr std::uint8_t mark_bot = 1, mark_fetcher = 3; // who is a bot, too

// The text that a pattern stands for, if it is for one only.
std::optional<std::string> literal_of(std::string_view pattern) {
    constexpr std::string_view special = ".*+?{}[]()|^$";
    std::string out;
    for (; !pattern.empty(); pattern.remove_prefix(1)) {
        if (pattern.front() == '\\') {
            pattern.remove_prefix(1);
            if (pattern.empty() || std::isalnum(static_cast<unsigned char>(pattern.front())) != 0)
                return std::nullopt; // of a class, such as all digits
        } else if (special.contains(pattern.front())) {
            return std::nullopt;
        }
        out += pattern.front();
    }
    return out.empty() ? std::nullopt : std::optional(std::move(out));
}

// Nearly all patterns of the list are texts, and all of those are looked for in one pass, whose steps are
// known beforehand. RE2 would find its steps out while it searches, some microseconds each, and texts made to
// be unlike all before would take half a millisecond; it has the words of our own and the few other patterns.
class Patterns {
  public:
    Patterns() {
        std::string bots(words_of_bots), fetchers(words_of_fetchers);
        const RE2 words(bots, search_options());
        std::deque<std::string> texts;
        std::vector<Literals::Literal> literals;
        for (auto rest = detail::bot_list; !rest.empty();) {
            const auto line = rest.substr(0, rest.find('\n'));
            rest.remove_prefix(std::min(rest.size(), line.size() + 1));
            const auto tab = line.find('\t');
            if (tab == line.npos)
                continue;
            const auto pattern = line.substr(tab + 1);
            const bool fetches = line.starts_with("preview\t");
            if (auto text = literal_of(pattern)) {
                if (fetches || !RE2::PartialMatch(*text, words)) // else a word tells as much
                    literals.push_back({.text = texts.emplace_back(std::move(*text)),
                                        .marks = fetches ? mark_fetcher : mark_bot});
                continue;
            }
            bots.append("|(?:").append(pattern).append(")");
            if (fetches)
                fetchers.append("|(?:").append(pattern).append(")");
        }
        literals_.emplace(literals);
        bots_.emplace(bots, search_options());
        fetchers_.emplace(fetchers, search_options());
    }

    [[nodiscard]] BotKind find(std::string_view user_agent) const {
        std::string other; // without the names that mislead
        if (RE2::PartialMatch(piece(user_agent), people_)) {
            other = user_agent;
            RE2::GlobalReplace(&other, people_, "");
            user_agent = other;
        }
        const auto marks = literals_->find_in(user_agent);
        if (marks == mark_fetcher)
            return BotKind::preview_fetcher;
        if (marks == 0 && !RE2::PartialMatch(piece(user_agent), *bots_))
            return BotKind::none;
        return RE2::PartialMatch(piece(user_agent), *fetchers_) ? BotKind::preview_fetcher : BotKind::bot;
    }

  private:
    std::optional<Literals> literals_;
    std::optional<RE2> bots_, fetchers_;
    const RE2 people_{words_of_people, search_options()};
};

} // namespace

BotKind find_bot(std::string_view user_agent) {
    static const Patterns patterns;
    return patterns.find(user_agent);
}

} // namespace slashpost::redirect
