#pragma once
// Text of strangers within a page of ours.
#include <string>
#include <string_view>

namespace slashpost {

// Appends `text` so that it means only itself, both between tags and within an attribute in double quotes.
// What is no UTF-8 and what HTML has no character for (most controls) becomes U+FFFD, one for each byte.
void append_html(std::string& out, std::string_view text);

[[nodiscard]] std::string html_text(std::string_view text);

} // namespace slashpost
