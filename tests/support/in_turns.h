#pragma once
// Two servers on one store as one engine: they take turns, and what one did the other goes on from.
#include "core/data/engine.h"

#include <atomic>
#include <memory>

namespace slashpost::test {

class InTurns final : public data::Engine {
  public:
    InTurns(std::unique_ptr<data::Engine> first, std::unique_ptr<data::Engine> second)
        : first_(std::move(first)),
          second_(std::move(second)) {}

    Result<std::optional<data::Bytes>> get_now(const data::Space& space, data::BytesView key) override {
        return next().get_now(space, key);
    }
    Figures figures() override {
        return {.conflicts = first_->figures().conflicts + second_->figures().conflicts};
    }

  protected:
    Result<void> run_transaction(const std::function<Result<void>(data::Txn&)>& closure) override {
        return next().transact([&](data::Txn& txn) { return closure(txn); });
    }
    Result<void> run_read(const std::function<Result<void>(data::View&)>& closure) override {
        return next().read([&](data::View& view) { return closure(view); });
    }

  private:
    data::Engine& next() { return turns_++ % 2 == 0 ? *first_ : *second_; }

    std::unique_ptr<data::Engine> first_, second_;
    std::atomic<unsigned> turns_ = 0;
};

} // namespace slashpost::test
