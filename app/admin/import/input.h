#pragma once
// A file of links as it is read: in what encoding it is, what separates its columns, and whose it is.
#include "app/admin/import/source.h"
#include "app/admin/import_file.h"

#include <memory>

namespace slashpost::admin {

class ImportInput {
  public:
    // `from` names the source; empty: it is found out. Fails for a name that is none, and for a file of
    // configuration above config_bytes_max. `file` outlives this.
    static Result<ImportInput> open(const ImportFile& file, std::string_view from);

    [[nodiscard]] const Source& source() const { return *source_; }
    // Reads rows from `place` on; place.offset counts bytes of the text as it is read. This outlives it.
    [[nodiscard]] CsvReader reader(CsvPosition place = {}) const;
    // About how many bytes of text there are.
    [[nodiscard]] std::uint64_t bytes() const;

  private:
    enum class Encoding : std::uint8_t { utf8, utf16_little, utf16_big };

    explicit ImportInput(const ImportFile& file) : file_(&file) {}
    [[nodiscard]] CsvReader::Source text_from(std::uint64_t offset) const;
    Result<void> find_encoding();
    Result<std::string> read_text(std::size_t bytes_max) const;
    Result<CsvRow> first_row(std::string_view beginning, CsvDialect dialect) const;
    Result<void> find_source_and_separator(std::string_view from);

    const ImportFile* file_;
    Encoding encoding_ = Encoding::utf8;
    const Source* source_ = nullptr;
    CsvDialect dialect_;
    std::shared_ptr<const std::string> rewritten_; // null: the file is read as it is
};

} // namespace slashpost::admin
