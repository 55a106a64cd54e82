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
    const auto& deliveries = schema().deliveries.by_subject; // which has those alone
    std::uint64_t open = 0;
    TRY(deliveries.walk(view, {},
                        [&](data::BytesView) -> Result<bool> { return ++open < backlog_counted_max; }));
    return Backlog{.mails = TRY(count_rows(view, schema().mails)),
                   .jobs = TRY(count_rows(view, schema().jobs)),
                   .deliveries = open};
}

} // namespace slashpost
