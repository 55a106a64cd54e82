#pragma once
// The escapes of web addresses, "%20" for a space (RFC 3986, 2.1), and what must be escaped.
#include <string>
#include <string_view>

namespace slashpost {

// One of the characters a URI is written in (RFC 3986, 2): a letter, a digit, -._~ or a reserved mark. '%'
// is none by itself, it begins an escape.
[[nodiscard]] bool is_uri_character(char c);

// All of it are such characters: append_uri_text changes nothing.
[[nodiscard]] bool is_uri_text(std::string_view text);

// Can be the name of a parameter that is added to queries: 1 to 40 letters, digits, -._~
[[nodiscard]] bool is_parameter_name(std::string_view text);

// With each escape replaced by its byte. A '%' that begins no escape stays. The result may hold any byte.
[[nodiscard]] std::string percent_decoded(std::string_view text);

// Takes one byte off the front of `text`, which is not empty, as percent_decoded reads it.
[[nodiscard]] char take_percent_decoded(std::string_view& text);

// Appends `text` as a value within an address: every byte escaped but letters, digits and -._~
void append_uri_value(std::string& out, std::string_view text);

// Appends `text`, with each byte that no URI carries escaped: white space, controls, " < > \ ^ ` { | },
// non-ASCII, and each '%' that begins no escape. What is escaped already stays.
void append_uri_text(std::string& out, std::string_view text);

} // namespace slashpost
