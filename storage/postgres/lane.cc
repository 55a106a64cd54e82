#include "storage/postgres/lane.h"

#include "core/base/errors.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <thread>

namespace slashpost::storage::postgres {

namespace {

constexpr const char* make_table =
    "CREATE TABLE IF NOT EXISTS lanes (lane bigint PRIMARY KEY, epoch bigint NOT NULL, seq bigint NOT NULL, "
    "node bytea NOT NULL, until timestamptz NOT NULL)";
constexpr std::string_view make_row = "INSERT INTO lanes (lane, epoch, seq, node, until) VALUES ($1, 0, 0, "
                                      "$2, now()) ON CONFLICT (lane) DO NOTHING";
// Of a lease that has ended, or whose end is still the one that was seen.
constexpr std::string_view take_row =
    "UPDATE lanes SET epoch = epoch + 1, node = $2, until = now() + interval '10 seconds' "
    "WHERE lane = $1 AND (until <= now() OR (node = $2 AND convert_to(until::text, 'UTF8') = $3)) RETURNING "
    "epoch, seq";
constexpr std::string_view who = "SELECT node, convert_to(until::text, 'UTF8') FROM lanes WHERE lane = $1";
// A server that lives renews its lease once a second.
constexpr std::chrono::milliseconds sign_of_life{2'500};
constexpr std::string_view count_up = "UPDATE lanes SET seq = $3, until = now() + interval '10 seconds' "
                                      "WHERE lane = $1 AND epoch = $2 AND seq = $3 - 1";
constexpr std::string_view look_up = "SELECT seq FROM lanes WHERE lane = $1 AND epoch = $2";
constexpr std::string_view keep =
    "UPDATE lanes SET until = now() + interval '10 seconds' WHERE lane = $1 AND epoch = $2";
constexpr std::string_view leave = "UPDATE lanes SET until = now() WHERE lane = $1 AND epoch = $2";

} // namespace

Result<std::unique_ptr<Lane>> Lane::take(Pool& pool, const std::string& node) {
    const auto connection = TRY(pool.take());
    constexpr std::string_view doing = "taking the store";
    if (const auto made = connection->run(make_table); !made)
        return error_of(made.error(), doing);
    if (const auto made = connection->ask(make_row, std::array<Parameter, 2>{number, data::BytesView(node)});
        !made)
        return error_of(made.error(), doing);
    std::optional<data::Bytes> seen; // when the lease of a server with the same name would end
    for (;;) {
        const auto taken =
            connection->ask(take_row, std::array<Parameter, 3>{number, data::BytesView(node),
                                                               data::BytesView(seen.value_or(""))});
        if (!taken)
            return error_of(taken.error(), doing);
        if (taken->count() == 1)
            return std::unique_ptr<Lane>(new Lane(pool, node, taken->number(0, 0), taken->number(0, 1)));
        const auto other = connection->ask(who, std::array<Parameter, 1>{number});
        if (!other)
            return error_of(other.error(), doing);
        const bool is_namesake = other->bytes(0, 0) == node;
        if (!is_namesake)
            return refused(
                "StoreInUse", "store",
                fmt::format("another server uses the store: {}; stop it, or wait ten seconds if it has died",
                            other->bytes(0, 0)));
        if (seen)
            return refused(
                "StoreInUse", "store",
                "a server with the same data folder, or a copy of it, uses the store; stop it, or start this "
                "one with a data folder of its own");
        // It may have died just now; then nobody renews its lease.
        seen = other->bytes(0, 1);
        std::this_thread::sleep_for(sign_of_life);
    }
}

Lane::~Lane() {
    if (auto connection = pool_.take(); connection.has_value())
        (void)(*connection)->ask(leave, std::array<Parameter, 2>{number, epoch_});
}

Answer<bool> Lane::write(Connection& connection, std::int64_t seq) {
    return TRY(connection.ask(count_up, std::array<Parameter, 3>{number, epoch_, seq})).changed() == 1;
}

Answer<bool> Lane::has(Connection& connection, std::int64_t seq) {
    const auto rows = TRY(connection.ask(look_up, std::array<Parameter, 2>{number, epoch_}));
    return rows.count() == 1 && rows.number(0, 0) >= seq;
}

Answer<bool> Lane::renew(Connection& connection) {
    return TRY(connection.ask(keep, std::array<Parameter, 2>{number, epoch_})).changed() == 1;
}

} // namespace slashpost::storage::postgres
