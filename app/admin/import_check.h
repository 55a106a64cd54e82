#pragma once
// What an import finds out about its lines before it writes the first link.
#include "app/admin/import_columns.h"
#include "app/admin/import_findings.h"
#include "app/admin/link_import.h"

#include <set>
#include <string>

namespace slashpost::admin {

class ImportCheck {
  public:
    // Tells of at most `shown_max` lines that are not valid; in a dry run of none, which has the table for
    // that. All but `shown_max` must outlive it.
    ImportCheck(Console& console, const ImportColumns& columns, const ImportOptions& options, Random& random,
                std::uint64_t shown_max)
        : columns_(columns),
          options_(options),
          complaints_(console, shown_max),
          slashtags_(random),
          external_ids_(random) {}

    // `outcome` is what the store says of `link`, which `row` gives; an earlier row may have taken its place.
    Result<void> add(const CsvRow& row, const ImportedLink& link, const ImportOutcome& outcome);

    [[nodiscard]] const LineTable& table() const { return table_; }
    [[nodiscard]] const std::set<std::string, std::less<>>& tags() const {
        return tags_;
    } // without their case
    [[nodiscard]] Complaints& complaints() { return complaints_; }

  private:
    Result<void> add_new(const CsvRow& row, const ImportedLink& link, const Link& made);
    Result<void> note(const CsvRow& row, LineTable::Kind kind, std::string_view words);
    Result<void> refuse(const CsvRow& row, LineTable::Kind kind, const Error& error);
    Result<void> refuse_external_id(const CsvRow& row);

    const ImportColumns& columns_;
    const ImportOptions& options_;
    Complaints complaints_;
    Slashtags slashtags_;
    ExternalIds external_ids_;
    LineTable table_;
    std::set<std::string, std::less<>> tags_;
};

} // namespace slashpost::admin
