#include "core/data/fill.h"

#include "core/base/errors.h"
#include "core/data/counts.h"

#include <mutex>
#include <vector>

namespace slashpost::data {

namespace {

std::unexpected<Error> only_more() { return fault("a fill puts and adds, nothing else"); }

class PlainFill final : public Fill, FillTxn {
  public:
    explicit PlainFill(Engine& engine) : engine_(engine) {}

    Result<void> write(const std::function<Result<void>(Txn&)>& closure) override {
        const std::lock_guard lock(mutex_);
        return closure(*this);
    }
    Result<void> finish() override {
        return engine_.transact([this](Txn& txn) -> Result<void> {
            for (const auto& write : writes_)
                TRY(write(txn));
            return {};
        });
    }

  private:
    Result<void> put_blind(const Space& space, BytesView key, BytesView value) override {
        writes_.emplace_back([=, key = Bytes(key), value = Bytes(value)](Txn& txn) -> Result<void> {
            if (TRY(txn.get(space, key)))
                return conflict("A key was put twice.");
            return txn.put(space, key, value);
        });
        return {};
    }
    Result<void> add(BytesView tally, std::int64_t delta) override {
        writes_.emplace_back([=, key = Bytes(tally)](Txn& txn) { return txn.add(key, delta); });
        return {};
    }
    Result<void> add_counts(const Space& space, BytesView key, const Counts& delta) override {
        writes_.emplace_back([=, key = Bytes(key)](Txn& txn) { return txn.add_counts(space, key, delta); });
        return {};
    }
    Result<void> add_sheet(const Space& space, BytesView key, BytesView sheet) override {
        writes_.emplace_back([=, key = Bytes(key), sheet = Bytes(sheet)](Txn& txn) {
            return txn.add_sheet(space, key, sheet);
        });
        return {};
    }

    Engine& engine_;
    std::mutex mutex_;
    std::vector<std::function<Result<void>(Txn&)>> writes_; // guarded by mutex_
};

} // namespace

Result<void> FillTxn::erase(const Space& /*space*/, BytesView /*key*/) { return only_more(); }

Result<void> FillTxn::erase_blind(const Space& /*space*/, BytesView /*key*/) { return only_more(); }

Result<void> FillTxn::append(const Space& /*space*/, BytesView /*key*/, BytesView /*more*/) {
    return only_more();
}

Result<std::unique_ptr<Fill>> begin_fill(Engine& engine) {
    if (auto* own = dynamic_cast<Fillable*>(&engine))
        return own->fill();
    return std::make_unique<PlainFill>(engine);
}

} // namespace slashpost::data
