#pragma once
// What becomes of the parameters that visitors bring along (wire "The visitor's side").
#include "core/data/codec.h"

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

// Of a domain.
struct Forwarding {
    bool parameters = true; // they are added to those of where the visitor is sent
    OnConflict on_conflict = OnConflict::destination;
    bool operator==(const Forwarding&) const = default;

    static constexpr auto fields() {
        using data::stored;
        return std::tuple{stored(1, "parameters", &Forwarding::parameters),
                          stored(2, "on_conflict", &Forwarding::on_conflict)};
    }
};

// What a link says itself; nothing: as its domain says.
struct OwnForwarding {
    std::optional<bool> parameters;
    OnConflict on_conflict = OnConflict::as_domain;
    bool operator==(const OwnForwarding&) const = default;

    // What holds for a link on a domain that says `domain`.
    [[nodiscard]] Forwarding on(const Forwarding& domain) const {
        return {.parameters = parameters.value_or(domain.parameters),
                .on_conflict = on_conflict == OnConflict::as_domain ? domain.on_conflict : on_conflict};
    }
};

} // namespace slashpost
