#pragma once
// One attempt at a transaction: a snapshot, what it wrote over it, and which keys must be as they were.
#include "storage/buffered_txn.h"
#include "storage/postgres/committer.h"
#include "storage/postgres/snapshot.h"

namespace slashpost::storage::postgres {

class View final : public data::View {
  public:
    View(const Tables& tables, Snapshot& snapshot) : tables_(tables), snapshot_(snapshot) {}

    Result<std::optional<data::Bytes>> get(const data::Space& space, data::BytesView key) override;
    Result<void> scan(const data::Space& space, const data::Range& range, data::Order order,
                      const data::Visit& visit) override;

  private:
    const Tables& tables_;
    Snapshot& snapshot_;
};

class Txn final : public BufferedTxn {
  public:
    Txn(const Tables& tables, Snapshot& snapshot) : tables_(tables), snapshot_(snapshot) {}

    // What is to be committed, with the versions of what was tracked; good as long as the transaction is.
    Result<Proposal> propose();

  protected:
    Result<std::optional<data::Bytes>> stored(const data::Space& space, data::BytesView key) override;
    Result<std::unique_ptr<StoredWalk>> stored_walk(const data::Space& space, const data::Range& range,
                                                    data::Order order) override;
    Result<void> track(const data::Space& space, data::BytesView key) override;
    Result<void> note_write(const data::Space& space, data::BytesView key) override;

  private:
    const Tables& tables_;
    Snapshot& snapshot_;
    std::map<Place, std::optional<Version>> tracked_; // nothing: not read yet
};

} // namespace slashpost::storage::postgres
