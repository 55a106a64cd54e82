#include "core/work/retention.h"

#include "core/schema/rollups.h"

namespace slashpost {

namespace {

constexpr std::string_view progress_key = "rollups.pruned";
constexpr std::size_t rows_max = 1000, subjects_max = 1000; // of a batch
constexpr std::size_t grain_and_bucket_bytes = 5;

// The subject of the first row that is not before `from`.
Result<std::optional<Subject>> subject_from(data::View& view, const data::Bytes& from) {
    std::optional<Subject> found;
    TRY(view.scan(space::rollups, {.from = from, .until = {}}, data::Order::forward,
                  [&](data::BytesView at, data::BytesView) {
                      found = Subject{data::Bytes(at.substr(0, at.size() - grain_and_bucket_bytes))};
                      return false;
                  }));
    return found;
}

Result<std::vector<data::Bytes>> old_hours(data::View& view, const Subject& subject, std::uint32_t first_kept,
                                           std::size_t max) {
    std::vector<data::Bytes> found;
    TRY(view.scan(
        space::rollups,
        {.from = rollup_key(subject, Grain::hour, 0), .until = rollup_key(subject, Grain::hour, first_kept)},
        data::Order::forward, [&](data::BytesView at, data::BytesView) {
            found.emplace_back(at);
            return found.size() < max;
        }));
    return found;
}

} // namespace

Result<bool> prune_hours(SystemContext& system) {
    auto& txn = system.txn;
    const auto today = bucket_of(Grain::day, system.now);
    if (today < hours_kept_days)
        return false;
    const auto first_kept = (today - hours_kept_days) * 24;

    // Every row lies behind the empty key, and a walk that is done has none.
    data::Bytes next(1, '\0');
    if (const auto stored = TRY(txn.get(space::meta, progress_key)))
        if (stored->starts_with(data::key(today)))
            next = stored->substr(sizeof today);
    if (next.empty())
        return false;

    std::size_t erased = 0;
    for (std::size_t subjects = 0; subjects < subjects_max && erased < rows_max && !next.empty();
         ++subjects) {
        const auto subject = TRY(subject_from(txn, next));
        next = subject ? subject->prefix : data::Bytes();
        if (!subject)
            break;
        const auto old = TRY(old_hours(txn, *subject, first_kept, rows_max - erased));
        for (const auto& at : old)
            TRY(txn.erase(space::rollups, at));
        erased += old.size();
        if (erased < rows_max)
            next = data::Range::of_prefix(subject->prefix).until;
    }
    TRY(txn.put(space::meta, progress_key, data::key(today, data::Raw{next})));
    return !next.empty();
}

} // namespace slashpost
