#include "storage/postgres/lane.h"

#include "core/base/errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <thread>

namespace slashpost::storage::postgres {

namespace {

constexpr const char* make_table =
    "CREATE TABLE IF NOT EXISTS lanes (lane bigint PRIMARY KEY, epoch bigint NOT NULL, seq bigint NOT NULL, "
    "node bytea NOT NULL, until timestamptz NOT NULL, shown bigint NOT NULL DEFAULT 0, alone bigint NOT NULL "
    "DEFAULT 0)";
// As an earlier version made it, for one server.
constexpr const char* has_columns = "SELECT shown, alone FROM lanes LIMIT 0";
constexpr const char* add_columns =
    "ALTER TABLE lanes ADD COLUMN IF NOT EXISTS shown bigint NOT NULL DEFAULT 0, "
    "ADD COLUMN IF NOT EXISTS alone bigint NOT NULL DEFAULT 0";
constexpr std::string_view look =
    "SELECT lane, epoch, seq, shown, alone, (CASE WHEN until = '-infinity' THEN 2 WHEN until <= now() THEN 1 "
    "ELSE 0 END)::bigint, node, convert_to(until::text, 'UTF8'), (extract(epoch FROM now()) * 1000)::bigint "
    "FROM lanes ORDER BY lane";
constexpr std::string_view make_row =
    "INSERT INTO lanes (lane, epoch, seq, node, until) SELECT coalesce(max(lane), 0) + 1, 0, 0, $1, "
    "'-infinity' FROM lanes ON CONFLICT (lane) DO NOTHING";
// Of a lease that has ended or been given back, or whose end is still the one that was seen.
constexpr std::string_view take_row =
    "UPDATE lanes SET epoch = epoch + 1, node = $3, until = now() + interval '10 seconds', shown = 0, "
    "alone = $4 WHERE lane = $1 AND epoch = $2 AND (until <= now() OR convert_to(until::text, 'UTF8') = $5) "
    "RETURNING epoch, seq";
constexpr std::string_view count_up = "UPDATE lanes SET seq = $3, until = now() + interval '10 seconds' "
                                      "WHERE lane = $1 AND epoch = $2 AND seq = $3 - 1";
constexpr std::string_view look_up = "SELECT seq FROM lanes WHERE lane = $1 AND epoch = $2";
constexpr std::string_view keep = "UPDATE lanes SET until = now() + interval '10 seconds', shown = "
                                  "greatest(shown, $3) WHERE lane = $1 AND epoch = $2";
constexpr std::string_view free_row =
    "UPDATE lanes SET epoch = epoch + 1, until = '-infinity' WHERE lane = $1 AND epoch = $2";
// It may have been in the middle of a long commit.
constexpr std::string_view free_dead_row =
    "UPDATE lanes SET epoch = epoch + 1, until = '-infinity' WHERE lane = $1 AND epoch = $2 AND "
    "convert_to(until::text, 'UTF8') = $3";
// A server that lives renews its lease once a second.
constexpr std::chrono::milliseconds sign_of_life{2'500};
constexpr std::string_view taking = "taking the store";

Answer<void> make_lanes(Connection& connection) {
    TRY(connection.make(make_table));
    if (connection.run(has_columns).has_value())
        return {};
    return connection.make(add_columns);
}

using State = LaneRow::State;

// Who must not be there beside a server of this name.
const LaneRow* rival_in(const std::vector<LaneRow>& rows, std::int64_t own, const std::string& node,
                        bool alone) {
    const auto found = std::ranges::find_if(rows, [&](const LaneRow& row) {
        return row.lane != own && row.state == State::in_use && (alone || row.alone || row.node == node);
    });
    return found == rows.end() ? nullptr : &*found;
}

std::unexpected<Error> in_use_by(const LaneRow& row, const std::string& node) {
    if (row.node == node)
        return refused(
            "StoreInUse", "store",
            "a server with the same data folder, or a copy of it, uses the store; stop it, or start this "
            "one with a data folder of its own");
    return refused(
        "StoreInUse", "store",
        fmt::format("another server uses the store: {}; stop it, or wait ten seconds if it has died",
                    row.node));
}

// A place for this server: that of its own name, or else the first that is free.
const LaneRow* place_in(const std::vector<LaneRow>& rows, const std::string& node) {
    const LaneRow* free = nullptr;
    for (const auto& row : rows) {
        if (row.node == node && !row.is_free())
            return &row;
        if (row.is_free() && (!free || row.node == node))
            free = &row;
    }
    return free;
}

} // namespace

Answer<std::vector<LaneRow>> look_at_lanes(Connection& connection) {
    const auto rows = TRY(connection.ask(look));
    std::vector<LaneRow> out;
    out.reserve(static_cast<std::size_t>(rows.count()));
    for (int row = 0; row < rows.count(); ++row)
        out.push_back({.lane = rows.number(row, 0),
                       .epoch = rows.number(row, 1),
                       .seq = rows.number(row, 2),
                       .shown = static_cast<std::uint64_t>(rows.number(row, 3)),
                       .alone = rows.number(row, 4) != 0,
                       .state = static_cast<State>(rows.number(row, 5)),
                       .node = data::Bytes(rows.bytes(row, 6)),
                       .until = data::Bytes(rows.bytes(row, 7)),
                       .now_ms = rows.number(row, 8)});
    return out;
}

Answer<void> fence(Connection& connection, const LaneRow& row) {
    TRY(connection.ask(free_dead_row,
                       std::array<Parameter, 3>{row.lane, row.epoch, data::BytesView(row.until)}));
    return {};
}

Result<std::unique_ptr<Lane>> Lane::take(Pool& pool, const std::string& node, bool alone) {
    const auto connection = TRY(pool.take());
    if (const auto made = make_lanes(*connection); !made)
        return error_of(made.error(), taking);
    std::optional<data::Bytes> seen; // when the lease of a server with the same name would end
    for (;;) {
        const auto rows = look_at_lanes(*connection);
        if (!rows)
            return error_of(rows.error(), taking);
        for (const auto& row : *rows) // who has died is in nobody's way
            if (row.state == State::ended && (alone || row.alone))
                if (const auto fenced = fence(*connection, row); !fenced)
                    return error_of(fenced.error(), taking);
        const auto* place = place_in(*rows, node);
        const bool is_namesake = place && place->state == State::in_use;
        if (is_namesake && !seen) { // it may have died just now; then nobody renews its lease
            seen = place->until;
            std::this_thread::sleep_for(sign_of_life);
            continue;
        }
        if (is_namesake && place->until != seen)
            return in_use_by(*place, node);
        if (const auto* rival = rival_in(*rows, place ? place->lane : 0, node, alone))
            return in_use_by(*rival, node);
        const auto taken =
            place
                ? connection->ask(
                      take_row, std::array<Parameter, 5>{place->lane, place->epoch, data::BytesView(node),
                                                         std::int64_t{alone}, data::BytesView(place->until)})
                : connection->ask(make_row, std::array<Parameter, 1>{data::BytesView(node)});
        if (!taken)
            return error_of(taken.error(), taking);
        if (!place || taken->count() == 0)
            continue;
        std::unique_ptr<Lane> lane(new Lane(pool, place->lane, taken->number(0, 0), taken->number(0, 1)));
        // Of two that looked at the same moment.
        const auto after = look_at_lanes(*connection);
        if (!after)
            return error_of(after.error(), taking);
        if (const auto* rival = rival_in(*after, place->lane, node, alone))
            return in_use_by(*rival, node);
        return lane;
    }
}

Lane::~Lane() {
    if (auto connection = pool_.take(); connection.has_value())
        (void)(*connection)->ask(free_row, std::array<Parameter, 2>{number_, epoch_});
}

bool Lane::note(bool is_mine) {
    if (!is_mine)
        lost_ = true;
    return is_mine;
}

Answer<bool> Lane::write(Connection& connection, std::int64_t seq) {
    return note(TRY(connection.ask(count_up, std::array<Parameter, 3>{number_, epoch_, seq})).changed() == 1);
}

Answer<bool> Lane::has(Connection& connection, std::int64_t seq) {
    const auto rows = TRY(connection.ask(look_up, std::array<Parameter, 2>{number_, epoch_}));
    return rows.count() == 1 && rows.number(0, 0) >= seq;
}

Answer<bool> Lane::renew(Connection& connection, std::uint64_t shown) {
    return note(
        TRY(connection.ask(keep, std::array<Parameter, 3>{number_, epoch_, static_cast<std::int64_t>(shown)}))
            .changed() == 1);
}

} // namespace slashpost::storage::postgres
