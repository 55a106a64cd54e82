#pragma once
// One attempt at a transaction over a snapshot: what it wrote stays here until the commit, and its reads see
// the snapshot with that laid over it. An engine says how the snapshot is read, and commits.
#include "storage/own_writes.h"

#include <memory>

namespace slashpost::storage {

// Walks the stored keys of a range, as they are in a snapshot.
class StoredWalk {
  public:
    StoredWalk() = default;
    virtual ~StoredWalk() = default;
    StoredWalk(const StoredWalk&) = delete;
    StoredWalk& operator=(const StoredWalk&) = delete;

    [[nodiscard]] virtual bool there() const = 0;
    // Of the place where the walk stands; valid until it moves.
    [[nodiscard]] virtual data::BytesView key() const = 0;
    [[nodiscard]] virtual data::BytesView value() const = 0;
    virtual void move() = 0;
    // Fails when the walk ended because reading did. Ask also before a value is used.
    [[nodiscard]] virtual Result<void> check() const = 0;
};

class BufferedTxn : public data::Txn {
  public:
    Result<std::optional<data::Bytes>> get(const data::Space& space, data::BytesView key) final;
    Result<std::optional<data::Bytes>> peek(const data::Space& space, data::BytesView key) final;
    Result<void> scan(const data::Space& space, const data::Range& range, data::Order order,
                      const data::Visit& visit) final;
    Result<void> put(const data::Space& space, data::BytesView key, data::BytesView value) final;
    Result<void> erase(const data::Space& space, data::BytesView key) final;
    Result<void> merge(const data::Space& space, data::BytesView key, data::BytesView operand) final;
    Result<void> put_blind(const data::Space& space, data::BytesView key, data::BytesView value) final;
    Result<void> erase_blind(const data::Space& space, data::BytesView key) final;

    [[nodiscard]] bool wrote_nothing() const { return own_->empty(); }

  protected:
    // All of these fail with a fault when the space was not declared at open.
    //
    // What the snapshot has under the key.
    virtual Result<std::optional<data::Bytes>> stored(const data::Space& space, data::BytesView key) = 0;
    virtual Result<std::unique_ptr<StoredWalk>> stored_walk(const data::Space& space,
                                                            const data::Range& range, data::Order order) = 0;
    // The key must be at the commit as the snapshot has it.
    virtual Result<void> track(const data::Space& space, data::BytesView key) = 0;
    // The key is about to be written.
    virtual Result<void> note_write(const data::Space& space, data::BytesView key) = 0;

    [[nodiscard]] OwnWrites& own() { return *own_; }
    // Gives back the memory of what was written.
    void forget_own() { own_.reset(); }

  private:
    using Stored = std::function<Result<std::optional<data::Bytes>>()>;
    // What own writes make of a stored value, which is asked for when it matters.
    static Result<std::optional<data::Bytes>> over(const OwnWrites::Write& last, const data::Space& space,
                                                   const Stored& stored);
    // The first own write to a key of the range in `order`, or the one behind `after`; null: none.
    const OwnWrites::Write* next_own(const data::Space& space, const data::Range& range, data::Order order,
                                     const std::optional<data::Bytes>& after);

    std::optional<OwnWrites> own_{std::in_place};
};

} // namespace slashpost::storage
