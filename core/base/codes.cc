#include "core/base/codes.h"

#include "core/base/ascii.h"
#include "core/base/text.h"

#include <unicode/ucurr.h>
#include <unicode/uenum.h>
#include <unicode/uloc.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace slashpost {

namespace {

// ICU's list in lower case and in order, without `but`.
std::vector<std::string> sorted(const char* const* codes, std::initializer_list<std::string_view> but) {
    std::vector<std::string> out;
    for (; *codes != nullptr; ++codes)
        if (auto code = lower_ascii(*codes); std::ranges::find(but, code) == but.end())
            out.push_back(std::move(code));
    std::ranges::sort(out);
    return out;
}

bool is_language(std::string_view code) {
    // Without "no language" and its like.
    static const auto known = sorted(uloc_getISOLanguages(), {"mis", "mul", "und", "zxx"});
    return std::ranges::binary_search(known, code);
}

} // namespace

bool is_country_code(std::string_view code) {
    // Without parts of countries that ICU lists as if they were ones.
    static const auto known = sorted(uloc_getISOCountries(), {"dg", "ea", "ic"});
    return std::ranges::binary_search(known, code);
}

bool is_language_tag(std::string_view tag) {
    const auto next = [&] {
        const auto part = tag.substr(0, tag.find('-'));
        tag.remove_prefix(std::min(tag.size(), part.size() + 1));
        return part;
    };
    if (tag.ends_with('-') || !is_language(next()))
        return false;
    auto part = next();
    if (part.size() == 4 && std::ranges::all_of(part, ascii::is_lower))
        part = next();
    const bool is_region = part.size() == 3 && std::ranges::all_of(part, ascii::is_digit);
    return (part.empty() || is_region || is_country_code(part)) && tag.empty();
}

bool is_currency_code(std::string_view code) {
    static const auto known = [] {
        std::vector<std::string> out;
        UErrorCode error = U_ZERO_ERROR;
        UEnumeration* const all = ucurr_openISOCurrencies(UCURR_COMMON | UCURR_NON_DEPRECATED, &error);
        while (const char* one = uenum_next(all, nullptr, &error))
            out.emplace_back(one);
        uenum_close(all);
        std::ranges::sort(out);
        return out;
    }();
    return std::ranges::binary_search(known, code);
}

} // namespace slashpost
