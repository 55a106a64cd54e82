#pragma once
// What the columns of a CSV file of links mean.
#include "core/base/csv.h"
#include "core/ops/link_imports.h"

namespace slashpost::admin {

class ImportColumns {
  public:
    // The header. Fails as malformed on a name that is unknown or there twice, and without `destination`.
    static Result<ImportColumns> read(const CsvRow& header);

    // `row` is a later one; a link that says nothing of when it was made was made at `now`, more or less, so
    // that links stay in the order of their lines. What is wrong with it is among the link's problems; fields
    // that have one hold their default value.
    [[nodiscard]] ImportedLink link_of(const CsvRow& row, Timestamp now) const;

  private:
    using Read = void (*)(std::string_view field, ImportedLink& out);
    struct Column {
        std::string_view name;
        Read read;
    };
    static const std::vector<Column>& known();

    std::vector<const Column*> columns_; // in the order of the file
};

} // namespace slashpost::admin
