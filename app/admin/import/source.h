#pragma once
// A program or service that people have links in, as far as its files are concerned: how they are known, what
// their columns say, and what a row means there that it does not mean elsewhere. One file each beside this
// one; what they have in common is in app/admin/import_columns.h.
#include "core/base/csv.h"
#include "core/base/errors.h"

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slashpost::admin {

// What a column can say of a link.
enum class Field : std::uint8_t {
    destination,
    slashtag,
    short_url, // domain and slashtag in one
    domain,
    title,
    description,
    tags,
    created_at,
    clicks,
    expires_at,
    expired_url,
    external_id,
    pass_path, // true or false
    rules,     // one a line: conditions, a space, a destination; see app/admin/import/config_file.h
    line,      // where the row stands in the file that it was made of
    // What only the source itself knows to read.
    state,
    kind,
    more,
};
inline constexpr std::size_t field_count = static_cast<std::size_t>(Field::more) + 1;

// A row, cell by cell; empty where there is none.
struct Cells {
    std::array<std::string, field_count> texts;
    std::string& operator[](Field field) { return texts.at(static_cast<std::size_t>(field)); }
    const std::string& operator[](Field field) const { return texts.at(static_cast<std::size_t>(field)); }
};

struct SourceColumn {
    std::string_view name; // in the plain form: lower-case letters and digits only
    Field field;
};

struct Source {
    std::string_view name; // as it is typed
    // Columns, in the plain form, that its files have and hardly any other's. Empty: files are not known by
    // their header.
    std::vector<std::string_view> known_by;
    // Columns whose names mean something here that they do not mean in general (app/admin/import_columns.h).
    std::vector<SourceColumn> columns;
    // Files have no header but these columns.
    std::vector<std::string_view> without_header;
    // Changes cells to what they mean; may be null.
    void (*understand)(Cells& cells, Problems& problems) = nullptr;
    // Of a file of configuration: whether a text begins one, and what is in it as a file with columns
    // (app/admin/import/config_file.h). Both or neither.
    bool (*recognises)(std::string_view beginning) = nullptr;
    std::string (*rewrite)(std::string_view text) = nullptr;
};

// All of them, in the order in which a header is compared with them.
[[nodiscard]] std::span<const Source> sources();
// Null when there is none of that name.
[[nodiscard]] const Source* find_source(std::string_view name);
// The source whose files have such a header; that of plain files with columns when none is known by it.
[[nodiscard]] const Source& source_of_header(const CsvRow& header);

// Lower-case letters and digits only: "Long URL", "long_url" and "longUrl" are one column.
[[nodiscard]] std::string plain_name(std::string_view column);

// Each in its own file.
[[nodiscard]] Source plain_csv();
[[nodiscard]] Source our_export();
[[nodiscard]] Source bitly();
[[nodiscard]] Source shortio();
[[nodiscard]] Source dub();
[[nodiscard]] Source tinyurl();
[[nodiscard]] Source shlink();
[[nodiscard]] Source yourls();
[[nodiscard]] Source kutt();
[[nodiscard]] Source polr();
[[nodiscard]] Source chhoto();
[[nodiscard]] Source pretty_links();
[[nodiscard]] Source redirection();
[[nodiscard]] Source cloudflare();
[[nodiscard]] Source netlify();
[[nodiscard]] Source nginx();
[[nodiscard]] Source apache();

} // namespace slashpost::admin
