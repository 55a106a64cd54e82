#pragma once
// Where spaces are kept, and every statement about them. Only what PostgreSQL 13 and later and YugabyteDB
// have: no extension, no sequence, no advisory lock, no notification.
//
//   s_<number>   k bytea, ver bigint, v bytea     one row for each key. v is null: there is no value, but
//   there
//                                                 was one, or somebody needed a row to lock
//   m_<number>   k bytea, lane bigint, seq bigint, piece bytea
//                                                 operands that are not merged into the value yet, oldest
//                                                 first by lane and seq; of spaces with a MergeRule only. So
//                                                 adding to one key never waits for another who adds to it
//   lanes        lane bigint, epoch bigint, seq bigint, node bytea, until timestamptz, shown bigint,
//                alone bigint
//                                                 who commits (lane.h): a row for each server
//   changes      lane bigint, seq bigint, space bigint, k bytea
//                                                 what was written lately into watched spaces (watch.h)
//
// `ver` says which commit wrote the row: lane << 40 | seq, 0 of a row that was made to be locked. A key that
// changed has another, whatever its value is.
#include "core/data/engine.h"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace slashpost::storage::postgres {

// Which of the two the store is. Keys of the second are hashed unless a table says that they are in order,
// which the first does not let it say.
enum class Dialect : std::uint8_t { postgresql, yugabyte };

struct Table {
    Table(const data::Space& of, Dialect dialect);

    data::Space space;
    bool is_watched = false; // storage/options.h
    [[nodiscard]] bool merges() const { return space.merges != data::MergeRule::none; }

    std::vector<std::string> make; // the tables
    std::string look;              // k -> the row: 0, ver, v, 0; then its pieces: lane, seq, piece, 1
    std::string versions;          // bytea[] -> k, ver
    std::string piece_versions;    // bytea[] -> k, lane, seq; in this order
    // A page of rows that have a value: k, v. Of a range from $1 on, below $2, or to the end; at most $3.
    std::string page, page_to_end, page_back, page_back_from_end;
    // The same of pieces: k, lane, seq, piece.
    std::string pieces, pieces_to_end, pieces_back, pieces_back_from_end;
    std::string guard;             // bytea[]: makes rows to be locked
    std::string lock_to_write;     // bytea[] -> k, ver
    std::string lock_to_read;      // bytea[] -> k, ver
    std::string write;             // bytea[], ver, bytea[] with null for what is erased
    std::string add_pieces;        // bytea[], lane, seq, bytea[]
    std::string append_pieces;     // bytea[], bytea[]: behind those that are there
    std::string forget_pieces;     // bytea[], bigint[], bigint[]: k, lane and seq of each
    std::string forget_all;        // bytea[]: all pieces of these keys
    std::string forget_tombstones; // first ver, last ver, at most so many
};

class Tables {
  public:
    Tables(std::span<const data::Space> spaces, std::span<const data::Space> watched, Dialect dialect);

    // A fault when the space was not declared when the store was opened.
    [[nodiscard]] Result<const Table*> of(const data::Space& space) const;
    [[nodiscard]] const std::map<std::uint16_t, Table>& all() const { return tables_; }

  private:
    std::map<std::uint16_t, Table> tables_; // by the number of the space
};

} // namespace slashpost::storage::postgres
