#pragma once
// `slashpost-admin move`: a store goes from its data folder to a server that somebody else keeps alive.
#include "app/admin/admin_context.h"

#include <filesystem>
#include <string>

namespace slashpost::admin {

// Copies every entry of the context's store to the one at `where` (storage/open.h), reads it there as
// `verify` does, and answers its exit code. Refused when there is a store already; what a move that was cut
// off has left there is replaced. Nobody else may write to either meanwhile.
Result<int> move_store(AdminContext& context, const std::string& where, Console& console);

// Where the folder's own store and its journal, whose clicks are all in the store, lie after a move.
std::filesystem::path moved_folder(const std::filesystem::path& folder);
// Puts them there, so that the folder is that of a server whose store lies elsewhere. Nobody has them open,
// and the caller holds the folder's lock.
Result<void> put_moved_store_aside(const std::filesystem::path& folder);

} // namespace slashpost::admin
