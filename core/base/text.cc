#include "core/base/text.h"

#include "core/base/find_text.h"

// ICU for what needs Unicode's tables. Its C interface: the same functions, none of its classes.
#include <unicode/ucasemap.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace slashpost {

namespace {

bool is_ascii(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool trimmed_away(char c) { return static_cast<unsigned char>(c) <= 0x20; }

// Calls `visit` with each code point, or with a negative number for each byte sequence that is none, until
// it returns false.
template <class Visit>
void for_each_code_point(std::string_view text, Visit visit) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
    std::size_t at = 0;
    while (at < text.size()) {
        UChar32 code_point = 0;
        U8_NEXT(bytes, at, text.size(), code_point);
        if (!visit(code_point))
            return;
    }
}

const UCaseMap* case_map() {
    static const UCaseMap* const map = [] {
        UErrorCode error = U_ZERO_ERROR;
        const auto* made = ucasemap_open("", U_FOLD_CASE_DEFAULT, &error);
        if (U_FAILURE(error))
            std::abort(); // the library without its own tables: a broken installation
        return made;
    }();
    return map;
}

} // namespace

bool is_utf8(std::string_view text) {
    // Text is mostly ASCII, of which eight bytes are looked at together.
    for (std::uint64_t bytes = 0; text.size() >= sizeof bytes; text.remove_prefix(sizeof bytes)) {
        std::memcpy(&bytes, text.data(), sizeof bytes);
        if ((bytes & 0x8080808080808080) != 0)
            break;
    }
    bool well_formed = true;
    for_each_code_point(text, [&](UChar32 code_point) { return well_formed = code_point >= 0; });
    return well_formed;
}

std::size_t count_code_points(std::string_view text) {
    std::size_t count = 0;
    for_each_code_point(text, [&](UChar32) { return ++count > 0; });
    return count;
}

bool has_control(std::string_view utf8) {
    bool found = false;
    for_each_code_point(utf8, [&](UChar32 code_point) {
        found = (code_point >= 0 && code_point < 0x20) || (code_point >= 0x7f && code_point < 0xa0);
        return !found;
    });
    return found;
}

// Looks at all of it even if the first byte decides: so the compiler takes many at once.
bool is_visible_ascii(std::string_view text) {
    unsigned invisible = 0;
    for (const char c : text)
        invisible |= static_cast<unsigned char>(c - '!') > '~' - '!' ? 1U : 0U;
    return invisible == 0;
}

std::string_view trim(std::string_view text) {
    while (!text.empty() && trimmed_away(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && trimmed_away(text.back()))
        text.remove_suffix(1);
    return text;
}

std::string lower_ascii(std::string_view text) {
    std::string out(text);
    std::ranges::transform(out, out.begin(), lower);
    return out;
}

std::string fold_case(std::string_view text) {
    if (is_ascii(text))
        return lower_ascii(text);
    std::string out(3 * text.size(), '\0'); // folding at most triples a text
    UErrorCode error = U_ZERO_ERROR;
    const auto size = ucasemap_utf8FoldCase(case_map(), out.data(), static_cast<std::int32_t>(out.size()),
                                            text.data(), static_cast<std::int32_t>(text.size()), &error);
    if (U_FAILURE(error))
        std::abort(); // only a lack of memory, which ends the process elsewhere, too
    out.resize(static_cast<std::size_t>(size));
    return out;
}

FoldedTerm::Match FoldedTerm::match(std::string_view text) const {
    const auto folded = is_ascii(text) ? lower_ascii(text) : fold_case(text); // the same, and quicker
    const auto at = find_text(folded, folded_);
    return at == folded.npos                ? Match::none
           : at > 0                         ? Match::inside
           : folded.size() > folded_.size() ? Match::at_begin
                                            : Match::whole;
}

} // namespace slashpost
