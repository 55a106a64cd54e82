#include "core/visitors/languages.h"

#include "core/base/ascii.h"
#include "core/base/text.h"

#include <algorithm>
#include <optional>

namespace slashpost::redirect {

namespace {

constexpr std::size_t language_bytes_max = 512;

constexpr bool is_space(char c) { return c == ' ' || c == '\t'; }

std::string_view trim(std::string_view text) {
    while (!text.empty() && is_space(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && is_space(text.back()))
        text.remove_suffix(1);
    return text;
}

// In thousandths. "0.7", "1", "0.125" (RFC 9110, 12.4.2); nothing for any other text.
std::optional<int> quality_of(std::string_view text) {
    if (text.empty() || text.size() > 5 || (text[0] != '0' && text[0] != '1') ||
        (text.size() > 1 && text[1] != '.'))
        return std::nullopt;
    int quality = (text[0] - '0') * 1000;
    int weight = 100;
    for (const char c : text.substr(std::min<std::size_t>(text.size(), 2))) {
        if (!ascii::is_digit(c))
            return std::nullopt;
        quality += (c - '0') * weight;
        weight /= 10;
    }
    return quality <= 1000 ? std::optional(quality) : std::nullopt;
}

// "de-DE-1996": a language tag whose language has a short name.
bool is_language(std::string_view tag) {
    const bool is_cut = tag.ends_with('-');
    const auto primary = take_until(tag, '-');
    if (is_cut || primary.size() < 2 || primary.size() > 3 || !std::ranges::all_of(primary, ascii::is_letter))
        return false;
    while (!tag.empty()) {
        const auto subtag = take_until(tag, '-');
        if (subtag.empty() || subtag.size() > 8 || !std::ranges::all_of(subtag, ascii::is_letter_or_digit))
            return false;
    }
    return true;
}

// Of what stands behind the language: "q=0.7", or nothing.
int quality_of_parameters(std::string_view parameters) {
    const auto given = trim(parameters);
    if (given.empty())
        return 1000;
    const bool is_quality = given.size() > 2 && ascii::lower(given[0]) == 'q' && given[1] == '=';
    return is_quality ? quality_of(given.substr(2)).value_or(0) : 0;
}

} // namespace

std::string_view preferred_language(std::string_view accept_language) noexcept {
    std::string_view best;
    int best_quality = 0;
    auto rest = accept_language.substr(0, language_bytes_max);
    if (rest.size() < accept_language.size()) // the last one may be cut in two
        rest = rest.substr(0, std::min(rest.size(), rest.rfind(',')));
    while (!rest.empty()) {
        auto parameters = take_until(rest, ',');
        const auto language = trim(take_until(parameters, ';'));
        const auto quality = quality_of_parameters(parameters);
        if (quality > best_quality && is_language(language)) {
            best = language;
            best_quality = quality;
        }
    }
    return best;
}

bool language_matches(std::string_view language, std::string_view range) noexcept {
    return language.size() >= range.size() &&
           std::equal(range.begin(), range.end(), language.begin(),
                      [](char r, char l) { return r == ascii::lower(l); }) &&
           (language.size() == range.size() || language[range.size()] == '-');
}

} // namespace slashpost::redirect
