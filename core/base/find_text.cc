#include "core/base/find_text.h"

#include <vector>

namespace slashpost {

namespace {

// For each beginning of the text the length of the longest shorter one that it ends with.
std::vector<std::size_t> borders_of(std::string_view text) {
    std::vector<std::size_t> borders(text.size());
    for (std::size_t at = 1, length = 0; at < text.size(); ++at) {
        while (length > 0 && text[at] != text[length])
            length = borders[length - 1];
        length += text[at] == text[length] ? 1 : 0;
        borders[at] = length;
    }
    return borders;
}

// By Knuth, Morris and Pratt: at most two comparisons for each byte.
std::size_t find_by_borders(std::string_view text, std::string_view needle, std::size_t& comparisons) {
    const auto borders = borders_of(needle);
    comparisons += 2 * needle.size();
    std::size_t found = 0; // bytes of the needle, which end where the search is
    for (std::size_t at = 0; at < text.size(); ++at) {
        while (++comparisons, text[at] != needle[found]) {
            if (found == 0)
                break;
            found = borders[found - 1];
        }
        found += text[at] == needle[found] ? 1 : 0;
        if (found == needle.size())
            return at + 1 - found;
    }
    return text.npos;
}

} // namespace

// Nearly always the first byte tells that the needle is not there, and nothing is quicker than to look for
// that. A text for which this has taken four times as long as it should is searched in the other way.
std::size_t find_text(std::string_view text, std::string_view needle, std::size_t* comparisons) {
    std::size_t ignored = 0;
    auto& count = comparisons ? *comparisons : ignored;
    if (needle.empty())
        return 0;
    const std::size_t enough = 3 * text.size();
    std::size_t tried = 0;
    for (auto at = text.find(needle.front()); at != text.npos; at = text.find(needle.front(), at + 1)) {
        if (tried > enough) {
            count += tried;
            const auto behind = find_by_borders(text.substr(at), needle, count);
            return behind == text.npos ? behind : at + behind;
        }
        tried += needle.size();
        if (text.substr(at).starts_with(needle)) {
            count += tried;
            return at;
        }
    }
    count += tried;
    return text.npos;
}

} // namespace slashpost
