#include "core/schema/recent_rollups.h"

#include "core/base/errors.h"
#include "core/data/packed.h"
#include "core/schema/recent_links.h"

#include <algorithm>

namespace slashpost {

using data::key;

namespace {

constexpr std::string_view settled_key = "rollups.settled";
constexpr std::string_view rollups_settling_key = "rollups.settling";
constexpr std::size_t hour_key_bytes = 4;
constexpr std::size_t batch_rows_max = 500;

struct Row {
    data::Bytes at;
    data::Counts counts;
    [[nodiscard]] std::uint32_t hour() const {
        return static_cast<std::uint32_t>(data::big_endian(data::BytesView(at).substr(0, hour_key_bytes)));
    }
    [[nodiscard]] Subject subject() const { return {at.substr(hour_key_bytes)}; }
};

// The first rows of a range; read one by one, because a scan is not tracked.
Result<std::vector<Row>> take_rows(data::Txn& txn, const data::Range& range) {
    std::vector<Row> rows;
    TRY(txn.scan(space::recent_rollups, range, data::Order::forward,
                 [&](data::BytesView at, data::BytesView) {
                     rows.push_back({.at = data::Bytes(at), .counts = {}});
                     return rows.size() < batch_rows_max;
                 }));
    for (auto& row : rows)
        if (const auto stored = TRY(txn.get(space::recent_rollups, row.at)))
            row.counts = TRY(data::Counts::decode(*stored));
    return rows;
}

Result<void> put_settled(data::Txn& txn, const SettledHours& hours) {
    return txn.put(space::meta, settled_key, key(hours.settled, hours.closed));
}

Result<SettledHours> decode_settled(const std::optional<data::Bytes>& stored) {
    if (!stored)
        return SettledHours{};
    if (stored->size() != 2 * hour_key_bytes)
        return fault("the hours that are settled cannot be read");
    const auto number = [&](std::size_t at) {
        return static_cast<std::uint32_t>(
            data::big_endian(data::BytesView(*stored).substr(at, hour_key_bytes)));
    };
    return SettledHours{.settled = number(0), .closed = number(hour_key_bytes)};
}

// Leaps from hour to hour, and over all that was moved.
Result<void> add_hours_of(data::View& view, const data::Space& in, std::uint32_t settled,
                          std::vector<std::uint32_t>& hours) {
    auto from = key(settled);
    while (!from.empty()) {
        data::Bytes found;
        TRY(view.scan(in, {.from = from, .until = {}}, data::Order::forward,
                      [&](data::BytesView at, data::BytesView) {
                          found = at.substr(0, hour_key_bytes);
                          return false;
                      }));
        if (!found.empty())
            hours.push_back(static_cast<std::uint32_t>(data::big_endian(found)));
        from = found.empty() ? data::Bytes() : data::Range::of_prefix(found).until;
    }
    return {};
}

} // namespace

data::Bytes recent_rollup_key(std::uint32_t hour, const Subject& subject) {
    return key(hour, data::Raw{subject.prefix});
}

Result<SettledHours> settled_hours(data::View& view) {
    return decode_settled(TRY(view.get(space::meta, settled_key)));
}

Result<void> add_hour(data::Txn& txn, const SettledHours& hours, const Subject& subject, std::uint32_t hour,
                      const data::Counts& delta) {
    if (hour < hours.closed)
        return add_to_rollups(txn, subject, begin_of(Grain::hour, hour), delta);
    return txn.add_counts(space::recent_rollups, recent_rollup_key(hour, subject), delta);
}

Result<std::vector<std::uint32_t>> recent_hours(data::View& view) {
    const auto settled = TRY(decode_settled(TRY(view.peek(space::meta, settled_key)))).settled;
    std::vector<std::uint32_t> hours;
    TRY(add_hours_of(view, space::recent_links, settled, hours));
    TRY(add_hours_of(view, space::recent_rollups, settled, hours));
    std::ranges::sort(hours);
    hours.erase(std::ranges::unique(hours).begin(), hours.end());
    return hours;
}

Result<data::Counts> recent_counts(data::View& view, std::uint32_t hour, const Subject& subject) {
    const auto stored = TRY(view.peek(space::recent_rollups, recent_rollup_key(hour, subject)));
    return stored ? data::Counts::decode(*stored) : data::Counts();
}

Result<bool> close_hours_batch(data::Txn& txn, std::uint32_t until) {
    auto hours = TRY(settled_hours(txn));
    if (hours.closed < until) {
        hours.closed = until;
        TRY(put_settled(txn, hours));
        return true; // what folds still write before this commit is moved after it
    }
    if (hours.settled == hours.closed)
        return false;
    if (TRY(settle_links(txn, hours)))
        return true;
    const auto next = TRY(txn.get(space::meta, rollups_settling_key));
    const auto rows =
        TRY(take_rows(txn, {.from = next ? *next : key(hours.settled), .until = key(hours.closed)}));
    if (rows.empty()) {
        hours.settled = hours.closed;
        TRY(put_settled(txn, hours));
        TRY(txn.erase(space::meta, rollups_settling_key));
        return false;
    }
    TRY(txn.put(space::meta, rollups_settling_key, rows.back().at + '\0'));
    for (const auto& row : rows)
        TRY(txn.erase(space::recent_rollups, row.at));
    for (const auto& row : rows)
        TRY(add_to_rollups(txn, row.subject(), begin_of(Grain::hour, row.hour()), row.counts));
    return true;
}

Result<void> close_all_hours(data::Engine& engine) {
    const auto hours = TRY(engine.read([](data::View& view) { return recent_hours(view); }));
    if (hours.empty())
        return {};
    for (;;) {
        const auto more =
            engine.transact([&](data::Txn& txn) { return close_hours_batch(txn, hours.back() + 1); });
        if (more.has_value() && !*more)
            return {};
        if (!more.has_value() && more.error().kind != ErrorKind::conflict) // somebody else moves them too
            return std::unexpected(more.error());
    }
}

} // namespace slashpost
