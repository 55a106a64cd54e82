#pragma once
// Redirects that stand in files of configuration (netlify, nginx, apache): what can be taken of them becomes
// a file with columns, what cannot becomes a row that says why, and all keep their line.
#include "app/admin/import/source.h"

#include <algorithm>

namespace slashpost::admin {

// They are read as a whole.
inline constexpr std::size_t config_bytes_max = 16 << 20;

struct ConfigRow {
    std::uint64_t line = 1;
    std::string address; // "/spring", or with its domain
    std::string destination;
    // Each: conditions such as "country=de,at", with ; between several, a space and where they lead.
    std::string rules;
    std::string problem; // why it cannot be taken; empty: it can
};

// The rows as a file with columns, for which `config_columns` and `understand_config` are part of its Source.
[[nodiscard]] std::string as_columns(std::span<const ConfigRow> rows);
[[nodiscard]] std::vector<SourceColumn> config_columns();
void understand_config(Cells& cells, Problems& problems);

// The words of a line, without its comment. Quotation marks hold words together.
[[nodiscard]] std::vector<std::string> words_of(std::string_view line);

// Calls `take(line, number)` for each line.
template <class Take>
void each_line(std::string_view text, Take&& take) {
    for (std::uint64_t number = 1; !text.empty(); ++number) {
        const auto end = std::min(text.find('\n'), text.size());
        take(text.substr(0, end), number);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

// The one path that a pattern such as ^/spring/?$ matches; empty when it matches several.
[[nodiscard]] std::string literal_path(std::string_view pattern);

// Why an address cannot be where a link leads; empty when nothing is in it that only its server knows.
[[nodiscard]] std::string_view why_no_destination(std::string_view address);

} // namespace slashpost::admin
