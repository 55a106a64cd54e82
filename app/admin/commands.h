#pragma once
// The admin tool's commands. Each writes its result to the console and answers the exit code, or fails with
// a sentence that says what to do. All but `restore` and `reindex` may run beside a live server.
#include "app/admin/admin_context.h"
#include "app/admin/console.h"

#include <cstdint>
#include <filesystem>

namespace slashpost::admin {

class DumpReader;

inline constexpr int exit_good = 0;
inline constexpr int exit_findings = 1;

enum class DumpKeys : std::uint8_t { without, with }; // of certificates
// The whole store as one consistent snapshot, in the form of dump_file.h.
Result<int> dump(AdminContext& context, Console& console, DumpKeys keys = DumpKeys::without);

// Writes a dump into a new store. Fails when it is not a whole, good dump; then the store has some of it and
// is good for nothing.
Result<int> restore(AdminContext& context, DumpReader& dump, Console& console);
// Puts a dump into a data folder without a store or with an empty one, whose lock the caller holds: all of
// it, or nothing when it fails. Nor does a restore that is killed leave a store; what it leaves goes when a
// store is opened or restored there.
Result<int> restore_folder(const std::filesystem::path& folder, DumpReader& dump, Console& console,
                           bool accepts_loss);

// Looks at every row, entry, tally, reference and checksum; one line per finding.
Result<int> verify(AdminContext& context, Console& console);
// Mends entries and tallies. Nothing else may write meanwhile.
Result<int> reindex(AdminContext& context, Console& console);
// What is stored how: tables, entries, numbers, and the measured bytes per row.
Result<int> show_schema(AdminContext& context, Console& console);

} // namespace slashpost::admin
