#pragma once
// What the columns of a file of links mean, and a row of it.
#include "app/admin/import/source.h"
#include "core/base/csv.h"
#include "core/ops/link_imports.h"

#include <map>

namespace slashpost::admin {

// What whoever imports says of a file besides.
struct ReadingOptions {
    std::map<std::string, std::string, std::less<>> columns; // ours -> that of the file
    std::map<std::string, std::string, std::less<>> domains; // old, lower case -> new; "" is for rows without
    std::string zone; // whose clock shows times that name no offset (core/base/zones.h); empty: UTC
};
// Of arguments "ours=theirs" and "old=new" or "new". Fails as malformed on what is no such thing, on a name
// that no column of ours has, and on a zone that is none.
Result<ReadingOptions> read_reading_options(std::span<const std::string> columns,
                                            std::span<const std::string> domains, std::string_view zone);

// Whether one of the header's columns is that of the destination.
[[nodiscard]] bool has_destination(const CsvRow& header, const Source& source);

class ImportColumns {
  public:
    // Fails as malformed on a column that is there twice, without one of destinations, and when an option
    // names a column that is not there. `source` and `options` outlive this.
    static Result<ImportColumns> read(const CsvRow& header, const Source& source,
                                      const ReadingOptions& options);

    // `row` is a later one; a link that says nothing of when it was made was made at `now`, more or less, so
    // that links stay in the order of their lines. What is wrong with it is among the link's problems; fields
    // that have one hold their default value.
    [[nodiscard]] ImportedLink link_of(const CsvRow& row, Timestamp now) const;

    // Where the row stands in its file.
    [[nodiscard]] std::uint64_t line_of(const CsvRow& row) const;
    // What is wrong with a row, with what stands there: "slashtag 'a b' (column Keyword) must match ...".
    [[nodiscard]] std::string words_for(const CsvRow& row, const Error& error) const;
    // Names of those that say nothing that is imported.
    [[nodiscard]] const std::vector<std::string>& unused() const { return unused_; }

  private:
    struct Column {
        std::string name; // as in the header
        std::optional<Field> field;
    };
    ImportColumns(const Source& source, const ReadingOptions& options)
        : source_(&source),
          options_(&options) {}
    Result<void> assign(const CsvRow& header);
    [[nodiscard]] std::string names() const;
    [[nodiscard]] Cells cells_of(const CsvRow& row, Problems& problems) const;
    // Of the domain and the slashtag.
    void place(Cells& cells, Problems& problems) const;
    [[nodiscard]] std::optional<std::size_t> column_of(Field field) const;

    const Source* source_;
    const ReadingOptions* options_;
    std::vector<Column> columns_; // in the order of the file
    std::vector<std::string> unused_;
};

} // namespace slashpost::admin
