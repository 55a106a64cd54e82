#pragma once
// The admin tool's commands. Each writes its result to the console and answers the exit code, or fails with
// a sentence that says what to do. All but `restore` and `reindex` may run beside a live server.
#include "app/admin/console.h"
#include "app/admin/house.h"

namespace slashpost::admin {

class DumpReader;

inline constexpr int exit_good = 0;
inline constexpr int exit_findings = 1;

// The whole store as one consistent snapshot, in the form of dump_file.h.
Result<int> dump(House& house, Console& console);

// Puts a dump into an empty store: all of it, or nothing when it is not a whole, good dump. One that is cut
// off leaves nothing either, or, of a dump by an early build, a store that opens for nobody.
Result<int> restore(House& house, DumpReader& dump, Console& console);

// Looks at every row, entry, tally, reference and checksum; one line per finding.
Result<int> verify(House& house, Console& console);
// Mends entries and tallies. Nothing else may write meanwhile.
Result<int> reindex(House& house, Console& console);
// What is stored how: tables, entries, numbers, and the measured bytes per row.
Result<int> show_schema(House& house, Console& console);

} // namespace slashpost::admin
