#include "core/base/text_encodings.h"

#include "core/base/text.h"

#include <unicode/ucnv.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <new>

namespace slashpost {

namespace {

struct Encoding {
    std::string_view label;
    const char* name; // of ICU's converter
};

// A closed list: whatever else ICU knows, or would look for among files, is of no use to a page. Browsers
// read some of them as larger ones that hold them.
constexpr auto encodings = std::to_array<Encoding>({
    {"ascii", "windows-1252"},
    {"big5", "Big5"},
    {"big5-hkscs", "Big5-HKSCS"},
    {"cp1250", "windows-1250"},
    {"cp1251", "windows-1251"},
    {"cp1252", "windows-1252"},
    {"cp866", "IBM866"},
    {"euc-jp", "EUC-JP"},
    {"euc-kr", "windows-949"},
    {"gb18030", "gb18030"},
    {"gb2312", "gb18030"},
    {"gbk", "gb18030"},
    {"ibm866", "IBM866"},
    {"iso-2022-jp", "ISO-2022-JP"},
    {"iso-8859-1", "windows-1252"},
    {"iso-8859-10", "ISO-8859-10"},
    {"iso-8859-13", "ISO-8859-13"},
    {"iso-8859-14", "ISO-8859-14"},
    {"iso-8859-15", "ISO-8859-15"},
    {"iso-8859-2", "ISO-8859-2"},
    {"iso-8859-3", "ISO-8859-3"},
    {"iso-8859-4", "ISO-8859-4"},
    {"iso-8859-5", "ISO-8859-5"},
    {"iso-8859-6", "ISO-8859-6"},
    {"iso-8859-7", "ISO-8859-7"},
    {"iso-8859-8", "ISO-8859-8"},
    {"iso-8859-9", "windows-1254"},
    {"iso8859-1", "windows-1252"},
    {"koi8-r", "KOI8-R"},
    {"koi8-u", "KOI8-U"},
    {"ks_c_5601-1987", "windows-949"},
    {"latin1", "windows-1252"},
    {"latin2", "ISO-8859-2"},
    {"macintosh", "macintosh"},
    {"shift-jis", "Shift_JIS"},
    {"shift_jis", "Shift_JIS"},
    {"sjis", "Shift_JIS"},
    {"tis-620", "windows-874"},
    {"us-ascii", "windows-1252"},
    {"utf-16", "UTF-16LE"},
    {"utf-16be", "UTF-16BE"},
    {"utf-16le", "UTF-16LE"},
    {"utf-8", "UTF-8"},
    {"utf8", "UTF-8"},
    {"windows-1250", "windows-1250"},
    {"windows-1251", "windows-1251"},
    {"windows-1252", "windows-1252"},
    {"windows-1253", "windows-1253"},
    {"windows-1254", "windows-1254"},
    {"windows-1255", "windows-1255"},
    {"windows-1256", "windows-1256"},
    {"windows-1257", "windows-1257"},
    {"windows-1258", "windows-1258"},
    {"windows-31j", "windows-31j"},
    {"windows-874", "windows-874"},
    {"windows-949", "windows-949"},
    {"x-gbk", "gb18030"},
    {"x-sjis", "Shift_JIS"},
});

} // namespace

std::optional<std::string> utf8_from(std::string_view bytes, std::string_view label) {
    const auto* const found = std::ranges::find(encodings, lower_ascii(label), &Encoding::label);
    if (found == encodings.end())
        return std::nullopt;
    if (bytes.empty())
        return "";
    // No byte becomes more than three in these encodings; the library says so if it is otherwise.
    std::string out(3 * bytes.size() + 16, '\0');
    for (;;) {
        UErrorCode error = U_ZERO_ERROR;
        const auto size = static_cast<std::size_t>(
            std::max(ucnv_convert("UTF-8", found->name, out.data(), static_cast<std::int32_t>(out.size()),
                                  bytes.data(), static_cast<std::int32_t>(bytes.size()), &error),
                     0));
        if (error == U_MEMORY_ALLOCATION_ERROR)
            throw std::bad_alloc();
        const bool has_room = size <= out.size();
        if (U_FAILURE(error) && (error != U_BUFFER_OVERFLOW_ERROR || has_room))
            return std::nullopt;
        out.resize(size);
        if (has_room)
            return out;
    }
}

} // namespace slashpost
