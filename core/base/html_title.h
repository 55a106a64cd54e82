#pragma once
// What a page of the web says that it is called. A small reader of HTML that is given whatever a stranger
// serves: it goes over the bytes once or twice, builds nothing, and stops where they break off.
#include <cstddef>
#include <string>
#include <string_view>

namespace slashpost {

struct HtmlTitle {
    std::string title;       // og:title, else <title>; empty: the page says none
    std::string description; // og:description, else the meta description; likewise
};

// In characters; of what is longer, so many are kept.
struct HtmlTitleBounds {
    std::size_t title = 0, description = 0;
};

// `bytes` are the page or how it begins, `content_type` is what the server called it, "text/html;
// charset=utf-8". It is read as UTF-8 or what its byte order mark, else that header, else a <meta> among the
// first 1,024 bytes says; by none of them as UTF-8 if it is, else as windows-1252. Of several titles the
// first counts that is not blank. What stands in comments, scripts, styles and drawings (<svg>) is none, nor
// is a <title> without an end. Both texts are UTF-8 in one line, without controls (one_line), their character
// references decoded.
[[nodiscard]] HtmlTitle html_title(std::string_view bytes, std::string_view content_type,
                                   const HtmlTitleBounds& bounds);

} // namespace slashpost
