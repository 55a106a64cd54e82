#pragma once
// Manual pages of the programs, made from their commands and flags: what --help says, in the language of man.
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace slashpost::admin {

// What a page has that --help has not.
struct ManualHead {
    std::string_view version;  // "0.1.0"
    std::string_view summary;  // what the program is, in some words
    std::string_view files;    // "PATH  what it is", a line each; may be empty
    std::string_view see_also; // other pages
};

// A page of section 8. Flags that stand under a heading of their own are left out: they are settings, which
// have a page of their own.
[[nodiscard]] std::string manual_page(const CLI::App& program, const ManualHead& head);

// The first lines of a page, up to and with the one that says what it is about.
[[nodiscard]] std::string manual_title(std::string_view name, std::string_view section,
                                       const ManualHead& head);
// `text` in the language of man, so that it is shown as it stands.
[[nodiscard]] std::string in_manual(std::string_view text);
// Its lines as paragraphs. Lines that begin with two spaces are shown as they stand, or, where two more
// spaces follow somewhere, as a name and what it means.
[[nodiscard]] std::string manual_paragraphs(std::string_view text);

} // namespace slashpost::admin
