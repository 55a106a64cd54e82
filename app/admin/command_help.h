#pragma once
// What both programs say about their command lines: help that fits the terminal, and what is wrong with the
// words that were typed.
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace slashpost::admin {

// Columns of the terminal that standard output is, from 40 to 120; 80 when it is none.
[[nodiscard]] std::size_t terminal_columns();

// Lays out the help of `program` and its commands, those that come later too, within `columns`: the names in
// the first `left` of them, what they do beside, or beneath where that leaves too little. Usage lines name
// the program and the command. In descriptions and footers a line that is too long goes on under its second
// column, if it has one: that begins behind two spaces.
void lay_out_help(CLI::App& program, std::size_t columns, std::size_t left);

// The flags that may stand behind the program or command: its own, and those of the ones above it that reach
// down.
[[nodiscard]] std::vector<const CLI::Option*> flags_of(const CLI::App& app);

// The first of the words that is no command, no flag, or a flag without its value, as a sentence with what
// may be meant; or that a command is missing. Nothing when there is no such word, which does not say that
// values are good.
[[nodiscard]] std::optional<std::string> misunderstood(const CLI::App& program,
                                                       std::span<const std::string> words);

// `text` with every line broken at spaces so that none is longer than `columns`, unless a word is.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t columns);

} // namespace slashpost::admin
