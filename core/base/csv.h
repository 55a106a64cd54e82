#pragma once
// Reads comma-separated values as RFC 4180 has them, and their relatives, row by row, from a stream of any
// length.
//
// Lines end in CRLF or LF, the last one needs no end. A field in quotation marks may hold separators, line
// ends and, doubled, quotation marks. Empty lines are skipped, and so is a byte order mark at the beginning.
// White space belongs to the field.
#include "core/base/result.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slashpost {

// Where a row begins: for going on in the midst of a file.
struct CsvPosition {
    std::uint64_t offset = 0; // bytes before it
    std::uint64_t line = 1;
};

struct CsvDialect {
    // How a field says that it has a separator or a line end.
    enum class Escape : std::uint8_t {
        marks,       // it stands in quotation marks
        backslashes, // \t, \n, \r, \0 and \\, as `mysql --batch` writes; quotation marks mean nothing
    };
    char separator = ',';
    Escape escape = Escape::marks;
    bool operator==(const CsvDialect&) const = default;
};

class CsvRow {
  public:
    [[nodiscard]] std::size_t size() const { return ends_.size(); }
    // `column` is below size(). Valid until the row changes.
    [[nodiscard]] std::string_view operator[](std::size_t column) const {
        const auto begin = column == 0 ? 0 : ends_[column - 1];
        return std::string_view(text_).substr(begin, ends_[column] - begin);
    }
    [[nodiscard]] std::uint64_t line() const { return line_; } // that it begins in
    [[nodiscard]] std::size_t bytes() const { return text_.size(); }
    // What breaks the format; empty for a row that does not. The fields of a broken one mean nothing.
    [[nodiscard]] std::string_view fault() const { return fault_; }

  private:
    friend class CsvReader;
    std::string text_; // all fields, one behind the other
    std::vector<std::size_t> ends_;
    std::uint64_t line_ = 0;
    std::string_view fault_;
};

class CsvReader {
  public:
    // No row is longer; one that is, is broken and ends the reading, because its end cannot be found.
    static constexpr std::size_t row_bytes_max = 1 << 20;

    // Fills the front of what it is given and answers how many bytes, 0 at the end.
    using Source = std::function<Result<std::size_t>(std::span<char>)>;

    // `source` stands at `place`.
    explicit CsvReader(Source source, CsvPosition place = {}, CsvDialect dialect = {});

    // False at the end. Fails when the source does.
    Result<bool> next(CsvRow& row);
    // Of the row that next() would read.
    [[nodiscard]] CsvPosition place() const { return place_; }

  private:
    static constexpr int none = -1;
    enum class End { field, row };

    int peek();
    void skip(std::size_t count);
    bool fill();
    void take(CsvRow& row, std::size_t count);
    void take_quoted(CsvRow& row);
    End take_plain(CsvRow& row);
    void skip_line_ends();
    [[nodiscard]] bool quotes() const { return dialect_.escape == CsvDialect::Escape::marks; }

    Source source_;
    CsvDialect dialect_;
    CsvPosition place_;
    std::vector<char> buffer_;
    std::string_view rest_; // of the buffer
    bool ended_ = false;
    Result<void> outcome_;
};

} // namespace slashpost
