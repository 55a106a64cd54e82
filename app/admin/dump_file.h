#pragma once
// The form of a dump: JSON Lines, so that any tool can read it.
//
//   {"format":"slashpost-dump","version":2,"schema":5,"date":"2026-01-31T09:00:00.000Z"}
//   {"table":"links","row":{...}}             one line per row, parts in the order of dump_parts()
//   {"rows":123,"sha256":"..."}               over all bytes of the lines before, with their ends
//
// So two dumps of equal stores differ in the date of their first line and in the checksum only, and a damaged
// or cut-off file is known before anything is done with it. In version 1 the first line is not in the
// checksum.
#include "core/base/result.h"
#include "core/base/time.h"

#include <atomic>
#include <boost/json.hpp>
#include <cstdint>
#include <functional>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slashpost::admin {

inline constexpr std::int64_t dump_version = 2;
// More than the largest row there can be; a longer line is not from a dump.
inline constexpr std::size_t dump_line_bytes_max = std::size_t{4} << 20U;

std::string dump_header(Timestamp date);
std::string dump_footer(std::uint64_t rows, std::string_view sha256_hex);

// SHA-256 over bytes as they come.
class Digest {
  public:
    Digest();
    ~Digest();
    Digest(const Digest&) = delete;
    Digest& operator=(const Digest&) = delete;
    void add(std::string_view bytes);
    [[nodiscard]] std::string hex(); // ends it

  private:
    void* context_;
};

// Lines of a dump, rows as far as one can tell without reading them.
struct DumpLines {
    std::uint64_t first = 0;       // number of the first line, from 1
    std::string text;              // with the ends of lines
    std::vector<std::size_t> ends; // of lines, in the text
};

// Takes a dump apart into lines, in constant memory.
class DumpReader {
  public:
    // `bytes` is how long the dump is; 0: nobody knows.
    explicit DumpReader(std::istream& in, std::uint64_t bytes = 0)
        : in_(in),
          bytes_(bytes),
          buffer_(dump_line_bytes_max) {}

    // What fails with the first line; `next` does it, too.
    Result<void> read_header();
    // The next lines with rows, `max` at most; nothing at the end of a whole dump. Fails, with the number of
    // the line, when the dump is of a newer version or schema, has a line that is too long, is cut off, goes
    // on after its end, or does not match its count and checksum.
    Result<std::optional<DumpLines>> next(std::size_t max);
    // The format of the store that it was made of (store_format); known after the first lines.
    [[nodiscard]] std::uint64_t schema() const { return schema_; }
    // How much of the dump was read, from 0 to 1; nothing when nobody knows. From any thread.
    [[nodiscard]] std::optional<double> fraction() const;

  private:
    Result<std::string_view> next_line();
    Result<void> check_footer(const boost::json::object& footer);

    std::istream& in_;
    const std::uint64_t bytes_;
    std::atomic<std::uint64_t> read_ = 0; // bytes
    std::vector<char> buffer_;
    std::uint64_t line_ = 0;
    std::uint64_t rows_ = 0;
    std::uint64_t schema_ = 0; // 0: the header is not read yet
    bool ended_ = false;
    Digest digest_;
};

// One row as a dump has it; valid during the call only.
using TakeDumpRow = std::function<Result<void>(std::string_view table, const boost::json::object& row)>;

// Reads the rows of the lines, in order. Fails, with the number of the line, with a line that is no row, and
// when `take` fails.
Result<void> each_dump_row(const DumpLines& lines, const TakeDumpRow& take);

} // namespace slashpost::admin
