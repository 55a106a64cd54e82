#pragma once
// One connection to a store that speaks the wire of PostgreSQL, by libpq. What goes and comes is binary.
//
// Statements are sent one by one and kept prepared by their text, so a text is to be one of few.
#include "core/data/engine.h"

#include <libpq-fe.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

namespace slashpost::storage::postgres {

// What a statement is given: a number (bigint), bytes (bytea, or text where the statement says so), nothing,
// or many of these (bigint[], bytea[] whose elements may be null).
using Parameter = std::variant<std::int64_t, data::BytesView, std::nullptr_t, std::span<const std::int64_t>,
                               std::span<const std::optional<data::BytesView>>>;

// The rows of an answer.
class Rows {
  public:
    explicit Rows(PGresult* result) : result_(result) {}

    [[nodiscard]] int count() const { return PQntuples(result_.get()); }
    [[nodiscard]] bool is_null(int row, int column) const {
        return PQgetisnull(result_.get(), row, column) != 0;
    }
    // Until the rows are gone.
    [[nodiscard]] data::BytesView bytes(int row, int column) const {
        return {PQgetvalue(result_.get(), row, column),
                static_cast<std::size_t>(PQgetlength(result_.get(), row, column))};
    }
    // Of a bigint.
    [[nodiscard]] std::int64_t number(int row, int column) const;
    // How many rows a statement changed that answers none.
    [[nodiscard]] std::int64_t changed() const;

  private:
    struct Clear {
        void operator()(PGresult* result) const { PQclear(result); }
    };
    std::unique_ptr<PGresult, Clear> result_;
};

// Why a statement failed.
struct Failure {
    enum class Kind : std::uint8_t {
        again,   // another transaction was in the way: the same may succeed now
        no_room, // the store takes no writes for now: its disk is full, or it only reads
        lost,    // the connection is gone; whether the statement was carried out is open
        mistake, // everything else: the statement and the store do not fit
    };
    Kind kind = Kind::mistake;
    std::string words; // the store's
};

template <class T>
using Answer = std::expected<T, Failure>;

class Connection {
  public:
    // Connects within a few seconds. `where` is a URI of libpq. Fails as refused with code StoreUnusable, in
    // words that name the store without its password.
    static Result<std::unique_ptr<Connection>> open(const std::string& where);

    Answer<Rows> ask(std::string_view statement, std::span<const Parameter> parameters = {});
    // Statements without parameters or rows; one string may hold several.
    Answer<void> run(const char* statements);
    // The same for what makes something that may be there. Tries some times, as a server that makes the same
    // at the same moment is in the way.
    Answer<void> make(const char* statements);
    // Ends what run() has begun, if it has.
    void roll_back();
    [[nodiscard]] bool is_alive() const { return PQstatus(connection_.get()) == CONNECTION_OK; }
    // Of one that nobody uses: alive, and nothing has come meanwhile, as nothing does but that it was closed.
    [[nodiscard]] bool is_idle() const;

  private:
    struct Finish {
        void operator()(PGconn* connection) const { PQfinish(connection); }
    };
    explicit Connection(PGconn* connection) : connection_(connection) {}
    Answer<Rows> answer_of(PGresult* result);

    std::unique_ptr<PGconn, Finish> connection_;
    std::unordered_map<std::string, std::string> prepared_; // text -> name
};

// "host:port/name" of a URI, for people.
std::string name_of_store(const std::string& where);

// What a failure is for the caller of an engine. `doing` completes "while".
std::unexpected<Error> error_of(const Failure& failure, std::string_view doing);

} // namespace slashpost::storage::postgres
