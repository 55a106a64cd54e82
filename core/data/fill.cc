#include "core/data/fill.h"

#include "core/base/errors.h"
#include "core/data/counts.h"

#include <mutex>
#include <set>
#include <utility>
#include <vector>

namespace slashpost::data {

namespace {

class PlainFill final : public Fill, FillTxn {
  public:
    explicit PlainFill(Engine& engine) : engine_(engine) {}

    Result<void> write(const std::function<Result<void>(Txn&)>& closure) override { return closure(*this); }
    Result<void> finish(const Tell& /*tell*/) override {
        if (twice_)
            return conflict("A key was put twice.");
        return engine_.transact([this](Txn& txn) -> Result<void> {
            for (const auto& write : writes_)
                TRY(write(txn));
            return {};
        });
    }

  private:
    Result<void> put_blind(const Space& space, BytesView key, BytesView value) override {
        return once(space, key, [=, key = Bytes(key), value = Bytes(value)](Txn& txn) {
            return txn.put(space, key, value);
        });
    }
    Result<void> erase_blind(const Space& space, BytesView key) override {
        return once(space, key, [=, key = Bytes(key)](Txn& txn) { return txn.erase(space, key); });
    }
    Result<void> add(BytesView tally, std::int64_t delta) override {
        return note([=, key = Bytes(tally)](Txn& txn) { return txn.add(key, delta); });
    }
    Result<void> add_counts(const Space& space, BytesView key, const Counts& delta) override {
        return note([=, key = Bytes(key)](Txn& txn) { return txn.add_counts(space, key, delta); });
    }
    Result<void> add_sheet(const Space& space, BytesView key, BytesView sheet) override {
        return note([=, key = Bytes(key), sheet = Bytes(sheet)](Txn& txn) {
            return txn.add_sheet(space, key, sheet);
        });
    }
    Result<void> append(const Space& space, BytesView key, BytesView more) override {
        return note(
            [=, key = Bytes(key), more = Bytes(more)](Txn& txn) { return txn.append(space, key, more); });
    }

    using Write = std::function<Result<void>(Txn&)>;
    Result<void> note(Write write) {
        const std::lock_guard lock(mutex_);
        writes_.push_back(std::move(write));
        return {};
    }
    Result<void> once(const Space& space, BytesView key, Write write) {
        const std::lock_guard lock(mutex_);
        twice_ |= !written_.emplace(space.number, key).second;
        writes_.push_back(std::move(write));
        return {};
    }

    Engine& engine_;
    std::mutex mutex_;
    // Guarded by mutex_.
    std::vector<Write> writes_;
    std::set<std::pair<std::uint16_t, Bytes>> written_; // keys, by number of the space
    bool twice_ = false;                                // one of them was
};

} // namespace

Result<std::unique_ptr<Fill>> begin_fill(Engine& engine) {
    if (auto* own = dynamic_cast<Fillable*>(&engine))
        return own->fill();
    return std::make_unique<PlainFill>(engine);
}

} // namespace slashpost::data
