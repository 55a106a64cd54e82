#pragma once
// The filter "status=active,trashed": what links or tags are asked for in one word, or in both.
#include "http/wire/fields.h"

#include <algorithm>
#include <array>

namespace slashpost::api {

enum class StatusWord : std::uint8_t {
    active,
    trashed, // all that are not active
};

using StatusWords = std::vector<StatusWord>;

inline bool has(const StatusWords& words, StatusWord word) {
    return std::ranges::find(words, word) != words.end();
}

} // namespace slashpost::api

namespace slashpost::wire {

template <>
struct EnumNames<api::StatusWord> {
    static constexpr std::array<std::pair<std::string_view, api::StatusWord>, 2> all{
        {{"active", api::StatusWord::active}, {"trashed", api::StatusWord::trashed}}};
};

} // namespace slashpost::wire
