#pragma once
// The form of a dump: JSON Lines, so that any tool can read it.
//
//   {"format":"slashpost-dump","version":1,"schema":2,"date":"2026-01-31T09:00:00.000Z"}
//   {"table":"links","row":{...}}             one line per row, parts in the order of dump_parts()
//   {"rows":123,"sha256":"..."}               over all bytes of the lines in between, with their ends
//
// So two dumps of equal stores differ in the date of their first line only, and a damaged or cut-off file is
// known before anything is done with it.
#include "core/base/result.h"
#include "core/base/time.h"

#include <boost/json.hpp>
#include <cstdint>
#include <functional>
#include <istream>
#include <string>
#include <string_view>

namespace slashpost::admin {

inline constexpr std::int64_t dump_version = 1;
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

// One row as a dump has it; valid during the call only.
using TakeDumpRow = std::function<Result<void>(std::string_view table, const boost::json::object& row)>;

// Reads a whole dump once, in constant memory. A failure of `take` ends the reading. Fails, with the number
// of the line, when the dump is of a newer version or schema, has a line that is too long or not of its
// form, is cut off, goes on after its end, or does not match its count and checksum. Returns the rows.
Result<std::uint64_t> read_dump(std::istream& in, const TakeDumpRow& take);

} // namespace slashpost::admin
