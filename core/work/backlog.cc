#include "core/work/backlog.h"

#include "core/schema/schema.h"

namespace slashpost {

namespace {

template <class T>
Result<std::uint64_t> count_rows(data::View& view, const data::Table<T>& table) {
    std::uint64_t count = 0;
    TRY(table.each(view, [&](const T&) -> Result<bool> { return ++count < backlog_counted_max; }));
    return count;
}

} // namespace

Result<Backlog> count_backlog(data::View& view) {
    return Backlog{.mails = TRY(count_rows(view, schema().mails)),
                   .jobs = TRY(count_rows(view, schema().jobs))};
}

} // namespace slashpost
