#pragma once
// Text of strangers within a page of ours.
#include <cstddef>
#include <string>
#include <string_view>

namespace slashpost {

// Appends `text` so that it means only itself, both between tags and within an attribute in double quotes.
// What is no UTF-8 and what HTML has no character for (most controls) becomes U+FFFD, one for each byte.
void append_html(std::string& out, std::string_view text);

// How many bytes it appends for text that is UTF-8.
[[nodiscard]] std::size_t html_size(std::string_view utf8);

[[nodiscard]] std::string html_text(std::string_view text);

} // namespace slashpost
