#pragma once
// Codes that the world agreed on: countries, languages, currencies. ICU has the lists.
#include <string_view>

namespace slashpost {

// A country of ISO 3166 in lower case, two letters: "de". Also "xk", which is not of the standard but what
// databases of addresses call Kosovo.
[[nodiscard]] bool is_country_code(std::string_view code);

// A language as browsers send it, in lower case: a language of ISO 639, then perhaps a script of four
// letters, then perhaps a country or a region of three digits: "de", "de-at", "zh-hant-tw", "es-419".
[[nodiscard]] bool is_language_tag(std::string_view tag);

// A currency of ISO 4217 that is in use, in upper case: "EUR".
[[nodiscard]] bool is_currency_code(std::string_view code);

} // namespace slashpost
