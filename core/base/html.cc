#include "core/base/html.h"

#include "core/base/text.h"

#include <array>

namespace slashpost {

namespace {

constexpr std::string_view replacement = "\xef\xbf\xbd"; // U+FFFD

// What stands for a byte; empty: itself.
constexpr auto references = [] {
    std::array<std::string_view, 256> table{};
    for (unsigned c = 0; c < 0x20; ++c)
        if (c != '\t' && c != '\n' && c != '\r')
            table[c] = replacement;
    table[0x7f] = replacement;
    table['&'] = "&amp;";
    table['<'] = "&lt;";
    table['>'] = "&gt;";
    table['"'] = "&quot;";
    return table;
}();

std::string_view reference_of(char c) { return references[static_cast<unsigned char>(c)]; }

void append_well_formed(std::string& out, std::string_view text) {
    auto plain = text.begin(); // from there to where we are, all stands for itself
    for (auto at = text.begin(); at != text.end(); ++at) {
        const auto reference = reference_of(*at);
        if (reference.empty())
            continue;
        out.append(plain, at).append(reference);
        plain = at + 1;
    }
    out.append(plain, text.end());
}

} // namespace

void append_html(std::string& out, std::string_view text) {
    if (is_utf8(text))
        return append_well_formed(out, text);
    for (const char c : text)
        if (static_cast<unsigned char>(c) >= 0x80)
            out += replacement;
        else
            append_well_formed(out, {&c, 1});
}

std::size_t html_size(std::string_view utf8) {
    std::size_t size = utf8.size();
    for (const char c : utf8)
        if (const auto reference = reference_of(c); !reference.empty())
            size += reference.size() - 1;
    return size;
}

std::string html_text(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    append_html(out, text);
    return out;
}

} // namespace slashpost
