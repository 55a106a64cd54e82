#include "core/base/text.h"

#include "core/base/ascii.h"
#include "core/base/find_text.h"
#include "core/base/icu.h"

// ICU for what needs Unicode's tables. Its C interface: the same functions, none of its classes.
#include <unicode/ucasemap.h>
#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace slashpost {

namespace {

bool is_ascii(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

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

bool is_blank(UChar32 code_point) {
    return code_point >= 0 && (code_point <= 0x20 || u_isUWhiteSpace(code_point) ||
                               u_hasBinaryProperty(code_point, UCHAR_DEFAULT_IGNORABLE_CODE_POINT));
}

// Of no white space: a control, or a mark that leaves no sign of its own and changes how others look. Those
// that letters and emoji are joined with stay.
bool is_unseen_mark(UChar32 code_point) {
    return code_point < 0x20 || (code_point >= 0x7f && code_point < 0xa0) || code_point == 0x200b ||
           code_point == 0xfeff || (code_point >= 0x202a && code_point <= 0x202e) ||
           (code_point >= 0x2066 && code_point <= 0x2069);
}

// The blocks of accents. Signs of other scripts that stand at a letter as well are vowels there.
bool is_accent(UChar32 code_point) {
    return (code_point >= 0x300 && code_point <= 0x36f) || (code_point >= 0x1ab0 && code_point <= 0x1aff) ||
           (code_point >= 0x1dc0 && code_point <= 0x1dff);
}

// Latin letters, folded, that Unicode does not take apart.
std::string_view plain_letters(UChar32 code_point) {
    struct Letter {
        UChar32 code_point;
        std::string_view plain;
    };
    static constexpr std::array<Letter, 10> letters{{{0xe6, "ae"},
                                                     {0xf0, "d"},
                                                     {0xf8, "o"},
                                                     {0xfe, "th"},
                                                     {0x111, "d"},
                                                     {0x127, "h"},
                                                     {0x131, "i"},
                                                     {0x142, "l"},
                                                     {0x153, "oe"},
                                                     {0x167, "t"}}};
    const auto* const found = std::ranges::find(letters, code_point, &Letter::code_point);
    return found == letters.end() ? std::string_view() : found->plain;
}

void append_code_point(std::string& out, UChar32 code_point) {
    std::array<char, U8_MAX_LENGTH> bytes{};
    std::size_t size = 0;
    U8_APPEND_UNSAFE(bytes.data(), size, code_point);
    out.append(bytes.data(), size);
}

const UNormalizer2* decomposition() {
    static const UNormalizer2* const made = [] {
        UErrorCode error = U_ZERO_ERROR;
        const auto* opened = unorm2_getNFDInstance(&error);
        need_success(error);
        return opened;
    }();
    return made;
}

// A letter that has no accent stays as it is: a syllable of Hangul is not taken apart.
void append_without_accents(std::string& out, UChar32 code_point, std::string_view as_given) {
    if (is_accent(code_point))
        return;
    if (const auto plain = plain_letters(code_point); !plain.empty()) {
        out += plain;
        return;
    }
    std::array<UChar, 32> parts{}; // Unicode takes no character apart into more than 18
    UErrorCode error = U_ZERO_ERROR;
    const auto size =
        unorm2_getDecomposition(decomposition(), code_point, parts.data(), parts.size(), &error);
    if (U_FAILURE(error) || size <= 0) {
        out += as_given;
        return;
    }
    std::string letters;
    bool has_accent = false;
    for (std::int32_t at = 0; at < size;) {
        UChar32 part = 0;
        U16_NEXT(parts.data(), at, size, part);
        if (is_accent(part))
            has_accent = true;
        else
            append_code_point(letters, part);
    }
    out += has_accent ? std::string_view(letters) : as_given;
}

const UCaseMap* case_map() {
    static const UCaseMap* const map = [] {
        UErrorCode error = U_ZERO_ERROR;
        const auto* made = ucasemap_open("", U_FOLD_CASE_DEFAULT, &error);
        need_success(error);
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

std::string_view take_until(std::string_view& rest, char mark) {
    const auto part = rest.substr(0, rest.find(mark));
    rest.remove_prefix(std::min(rest.size(), part.size() + 1));
    return part;
}

std::string_view without_byte_order_mark(std::string_view text) {
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    return text.starts_with(mark) ? text.substr(mark.size()) : text;
}

std::string lower_ascii(std::string_view text) {
    std::string out(text);
    std::ranges::transform(out, out.begin(), ascii::lower);
    return out;
}

std::string fold_case(std::string_view text) {
    if (is_ascii(text))
        return lower_ascii(text);
    std::string out(3 * text.size(), '\0'); // folding at most triples a text
    UErrorCode error = U_ZERO_ERROR;
    const auto size = ucasemap_utf8FoldCase(case_map(), out.data(), static_cast<std::int32_t>(out.size()),
                                            text.data(), static_cast<std::int32_t>(text.size()), &error);
    need_success(error);
    out.resize(static_cast<std::size_t>(size));
    return out;
}

std::string search_form(std::string_view text) {
    auto folded = fold_case(text);
    if (is_ascii(folded))
        return folded;
    std::string out;
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(folded.data());
    for (std::size_t at = 0; at < folded.size();) {
        const auto begin = at;
        UChar32 code_point = 0;
        U8_NEXT(bytes, at, folded.size(), code_point);
        const auto as_given = std::string_view(folded).substr(begin, at - begin);
        if (code_point < 0x80) // not UTF-8, too
            out += as_given;
        else
            append_without_accents(out, code_point, as_given);
    }
    return out;
}

std::string_view without_blanks(std::string_view text) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
    std::int32_t begin = 0, end = static_cast<std::int32_t>(text.size());
    for (auto at = begin; at < end; begin = at) {
        UChar32 code_point = 0;
        U8_NEXT(bytes, at, end, code_point);
        if (!is_blank(code_point))
            break;
    }
    for (auto at = end; at > begin; end = at) {
        UChar32 code_point = 0;
        U8_PREV(bytes, begin, at, code_point);
        if (!is_blank(code_point))
            break;
    }
    return text.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
}

void append_character(std::string& out, std::uint32_t code_point) {
    constexpr std::uint32_t replacement = 0xfffd, last = 0x10ffff;
    const bool is_one = code_point <= last && (code_point < 0xd800 || code_point > 0xdfff);
    append_code_point(out, static_cast<UChar32>(is_one ? code_point : replacement));
}

std::string one_line(std::string_view text, std::size_t characters_max) {
    std::string out;
    std::size_t characters = 0;
    bool blank_before = false;
    for_each_code_point(text, [&](UChar32 code_point) {
        if (code_point < 0)
            return true;
        if (u_isUWhiteSpace(code_point)) {
            blank_before = characters > 0;
            return true;
        }
        if (is_unseen_mark(code_point))
            return true;
        if (characters + (blank_before ? 2 : 1) > characters_max)
            return false;
        if (blank_before)
            out += ' ';
        append_code_point(out, code_point);
        characters += blank_before ? 2 : 1;
        blank_before = false;
        return true;
    });
    return out;
}

FoldedTerm::Match FoldedTerm::match(std::string_view text) const {
    const auto searched = search_form(text);
    const auto at = find_text(searched, form_);
    return at == searched.npos              ? Match::none
           : at > 0                         ? Match::inside
           : searched.size() > form_.size() ? Match::at_begin
                                            : Match::whole;
}

} // namespace slashpost
