#include "storage/open.h"

#include "core/base/errors.h"
#include "core/base/text.h"
#include "storage/memory/engine.h"
#include "storage/postgres/engine.h"
#include "storage/rocksdb/copies.h"
#include "storage/rocksdb/engine.h"
#include "storage/rocksdb/folder.h"

#include <fmt/format.h>

#include <set>
#include <string>

namespace slashpost::storage {

namespace {

constexpr std::string_view rocksdb_scheme = "rocksdb:";

bool names_postgres(std::string_view where) {
    return where.starts_with("postgres://") || where.starts_with("postgresql://");
}

std::unexpected<Error> unknown_engine(std::string_view where) {
    return refused(
        "UnknownEngine", "store",
        fmt::format("'{}' names no store; give rocksdb:PATH, postgres://USER@HOST/NAME or memory:", where));
}

Result<void> check_distinct(std::span<const data::Space> spaces) {
    std::set<std::uint16_t> numbers{data::tallies.number};
    std::set<std::string_view> names{"default", data::tallies.name};
    for (const auto& space : spaces)
        if (!numbers.insert(space.number).second || !names.insert(space.name).second)
            return fault(fmt::format("space {} '{}': number or name taken", space.number, space.name));
    return {};
}

} // namespace

Result<std::unique_ptr<data::Engine>> open(std::string_view where, std::span<const data::Space> spaces,
                                           const Options& options) {
    TRY(check_distinct(spaces));
    if (where == "memory:")
        return make_memory_engine(spaces);
    if (where.starts_with(rocksdb_scheme))
        return open_rocksdb(std::string(where.substr(rocksdb_scheme.size())), spaces, options);
    if (names_postgres(where))
        return open_postgres(std::string(where), spaces, options);
    return unknown_engine(where);
}

Result<void> copy_store(const std::string& from, const std::string& folder, const data::Tell& tell) {
    return copy_closed_store(from, folder, tell);
}

bool is_address_elsewhere(std::string_view where) {
    if (!names_postgres(where) || !is_utf8(where) || has_control(where))
        return false;
    const auto rest = where.substr(where.find("//") + 2);
    const auto login = rest.substr(0, rest.find_first_of("/?"));
    const auto at = login.find('@');
    return (at == login.npos || !login.substr(0, at).contains(':')) && !rest.contains("password=");
}

Result<std::optional<data::Bytes>> peek(std::string_view where, const data::Space& space,
                                        data::BytesView key) {
    if (where == "memory:")
        return std::nullopt;
    if (where.starts_with(rocksdb_scheme))
        return peek_rocksdb(std::string(where.substr(rocksdb_scheme.size())), space, key);
    if (names_postgres(where))
        return peek_postgres(std::string(where), space, key);
    return unknown_engine(where);
}

} // namespace slashpost::storage
