#pragma once
// `slashpost-admin import`: links out of files of many kinds (app/admin/import/source.h), in batches of a
// transaction each.
//
// The import is named after the content of the file, the workspace and what else decides what is made, and
// the transaction of a batch also writes how far the import has come (core/schema/imports.h). So the same
// command goes on after being cut off, and a file that is in is not imported again. Memory does not depend on
// the length of the file, but for twenty-five bytes or so for each slashtag that it gives: by their hashes,
// of 64 bits with a secret key, a slashtag that is there twice is found before anything is written.
#include "app/admin/admin_context.h"
#include "app/admin/console.h"
#include "app/admin/import_file.h"
#include "core/ops/link_imports.h"

#include <filesystem>
#include <memory>

namespace slashpost::admin {

struct ImportOptions {
    std::vector<std::filesystem::path> files;
    std::vector<std::shared_ptr<const ImportFile>> opened = {}; // the same, when they were opened before
    std::string from = {};                                      // a source; empty: each file's is found out
    std::vector<std::string> columns = {};                      // "ours=theirs"
    std::vector<std::string> domains = {};                      // "old=new"
    std::string zone = {};
    OnTaken on_taken = OnTaken::refuse;
    std::string workspace =
        {}; // an id, or a username for that account's default one; empty: of the first account
    bool dry_run = false;
    bool skip_invalid = false;
    std::size_t batch_links = 0; // of a transaction, at most; 0: what suits the context
};

// One file after the other. Answers exit_findings when something of one was left out or refused.
Result<int> import_files(AdminContext& context, Console& console, const ImportOptions& options);

} // namespace slashpost::admin
