#include "core/base/suggest.h"

#include "core/base/text.h"

#include <algorithm>
#include <string>
#include <vector>

namespace slashpost {

namespace {

constexpr std::size_t typed_bytes_max = 64;
constexpr std::size_t bytes_per_mistake = 3;
constexpr std::size_t mistakes_max = 3;

// How many mistakes make `from` out of `to`. Three rows of the usual table are enough, as a swap looks two
// back.
std::size_t count_mistakes(std::string_view from, std::string_view to) {
    std::vector<std::size_t> before_last(to.size() + 1);
    std::vector<std::size_t> last(to.size() + 1);
    std::vector<std::size_t> row(to.size() + 1);
    for (std::size_t j = 0; j <= to.size(); ++j)
        row[j] = j;
    for (std::size_t i = 1; i <= from.size(); ++i) {
        std::swap(before_last, last);
        std::swap(last, row);
        row[0] = i;
        for (std::size_t j = 1; j <= to.size(); ++j) {
            row[j] =
                std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1)});
            if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1])
                row[j] = std::min(row[j], before_last[j - 2] + 1);
        }
    }
    return row.back();
}

} // namespace

std::optional<std::string_view> nearest(std::string_view typed, std::span<const std::string_view> known) {
    if (typed.empty() || typed.size() > typed_bytes_max)
        return std::nullopt;
    const auto word = lower_ascii(typed);
    const auto allowed = std::clamp<std::size_t>(word.size() / bytes_per_mistake, 1, mistakes_max);
    std::optional<std::string_view> found;
    std::size_t fewest = allowed + 1;
    for (const auto candidate : known) {
        const auto other = lower_ascii(candidate);
        auto mistakes = count_mistakes(word, other);
        if (word.size() >= bytes_per_mistake && other.starts_with(word))
            mistakes = std::min(mistakes, allowed);
        if (mistakes < fewest && mistakes < other.size()) {
            fewest = mistakes;
            found = candidate;
        }
    }
    return found;
}

} // namespace slashpost
