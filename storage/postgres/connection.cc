#include "storage/postgres/connection.h"

#include "core/base/errors.h"

#include <fmt/format.h>
#include <poll.h>

#include <array>
#include <cstdlib>

namespace slashpost::storage::postgres {

namespace {

constexpr int making_tries_max = 10; // of a table, say, which another server may be making, too

using data::Bytes;
using data::BytesView;

// Object ids of types, which PostgreSQL never changes (pg_type.dat).
constexpr Oid bytea_oid = 17, bigint_oid = 20, bytea_array_oid = 1001, bigint_array_oid = 1016;
constexpr const char* connect_seconds = "5";

void append_number(Bytes& out, std::uint64_t number, int bytes) {
    for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8)
        out += static_cast<char>(number >> shift);
}

void begin_array(Bytes& out, Oid element, std::size_t count, bool has_nulls) {
    append_number(out, count == 0 ? 0 : 1, 4); // dimensions
    append_number(out, has_nulls ? 1 : 0, 4);
    append_number(out, element, 4);
    if (count == 0)
        return;
    append_number(out, count, 4);
    append_number(out, 1, 4); // the first index
}

// A parameter as it goes over the wire.
struct Encoded {
    Oid type = 0;
    std::optional<Bytes> bytes;
};

Encoded encode(const Parameter& parameter) {
    Encoded out{.type = 0, .bytes = Bytes()};
    if (const auto* number = std::get_if<std::int64_t>(&parameter)) {
        out.type = bigint_oid;
        append_number(*out.bytes, static_cast<std::uint64_t>(*number), 8);
    } else if (const auto* bytes = std::get_if<BytesView>(&parameter)) {
        out.type = bytea_oid;
        out.bytes = *bytes;
    } else if (std::holds_alternative<std::nullptr_t>(parameter)) {
        out = {.type = bytea_oid, .bytes = std::nullopt};
    } else if (const auto* numbers = std::get_if<std::span<const std::int64_t>>(&parameter)) {
        out.type = bigint_array_oid;
        begin_array(*out.bytes, bigint_oid, numbers->size(), false);
        for (const auto one : *numbers) {
            append_number(*out.bytes, 8, 4);
            append_number(*out.bytes, static_cast<std::uint64_t>(one), 8);
        }
    } else {
        const auto& many = std::get<std::span<const std::optional<BytesView>>>(parameter);
        out.type = bytea_array_oid;
        begin_array(*out.bytes, bytea_oid, many.size(), true);
        for (const auto& one : many) {
            append_number(*out.bytes, one ? one->size() : 0xffff'ffff, 4);
            out.bytes->append(one.value_or(""));
        }
    }
    return out;
}

Failure::Kind kind_of(std::string_view sqlstate) {
    static constexpr std::array<std::string_view, 6> in_the_way{
        "40001",  // serialization_failure; also a read that is to begin anew
        "40P01",  // deadlock_detected
        "55P03",  // lock_not_available
        "23505",  // unique_violation: a guard, or a table, that two made at once
        "42P07",  // duplicate_table, also after IF NOT EXISTS
        "42710"}; // duplicate_object: a table's type
    for (const auto state : in_the_way)
        if (sqlstate == state)
            return Failure::Kind::again;
    // disk_full, read_only_sql_transaction
    if (sqlstate == "53100" || sqlstate == "25006")
        return Failure::Kind::no_room;
    // connection_exception, operator_intervention (shutdown, cannot_connect_now)
    if (sqlstate.starts_with("08") || sqlstate.starts_with("57P"))
        return Failure::Kind::lost;
    return Failure::Kind::mistake;
}

// What an operator can do about it.
std::string_view advice_for(std::string_view sqlstate) {
    if (sqlstate == "42501" || sqlstate == "3F000") // insufficient_privilege, invalid_schema_name
        return "; give the user a schema of its own: CREATE SCHEMA slashpost AUTHORIZATION the_user, and "
               "ALTER USER the_user SET search_path = slashpost";
    if (sqlstate == "26000" || sqlstate == "42P05") // a prepared statement that is not there, or already is
        return "; a pooler in between mixes up connections: let it keep one per client (pool_mode = "
               "session), "
               "or leave it out";
    return "";
}

// The first line, which says it.
std::string first_line(std::string_view words) { return std::string(words.substr(0, words.find('\n'))); }

} // namespace

std::int64_t Rows::number(int row, int column) const {
    std::uint64_t out = 0;
    for (const char byte : bytes(row, column))
        out = out << 8 | static_cast<unsigned char>(byte);
    return static_cast<std::int64_t>(out);
}

std::int64_t Rows::changed() const { return std::atoll(PQcmdTuples(result_.get())); }

Result<std::unique_ptr<Connection>> Connection::open(const std::string& where) {
    // What the URI says counts; what stands before it is for what it does not say.
    const std::array<const char*, 7> names{"connect_timeout",
                                           "tcp_user_timeout",
                                           "application_name",
                                           "client_encoding",
                                           "dbname",
                                           "target_session_attrs",
                                           nullptr};
    const std::array<const char*, 7> values{connect_seconds, "3000",       "slashpost", "UTF8",
                                            where.c_str(),   "read-write", nullptr};
    auto connection =
        std::unique_ptr<Connection>(new Connection(PQconnectdbParams(names.data(), values.data(), 1)));
    if (!connection->is_alive()) {
        const bool wants_password = PQconnectionNeedsPassword(connection->connection_.get()) != 0 ||
                                    PQconnectionUsedPassword(connection->connection_.get()) != 0;
        return refused(
            "StoreUnusable", "store",
            fmt::format("cannot connect to the store {}: {}{}", name_of_store(where),
                        first_line(PQerrorMessage(connection->connection_.get())),
                        wants_password ? "; PGPASSWORD or the file .pgpass tells the password" : ""));
    }
    PQsetNoticeProcessor(connection->connection_.get(), [](void*, const char*) {}, nullptr);
    return connection;
}

Answer<Rows> Connection::answer_of(PGresult* result) {
    Rows rows(result);
    const auto status = PQresultStatus(result);
    if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK)
        return rows;
    const char* state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const char* primary = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    Failure failure{.kind = kind_of(state == nullptr ? "" : state),
                    .words = primary == nullptr ? first_line(PQerrorMessage(connection_.get())) : primary};
    failure.words += advice_for(state == nullptr ? "" : state);
    if (!is_alive())
        failure.kind = Failure::Kind::lost;
    return std::unexpected(std::move(failure));
}

Answer<Rows> Connection::ask(std::string_view statement, std::span<const Parameter> parameters) {
    std::vector<Encoded> encoded;
    encoded.reserve(parameters.size());
    for (const auto& parameter : parameters)
        encoded.push_back(encode(parameter));
    std::vector<Oid> types;
    std::vector<const char*> values;
    std::vector<int> lengths, formats;
    for (const auto& one : encoded) {
        types.push_back(one.type);
        values.push_back(one.bytes ? one.bytes->data() : nullptr);
        lengths.push_back(one.bytes ? static_cast<int>(one.bytes->size()) : 0);
        formats.push_back(1);
    }
    const auto count = static_cast<int>(parameters.size());
    const auto [found, is_new] =
        prepared_.try_emplace(std::string(statement), fmt::format("s{}", prepared_.size()));
    if (is_new) {
        auto made = answer_of(
            PQprepare(connection_.get(), found->second.c_str(), found->first.c_str(), count, types.data()));
        if (!made) {
            prepared_.erase(found);
            return made;
        }
    }
    return answer_of(PQexecPrepared(connection_.get(), found->second.c_str(), count, values.data(),
                                    lengths.data(), formats.data(), 1));
}

Answer<void> Connection::run(const char* statements) {
    TRY(answer_of(PQexec(connection_.get(), statements)));
    return {};
}

Answer<void> Connection::make(const char* statements) {
    for (int tries = 1;; ++tries) {
        auto made = run(statements);
        if (made || made.error().kind != Failure::Kind::again || tries == making_tries_max)
            return made;
    }
}

bool Connection::is_idle() const {
    pollfd socket{.fd = PQsocket(connection_.get()), .events = POLLIN, .revents = 0};
    return is_alive() && ::poll(&socket, 1, 0) == 0;
}

void Connection::roll_back() {
    if (PQtransactionStatus(connection_.get()) != PQTRANS_IDLE)
        (void)run("ROLLBACK");
}

std::string name_of_store(const std::string& where) {
    struct Free {
        void operator()(PQconninfoOption* options) const { PQconninfoFree(options); }
    };
    const std::unique_ptr<PQconninfoOption, Free> options(PQconninfoParse(where.c_str(), nullptr));
    std::string host, port, name;
    for (const auto* option = options.get(); option != nullptr && option->keyword != nullptr; ++option) {
        if (option->val == nullptr)
            continue;
        const std::string_view keyword = option->keyword;
        if (keyword == "host")
            host = option->val;
        else if (keyword == "port")
            port = fmt::format(":{}", option->val);
        else if (keyword == "dbname")
            name = fmt::format("/{}", option->val);
    }
    return host + port + name;
}

std::unexpected<Error> error_of(const Failure& failure, std::string_view doing) {
    switch (failure.kind) {
    case Failure::Kind::again:
        return conflict("Others kept changing the same data; try again.");
    case Failure::Kind::no_room:
    case Failure::Kind::lost:
        return unavailable(
            fmt::format("the store cannot be used for now, while {}: {}", doing, failure.words));
    case Failure::Kind::mistake:
        break;
    }
    return fault(fmt::format("the store failed while {}: {}", doing, failure.words));
}

} // namespace slashpost::storage::postgres
