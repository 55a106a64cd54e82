#pragma once
// Reading and writing through one snapshot: the View and the Txn of the RocksDB engine.
#include "core/data/engine.h"

#include <rocksdb/utilities/optimistic_transaction_db.h>
#include <rocksdb/utilities/transaction.h>

#include <memory>
#include <vector>

namespace slashpost::storage {

// Where each space is kept. Handles belong to the engine.
struct Families {
    std::vector<rocksdb::ColumnFamilyHandle*> by_number; // null where there is no such space
    rocksdb::ColumnFamilyHandle* tallies = nullptr;

    // A fault when the space was not declared at open.
    [[nodiscard]] Result<rocksdb::ColumnFamilyHandle*> of(const data::Space& space) const;
};

class SnapshotView final : public data::View {
  public:
    SnapshotView(rocksdb::DB& db, const Families& families) : db_(db), families_(families), snapshot_(&db) {}

    Result<std::optional<data::Bytes>> get(const data::Space& space, data::BytesView key) override;
    Result<void> scan(const data::Space& space, const data::Range& range, data::Order order,
                      const data::Visit& visit) override;
    Result<void> scan_tallies(const data::Range& range, data::Order order,
                              const data::VisitTally& visit) override;

  private:
    rocksdb::DB& db_;
    const Families& families_;
    rocksdb::ManagedSnapshot snapshot_;
};

class OptimisticTxn final : public data::Txn {
  public:
    OptimisticTxn(rocksdb::OptimisticTransactionDB& db, const Families& families);

    Result<std::optional<data::Bytes>> get(const data::Space& space, data::BytesView key) override;
    Result<void> scan(const data::Space& space, const data::Range& range, data::Order order,
                      const data::Visit& visit) override;
    Result<void> scan_tallies(const data::Range& range, data::Order order,
                              const data::VisitTally& visit) override;
    Result<void> put(const data::Space& space, data::BytesView key, data::BytesView value) override;
    Result<void> erase(const data::Space& space, data::BytesView key) override;
    Result<void> add(data::BytesView tally, std::int64_t delta) override;
    Result<void> add_counts(const data::Space& space, data::BytesView key,
                            const data::Counts& delta) override;
    Result<void> append(const data::Space& space, data::BytesView key, data::BytesView more) override;
    Result<void> put_blind(const data::Space& space, data::BytesView key, data::BytesView value) override;

    [[nodiscard]] bool wrote_nothing() const { return writes_ == 0; }
    // Busy or TryAgain: lost against another commit.
    rocksdb::Status commit();

  private:
    Result<void> walk(rocksdb::ColumnFamilyHandle* family, const data::Range& range, data::Order order,
                      const data::Visit& visit);
    Result<void> wrote(const rocksdb::Status& status);

    // Writes that need no look at what is there. They wait outside of the transaction, because its index, by
    // which it reads its own writes, costs as much as the commit: who reads or writes by key after them has
    // them put in, otherwise they go in at the commit, without the index.
    enum class BlindKind : std::uint8_t { merge, put };
    struct Blind {
        rocksdb::ColumnFamilyHandle* family;
        BlindKind kind;
        std::uint32_t key_bytes, value_bytes;
    };
    Result<void> write_blind(rocksdb::ColumnFamilyHandle* family, BlindKind kind, data::BytesView key,
                             data::BytesView value);
    rocksdb::Status put_in_blind();
    Result<void> index_blind();

    rocksdb::OptimisticTransactionDB& db_;
    const Families& families_;
    std::unique_ptr<rocksdb::Transaction> txn_;
    std::uint64_t writes_ = 0;
    std::vector<Blind> blind_;
    data::Bytes blind_bytes_; // their keys and values
};

} // namespace slashpost::storage
