#pragma once
// What is stored, at one moment.
#include "storage/buffered_txn.h"
#include "storage/postgres/pool.h"
#include "storage/postgres/tables.h"

#include <utility>

namespace slashpost::storage::postgres {

// What a key is, as far as a commit can tell: which commit wrote its row, and which operands lie beside.
struct Version {
    std::int64_t row = 0;                                      // 0: none
    std::vector<std::pair<std::int64_t, std::int64_t>> pieces; // lane and seq, ascending
    bool operator==(const Version&) const = default;
};

struct Stored {
    std::optional<data::Bytes> value;
    Version version;
};

class Snapshot {
  public:
    // Of the moment of the call.
    static Result<Snapshot> take(Pool& pool);
    Snapshot(Snapshot&&) = default;
    Snapshot& operator=(Snapshot&&) = delete;
    ~Snapshot() = default; // what is given back into the pool ends its transaction first

    Result<Stored> read(const Table& table, data::BytesView key);
    // Of many keys, in their order.
    Result<std::vector<Version>> versions(const Table& table, const std::vector<data::Bytes>& keys);
    std::unique_ptr<StoredWalk> walk(const Table& table, const data::Range& range, data::Order order);

  private:
    explicit Snapshot(Pool::Lease connection) : connection_(std::move(connection)) {}
    Pool::Lease connection_;
};

// One value as the last commit left it, in no snapshot.
Result<Stored> read_now(Connection& connection, const Table& table, data::BytesView key);

} // namespace slashpost::storage::postgres
