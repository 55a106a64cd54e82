#pragma once
// What a dump consists of, one part after the other: every table of the schema, then the figures that are
// accumulated and cannot be recomputed from rows (click totals, last clicks, rollups). Journal positions and
// derived entries are not part: they belong to one folder, or follow from the rows.
#include "app/admin/meter.h"
#include "core/data/engine.h"

#include <boost/json.hpp>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

namespace slashpost::admin {

class DumpPart {
  public:
    // The object is valid during the call only.
    using Take = std::function<Result<void>(const boost::json::object&)>;

    virtual ~DumpPart() = default;
    [[nodiscard]] virtual std::string_view name() const = 0;
    // Of keys that a dump has only when they are asked for: nothing else of the store depends on them.
    [[nodiscard]] virtual bool is_of_keys() const { return false; }
    // Calls `visit` for what is stored of each row, in a fixed order, behind the row of key `after` if it is
    // not empty. Fails with figures that belong to no part.
    virtual Result<void> scan(data::View& view, data::BytesView after, const data::Visit& visit) const = 0;
    // Where all of it is.
    [[nodiscard]] virtual Meter::Walk walk() const = 0;
    // The row that `scan` visited with these bytes. From any thread.
    virtual Result<void> show(data::BytesView key, data::BytesView value, const Take& take) const = 0;
    // Puts one row of a dump into a store that does not have it. Fails with a sentence when `row` is not
    // wholly a row of this part.
    virtual Result<void> restore(data::Txn& txn, const boost::json::object& row) const = 0;
};

// For restoring: fails with a conflict when there is something under the key.
Result<void> put_new(data::Txn& txn, const data::Space& space, data::BytesView key, data::BytesView value);

// In the order of the dump.
std::span<const std::unique_ptr<DumpPart>> dump_parts();

} // namespace slashpost::admin
