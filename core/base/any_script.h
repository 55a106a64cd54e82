#pragma once
// Words of all scripts as they stand in addresses: which characters they have, and the form in which two
// spellings of one word are equal. ICU knows the characters, as in core/base/text.h.
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace slashpost {

// A letter or a decimal digit of any script, or a mark that stands at one (an accent, a vowel sign), which
// people see. None of what Unicode may still assign: so what it promises of the form of texts holds for all
// of them.
[[nodiscard]] bool is_word_character(char32_t c);

// UTF-8 of at least one character, each of those or "_" or "-", which begins with no mark.
[[nodiscard]] bool is_word(std::string_view text);
// Words with a slash between each two.
[[nodiscard]] bool are_words(std::string_view text);

enum class WordCase : bool { kept, folded };

// Longer texts have no form.
inline constexpr std::size_t words_bytes_max = 768;

// Writes the form of `text` to `out`: Unicode's normal form C, by which a letter and its accent are one
// character, and for WordCase::folded without the differences of case, by full case folding (UAX 15, UAX 21).
// The form of a form is itself. Answers its bytes; nothing when `text` is no UTF-8 or too long, or the form
// has no room. Allocates nothing.
[[nodiscard]] std::optional<std::size_t> write_word_form(std::string_view text, WordCase letters,
                                                         std::span<char> out);

// The same as a text of its own; `text` itself when it has no form.
[[nodiscard]] std::string word_form(std::string_view text, WordCase letters);

} // namespace slashpost
