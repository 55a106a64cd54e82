#pragma once
// What an import of links writes besides the links themselves: how far it has come, and the clicks that links
// had before.
//
//   space::meta   "import/" id of the import       -> ImportState, encoded
//                 "import run/" id of the import   -> who goes on with it: a token of its run
#include "core/data/codec.h"
#include "core/model/link.h"

#include <map>

namespace slashpost {

// Where an import stands: everything before is on disk, nothing behind is.
struct ImportState {
    Timestamp begun;
    std::uint64_t offset = 0; // of the first byte that is not done
    std::uint64_t line = 1;   // that it is in
    std::uint64_t made = 0;   // links
    std::uint64_t refused = 0;
    std::uint64_t same = 0; // were there already
    std::uint64_t skipped = 0, overwritten = 0;
    bool finished = false;
    data::Unknown unknown;

    static constexpr auto fields() {
        using data::stored;
        return std::tuple{stored(1, "offset", &ImportState::offset),
                          stored(2, "line", &ImportState::line),
                          stored(3, "made", &ImportState::made),
                          stored(4, "refused", &ImportState::refused),
                          stored(5, "finished", &ImportState::finished),
                          stored(6, "begun", &ImportState::begun),
                          stored(7, "same", &ImportState::same),
                          stored(8, "skipped", &ImportState::skipped),
                          stored(9, "overwritten", &ImportState::overwritten)};
    }
};

// Nothing for an import that has not begun. `import` is any text that names it.
Result<std::optional<ImportState>> import_state(data::View& view, data::BytesView import);
// From the commit on, this run is the one that may go on.
Result<void> begin_import_run(data::Txn& txn, data::BytesView import, data::BytesView run);
// Refused with Conflict when another run began meanwhile. To be called in every transaction of the import:
// of two runs only one can commit then.
Result<void> check_import_run(data::Txn& txn, data::BytesView import, data::BytesView run);
// Conflicts with nobody. Runs of check_import_run's callers must commit one after the other.
Result<void> put_import_state(data::Txn& txn, data::BytesView import, const ImportState& state);

// What happened to links that are new here. When is not known. So the totals have the clicks, and the rollups
// (core/schema/rollups.h) have them since ever and on the first day of all, 1970-01-01, where no period that
// anybody asks for begins; the last click is taken to be as old as the link. Writes without reading.
class EarlierClicks {
  public:
    Result<void> count(data::Txn& txn, const Link& link, std::int64_t clicks);
    // What workspaces, domains and tags have of them, once in a transaction instead of once for each link.
    // When all are counted.
    Result<void> write(data::Txn& txn) const;

  private:
    std::map<data::Bytes, std::int64_t> shared_; // by prefix of the subject
};

} // namespace slashpost
