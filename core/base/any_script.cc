#include "core/base/any_script.h"

#include "core/base/ascii.h"
#include "core/base/icu.h"
#include "core/base/text.h"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/ustring.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace slashpost {

namespace {

// Of UTF-16, in which no text has more units than bytes in UTF-8.
constexpr std::int32_t units_max = 1024;

bool is_all_ascii(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

bool is_mark(UChar32 c) {
    const auto type = u_charType(c);
    return type == U_NON_SPACING_MARK || type == U_COMBINING_SPACING_MARK;
}

const UNormalizer2* composition() {
    static const UNormalizer2* const made = [] {
        UErrorCode error = U_ZERO_ERROR;
        const auto* opened = unorm2_getNFCInstance(&error);
        need_success(error);
        return opened;
    }();
    return made;
}

} // namespace

bool is_word_character(char32_t c) {
    const auto code_point = static_cast<UChar32>(c);
    switch (u_charType(code_point)) {
    case U_UPPERCASE_LETTER:
    case U_LOWERCASE_LETTER:
    case U_TITLECASE_LETTER:
    case U_MODIFIER_LETTER:
    case U_OTHER_LETTER:
    case U_DECIMAL_DIGIT_NUMBER:
    case U_NON_SPACING_MARK:
    case U_COMBINING_SPACING_MARK:
        return u_hasBinaryProperty(code_point, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) == 0;
    default:
        return false;
    }
}

bool is_word(std::string_view text) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
    bool is_first = true;
    for (std::size_t at = 0; at < text.size(); is_first = false) {
        UChar32 c = 0;
        U8_NEXT(bytes, at, text.size(), c);
        if (c < 0 || (is_first && is_mark(c)))
            return false;
        if (c != '_' && c != '-' && !is_word_character(static_cast<char32_t>(c)))
            return false;
    }
    return !is_first;
}

bool are_words(std::string_view text) {
    for (;;) {
        const auto slash = text.find('/');
        if (!is_word(text.substr(0, slash)))
            return false;
        if (slash == text.npos)
            return true;
        text.remove_prefix(slash + 1);
    }
}

std::optional<std::size_t> write_word_form(std::string_view text, WordCase letters, std::span<char> out) {
    if (is_all_ascii(text)) {
        if (text.size() > out.size())
            return std::nullopt;
        std::ranges::transform(text, out.begin(),
                               [&](char c) { return letters == WordCase::folded ? ascii::lower(c) : c; });
        return text.size();
    }
    if (text.size() > words_bytes_max)
        return std::nullopt;
    // Each is written before it is read.
    std::array<UChar, units_max> one;   // NOLINT(*-member-init)
    std::array<UChar, units_max> other; // NOLINT(*-member-init)
    std::int32_t size = 0, bytes = 0;
    UErrorCode error = U_ZERO_ERROR;
    u_strFromUTF8(one.data(), units_max, &size, text.data(), static_cast<std::int32_t>(text.size()), &error);
    size = unorm2_normalize(composition(), one.data(), size, other.data(), units_max, &error);
    if (letters == WordCase::folded) {
        size = u_strFoldCase(one.data(), units_max, other.data(), size, U_FOLD_CASE_DEFAULT, &error);
        size = unorm2_normalize(composition(), one.data(), size, other.data(), units_max, &error);
    }
    u_strToUTF8(out.data(), static_cast<std::int32_t>(out.size()), &bytes, other.data(), size, &error);
    if (error == U_MEMORY_ALLOCATION_ERROR)
        need_success(error);
    if (U_FAILURE(error))
        return std::nullopt;
    return static_cast<std::size_t>(bytes);
}

std::string word_form(std::string_view text, WordCase letters) {
    if (is_all_ascii(text))
        return letters == WordCase::folded ? lower_ascii(text) : std::string(text);
    std::string out(std::size_t{3} * units_max, '\0'); // no unit takes more
    const auto size = write_word_form(text, letters, out);
    if (!size)
        return std::string(text);
    out.resize(*size);
    return out;
}

} // namespace slashpost
