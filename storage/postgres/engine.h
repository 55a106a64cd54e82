#pragma once
// A store that somebody else keeps alive: PostgreSQL 13 or later, or what speaks its wire and its SQL.
// README.md of the folder above has the reasons.
#include "storage/options.h"

#include <memory>
#include <span>
#include <string>

namespace slashpost::storage {

// `where` is a URI of libpq (postgres://user@host/name). Makes what tables are missing in the first schema of
// the user's search path. Fails as refused, with code StoreUnusable when the store cannot be reached or does
// not do, StoreInUse while a server has it that this one cannot be beside (options.h).
Result<std::unique_ptr<data::Engine>>
open_postgres(const std::string& where, std::span<const data::Space> spaces, const Options& options);

// One value of a store, which need not have been made yet.
Result<std::optional<data::Bytes>> peek_postgres(const std::string& where, const data::Space& space,
                                                 data::BytesView key);

} // namespace slashpost::storage
