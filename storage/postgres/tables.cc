#include "storage/postgres/tables.h"

#include "core/base/errors.h"

#include <fmt/format.h>

namespace slashpost::storage::postgres {

Table::Table(const data::Space& of, Dialect dialect) : space(of) {
    const std::string_view asc = dialect == Dialect::yugabyte ? " ASC" : "";
    const auto s = fmt::format("s_{}", of.number), m = fmt::format("m_{}", of.number);
    make = {fmt::format("CREATE TABLE IF NOT EXISTS {} (k bytea NOT NULL, ver bigint NOT NULL, v bytea, "
                        "PRIMARY KEY (k{}))",
                        s, asc),
            fmt::format("CREATE INDEX IF NOT EXISTS {0}_gone ON {0} (ver) WHERE v IS NULL", s)};
    look = fmt::format("SELECT 0::bigint, ver, v, 0::bigint FROM {} WHERE k = $1", s);
    versions = fmt::format("SELECT k, ver FROM {} WHERE k = ANY($1)", s);
    const auto page_of = [&](std::string_view columns, std::string_view table, std::string_view where,
                             std::string_view order) {
        return fmt::format("SELECT {} FROM {} WHERE {} ORDER BY {} LIMIT $3", columns, table, where, order);
    };
    // $2 is there in each, so that all take the same parameters.
    constexpr std::string_view within = "k >= $1 AND k < $2", open = "k >= $1 AND $2::bytea IS NULL";
    const auto with_value = [](std::string_view range) { return fmt::format("{} AND v IS NOT NULL", range); };
    page = page_of("k, v", s, with_value(within), "k");
    page_to_end = page_of("k, v", s, with_value(open), "k");
    page_back = page_of("k, v", s, with_value(within), "k DESC");
    page_back_from_end = page_of("k, v", s, with_value(open), "k DESC");
    guard =
        fmt::format("INSERT INTO {} (k, ver, v) SELECT g.k, 0, NULL FROM unnest($1) AS g (k) ORDER BY g.k "
                    "ON CONFLICT (k) DO NOTHING",
                    s);
    lock_to_write = fmt::format("SELECT k, ver FROM {} WHERE k = ANY($1) ORDER BY k FOR NO KEY UPDATE", s);
    lock_to_read = fmt::format("SELECT k, ver FROM {} WHERE k = ANY($1) ORDER BY k FOR SHARE", s);
    write = fmt::format("INSERT INTO {} (k, ver, v) SELECT w.k, $2, w.v FROM unnest($1, $3) AS w (k, v) "
                        "ORDER BY w.k ON CONFLICT (k) DO UPDATE SET ver = excluded.ver, v = excluded.v",
                        s);
    // What nobody can have seen any more is few, so that the locks are short.
    forget_tombstones =
        fmt::format("DELETE FROM {0} WHERE v IS NULL AND k IN (SELECT k FROM {0} WHERE v IS NULL "
                    "AND ver >= $1 AND ver <= $2 LIMIT $3)",
                    s);
    if (!merges())
        return;
    make.push_back(
        fmt::format("CREATE TABLE IF NOT EXISTS {0} (k bytea NOT NULL, lane bigint NOT NULL, seq bigint "
                    "NOT NULL, piece bytea NOT NULL, PRIMARY KEY (k{1}, lane{1}, seq{1}))",
                    m, asc));
    constexpr std::string_view columns = "k, lane, seq, piece";
    look += fmt::format(" UNION ALL SELECT lane, seq, piece, 1 FROM {} WHERE k = $1 ORDER BY 4, 1, 2", m);
    piece_versions = fmt::format("SELECT k, lane, seq FROM {} WHERE k = ANY($1) ORDER BY k, lane, seq", m);
    pieces = page_of(columns, m, within, "k, lane, seq");
    pieces_to_end = page_of(columns, m, open, "k, lane, seq");
    pieces_back = page_of(columns, m, within, "k DESC, lane, seq");
    pieces_back_from_end = page_of(columns, m, open, "k DESC, lane, seq");
    add_pieces =
        fmt::format("INSERT INTO {} (k, lane, seq, piece) SELECT w.k, $2, $3, w.p FROM unnest($1, $4) AS "
                    "w (k, p) ORDER BY w.k",
                    m);
    append_pieces =
        fmt::format("INSERT INTO {0} (k, lane, seq, piece) SELECT w.k, 0, 1 + coalesce((SELECT "
                    "max(old.seq) FROM {0} AS old WHERE old.k = w.k), 0), w.p FROM unnest($1, $2) AS "
                    "w (k, p) ORDER BY w.k",
                    m);
    forget_pieces =
        fmt::format("DELETE FROM {} AS m USING unnest($1, $2, $3) AS w (k, lane, seq) WHERE m.k = w.k "
                    "AND m.lane = w.lane AND m.seq = w.seq",
                    m);
    forget_all = fmt::format("DELETE FROM {} WHERE k = ANY($1)", m);
}

Tables::Tables(std::span<const data::Space> spaces, std::span<const data::Space> watched, Dialect dialect) {
    tables_.emplace(data::tallies.number, Table(data::tallies, dialect));
    for (const auto& space : spaces)
        tables_.emplace(space.number, Table(space, dialect));
    for (const auto& space : watched)
        if (const auto found = tables_.find(space.number); found != tables_.end())
            found->second.is_watched = true;
}

Result<const Table*> Tables::of(const data::Space& space) const {
    if (const auto found = tables_.find(space.number); found != tables_.end())
        return &found->second;
    return fault(fmt::format("the space '{}' was not declared when the store was opened", space.name));
}

} // namespace slashpost::storage::postgres
