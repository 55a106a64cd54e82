#pragma once
// Text as people type it: UTF-8 with its length in characters, white space around it, and comparison that
// ignores case, or accents too. What a character means to an address is core/base/host.h's and
// core/base/url.h's.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace slashpost {

// Well-formed UTF-8: no overlong form, no surrogate, nothing cut off.
[[nodiscard]] bool is_utf8(std::string_view text);

// Characters, as every length limit of the wire counts them: Unicode code points. A byte that is not part
// of well-formed UTF-8 counts as one.
[[nodiscard]] std::size_t count_code_points(std::string_view text);

// Holds a control character: U+0000 to U+001F (so also tab, CR, LF) or U+007F to U+009F. `utf8` is UTF-8.
[[nodiscard]] bool has_control(std::string_view utf8);

// Nothing but visible characters of ASCII: no space, no control character, no other byte.
[[nodiscard]] bool is_visible_ascii(std::string_view text);

// Without the spaces and control characters (U+0000 to U+0020) at both ends: what a browser takes off an
// address before it reads it.
[[nodiscard]] std::string_view trim(std::string_view text);

// Takes what stands before the next `mark`, or all, off the front of `rest`, and the mark.
std::string_view take_until(std::string_view& rest, char mark);

// Without the byte order mark that some programs write in front of UTF-8.
[[nodiscard]] std::string_view without_byte_order_mark(std::string_view text);

// A to Z become a to z; every other byte stays. For names that are ASCII by rule: schemes, hosts, headers.
[[nodiscard]] std::string lower_ascii(std::string_view text);

// The form in which two texts are equal when they differ in case only, by Unicode's full case folding
// ("STRASSE" and "straße" are equal). Unicode promises never to change it for a character once assigned, so
// it may be part of stored keys. What is not UTF-8 stays. `text` has at most 512 MiB.
[[nodiscard]] std::string fold_case(std::string_view text);

// The form in which a text is searched: fold_case, and letters without their accents, so that "cafe" finds
// "Café" and the other way round. Latin letters that are no other letter with an accent to Unicode become
// what people type for them: "ł" l, "ø" o, "æ" ae. What is not UTF-8 stays. `text` has at most 512 MiB.
[[nodiscard]] std::string search_form(std::string_view text);

// Without the white space at both ends, and without the characters there that nobody sees (no-break space,
// zero width space, byte order mark): what people copy along with a text. What is not UTF-8 stays. `text` has
// less than 2 GiB.
[[nodiscard]] std::string_view without_blanks(std::string_view text);

// Appends the character as UTF-8; U+FFFD for what is none: a surrogate, or beyond U+10FFFF.
void append_character(std::string& out, std::uint32_t code_point);

// A text of strangers as one line: each run of white space is one space, none stands at its ends, and what
// nobody sees and breaks or turns the line around it is left out (controls, marks of direction that have to
// be ended, zero width space, byte order mark), as is what is not UTF-8. Of what is left, the first
// `characters_max`.
[[nodiscard]] std::string one_line(std::string_view text, std::size_t characters_max);

// A search term (wire "Lists", `term`): brought into its form once, looked for in many texts. What is blank
// around it does not count.
class FoldedTerm {
  public:
    explicit FoldedTerm(std::string_view term) : form_(search_form(without_blanks(term))) {}
    // The term occurs in `text`; the empty term occurs everywhere.
    [[nodiscard]] bool in(std::string_view text) const { return match(text) != Match::none; }
    // The best that can be said of how the term occurs in `text`.
    enum class Match { none, inside, at_begin, whole };
    [[nodiscard]] Match match(std::string_view text) const;

    [[nodiscard]] const std::string& form() const { return form_; }

  private:
    std::string form_;
};

} // namespace slashpost
