#pragma once
// What becomes of the parameters that visitors bring along (wire "The visitor's side").
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace slashpost {

// Whose parameter is in the address that a visitor is sent to, when the destination has one of that name
// itself. Numbers are on disk and in targets: never renumber. Zero, of a link only: as its domain says.
enum class OnConflict : std::uint8_t { as_domain, destination, visitor, both };

// The words of the wire, in the order of the numbers from 1 on.
inline constexpr std::array<std::string_view, 3> on_conflict_words{"destination", "visitor", "both"};

// Empty for as_domain, and for a number of a later build.
constexpr std::string_view word_of(OnConflict value) {
    const auto number = static_cast<std::size_t>(value);
    return number == 0 || number > on_conflict_words.size() ? std::string_view()
                                                            : on_conflict_words[number - 1];
}

// Nothing when it is no such word.
constexpr std::optional<OnConflict> on_conflict_of(std::string_view word) {
    for (std::size_t i = 0; i < on_conflict_words.size(); ++i)
        if (on_conflict_words[i] == word)
            return static_cast<OnConflict>(i + 1);
    return std::nullopt;
}

} // namespace slashpost
