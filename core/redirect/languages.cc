#include "core/redirect/languages.h"

#include <algorithm>

namespace slashpost::redirect {

namespace {

constexpr int languages_max = 32;
constexpr int quality_max = 1000;

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t");
    if (first == text.npos)
        return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// "0.8" as 800; 0 for what is no quality.
int read_quality(std::string_view text) {
    if (text.empty() || (text[0] != '0' && text[0] != '1') || text.size() > 5 ||
        (text.size() > 1 && text[1] != '.'))
        return 0;
    int quality = (text[0] - '0') * quality_max;
    int worth = quality_max / 10;
    for (const char c : text.substr(std::min<std::size_t>(text.size(), 2))) {
        if (!is_digit(c))
            return 0;
        quality += (c - '0') * worth;
        worth /= 10;
    }
    return quality > quality_max ? 0 : quality;
}

// The q of "en;q=0.7".
int quality_of(std::string_view parameters) {
    parameters = trimmed(parameters);
    if (parameters.empty())
        return quality_max;
    if (parameters.size() < 2 || lower(parameters[0]) != 'q' || parameters[1] != '=')
        return 0;
    return read_quality(parameters.substr(2));
}

// Letters, digits and "-" after at least two letters; "*" is none.
bool is_language(std::string_view text) {
    const auto letters =
        std::ranges::find_if_not(text, [](char c) { return lower(c) >= 'a' && lower(c) <= 'z'; });
    const auto count = letters - text.begin();
    return count >= 2 && count <= 8 && (letters == text.end() || *letters == '-') &&
           std::all_of(letters, text.end(), [](char c) {
               return c == '-' || is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'z');
           });
}

} // namespace

std::string_view preferred_language(std::string_view accept_language) {
    std::string_view best;
    int best_quality = 0;
    for (int seen = 0; !accept_language.empty() && seen < languages_max; ++seen) {
        const auto part = accept_language.substr(0, accept_language.find(','));
        accept_language.remove_prefix(std::min(part.size() + 1, accept_language.size()));
        const auto language = trimmed(part.substr(0, part.find(';')));
        const auto quality = quality_of(part.substr(std::min(part.find(';'), part.size() - 1) + 1));
        if (quality > best_quality && is_language(language)) {
            best = language;
            best_quality = quality;
        }
    }
    return best;
}

bool language_matches(std::string_view language, std::string_view range) {
    return language.size() >= range.size() &&
           std::equal(range.begin(), range.end(), language.begin(),
                      [](char r, char l) { return r == (l == '_' ? '-' : lower(l)); }) &&
           (language.size() == range.size() || language[range.size()] == '-');
}

} // namespace slashpost::redirect
