#include "core/base/html.h"

#include "core/base/text.h"

namespace slashpost {

namespace {

constexpr std::string_view replacement = "\xef\xbf\xbd"; // U+FFFD

bool is_unprintable(char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == '\x7f';
}

} // namespace

void append_html(std::string& out, std::string_view text) {
    const bool well_formed = is_utf8(text);
    for (const char c : text) {
        switch (c) {
        case '&':
            out += "&amp;";
            break;
        case '<':
            out += "&lt;";
            break;
        case '>':
            out += "&gt;";
            break;
        case '"':
            out += "&quot;";
            break;
        default:
            if (is_unprintable(c) || (!well_formed && static_cast<unsigned char>(c) >= 0x80))
                out += replacement;
            else
                out += c;
        }
    }
}

std::string html_text(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    append_html(out, text);
    return out;
}

} // namespace slashpost
