#pragma once
// `slashpost-admin import csv`: links out of a CSV file (core/base/csv.h), in batches of a transaction each.
//
// The import is named after the content of the file and the workspace, and the transaction of a batch also
// writes how far the import has come (core/schema/imports.h). So the same command goes on after being cut
// off, and a file that is in is not imported again. Memory does not depend on the length of the file, but for
// nine bytes or so for each slashtag that it gives: by their hashes, of 64 bits with a secret key, a slashtag
// that is there twice is found before anything is written.
#include "app/admin/admin_context.h"
#include "app/admin/console.h"
#include "app/admin/import_file.h"

#include <filesystem>
#include <memory>

namespace slashpost::admin {

struct ImportOptions {
    std::filesystem::path file;
    std::shared_ptr<const ImportFile> opened; // the same, when it was opened before
    std::string workspace; // an id, or a username for that account's default one; empty: of the first account
    bool dry_run = false;
    bool skip_invalid = false;
    std::size_t batch_links = 0; // of a transaction, at most; 0: what suits the context
};

Result<int> import_csv(AdminContext& context, Console& console, const ImportOptions& options);

} // namespace slashpost::admin
