#include "core/visitors/bot_patterns.h"

#include "core/visitors/bot_words.h"
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

RE2::Options search_options() {
    RE2::Options options;
    options.set_encoding(RE2::Options::EncodingLatin1); // headers are bytes, whatever they claim to be
    options.set_never_capture(true);
    options.set_log_errors(false);
    return options;
}

re2::StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }

bool is_alnum(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

constexpr std::uint8_t mark_bot = 1, mark_fetcher = 2;

// The text that a pattern stands for, if it is for one only.
std::optional<std::string> literal_of(std::string_view pattern) {
    constexpr std::string_view special = ".*+?{}[]()|^$";
    std::string out;
    for (; !pattern.empty(); pattern.remove_prefix(1)) {
        if (pattern.front() == '\\') {
            pattern.remove_prefix(1);
            if (pattern.empty() || is_alnum(pattern.front()))
                return std::nullopt; // of a class, such as all digits
        } else if (special.contains(pattern.front())) {
            return std::nullopt;
        }
        out += pattern.front();
    }
    return out.empty() ? std::nullopt : std::optional(std::move(out));
}

// A name begins and ends where no letter or digit goes on: "Sonic" is not in "ViewSonic", nor "008/" in
// ".B.1008/". What follows a name may be a digit.
bool stands_alone(std::string_view text, std::size_t begin, std::size_t end) {
    const bool begins = begin == 0 || !is_alnum(text[begin - 1]) || !is_alnum(text[begin]);
    const bool ends = end == text.size() || !std::isalpha(static_cast<unsigned char>(text[end])) ||
                      !is_alnum(text[end - 1]);
    return begins && ends;
}

// The comment about a telephone's system, "(Linux; Android 14; Pixel 8)", in which models have names of every
// kind. Empty when there is none; a bot that is "compatible" there has written it by itself.
std::string_view model_comment(std::string_view text) {
    const auto begin = text.find('(');
    if (begin == text.npos)
        return {};
    const auto comment = text.substr(begin, text.find(')', begin) - begin);
    const auto has = [&](std::string_view word) { return comment.find(word) != comment.npos; };
    return (has("Android") || has("Adr ") || has("Tizen")) && !has("ompatible") ? comment
                                                                                : std::string_view();
}

// Whoever is "compatible" with a browser is none, but for some old ones that said so themselves.
bool is_compatible(std::string_view text) {
    const auto has = [&](std::string_view word) { return text.find(word) != text.npos; };
    return has("ompatible;") && !has("MSIE ") && !has("Konqueror/") && !has("NetFront/") && !has("MIDP");
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
        std::string plain; // without the names that mislead
        if (RE2::PartialMatch(piece(user_agent), misleading_)) {
            plain = user_agent;
            RE2::GlobalReplace(&plain, misleading_, " ");
            user_agent = plain;
        }
        if (RE2::PartialMatch(piece(user_agent), *fetchers_))
            return BotKind::preview_fetcher;
        const auto comment = model_comment(user_agent);
        const auto marks = marks_of_list(user_agent, comment);
        if ((marks & mark_fetcher) != 0)
            return BotKind::preview_fetcher;
        const bool is_bot = marks != 0 || is_compatible(user_agent) || has_word(user_agent, comment) ||
                            RE2::PartialMatch(piece(user_agent), signs_) ||
                            !RE2::PartialMatch(piece(user_agent), people_);
        return is_bot ? BotKind::bot : BotKind::none;
    }

  private:
    // Of the names of the list that stand where bots write theirs.
    [[nodiscard]] std::uint8_t marks_of_list(std::string_view text, std::string_view comment) const {
        const auto comment_begin =
            comment.empty() ? text.size() : static_cast<std::size_t>(comment.data() - text.data());
        std::uint8_t out = 0;
        literals_->find_in(text, [&](std::size_t begin, std::size_t end, std::uint8_t marks) {
            const bool in_comment = begin >= comment_begin && end <= comment_begin + comment.size();
            if (!in_comment && stands_alone(text, begin, end))
                out = static_cast<std::uint8_t>(out | marks);
        });
        return out;
    }

    [[nodiscard]] bool has_word(std::string_view text, std::string_view comment) const {
        if (comment.empty())
            return RE2::PartialMatch(piece(text), *bots_);
        const auto begin = static_cast<std::size_t>(comment.data() - text.data());
        return RE2::PartialMatch(piece(text.substr(0, begin)), *bots_) ||
               RE2::PartialMatch(piece(text.substr(begin + comment.size())), *bots_);
    }

    std::optional<Literals> literals_;
    std::optional<RE2> bots_, fetchers_;
    const RE2 misleading_{misleading_names, search_options()};
    const RE2 signs_{signs_of_bots, search_options()};
    const RE2 people_{words_of_people, search_options()};
};

} // namespace

BotKind find_bot(std::string_view user_agent) {
    if (user_agent.empty())
        return BotKind::bot;
    static const Patterns patterns;
    return patterns.find(user_agent);
}

} // namespace slashpost::redirect
