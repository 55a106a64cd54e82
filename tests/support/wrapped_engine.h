#pragma once
// An engine around another that fails when it is told to, and says what it was asked.
#include "core/base/errors.h"
#include "core/data/engine.h"

#include <atomic>
#include <chrono>
#include <thread>

namespace slashpost::test {

class WrappedEngine final : public data::Engine {
  public:
    enum class Fails {
        never,
        reading,        // get_now
        before_commit,  // the closure ran, nothing of it is there
        after_commit,   // all of it is there, and the caller does not know
        and_runs_again, // the first attempt of each transaction is thrown away
        to_go_on,       // no transaction begins until it does no longer
    };

    explicit WrappedEngine(data::Engine& inner) : inner_(inner) {}

    Result<std::optional<data::Bytes>> get_now(const data::Space& space, data::BytesView key) override {
        ++gets;
        if (fails == Fails::reading)
            return fault("cannot read");
        auto value = inner_.get_now(space, key);
        if (const auto then = after_get)
            then();
        return value;
    }
    Result<void> verify_checksums() override { return inner_.verify_checksums(); }
    Figures figures() override { return inner_.figures(); }
    data::Peers* peers() override { return others; }

    std::atomic<Fails> fails = Fails::never;
    std::atomic<int> gets = 0;
    data::Peers* others = nullptr;
    std::function<void()> after_get;
    // When the snapshot of a read is taken, and nothing is read yet.
    std::function<void()> in_snapshot;
    // What others do in the middle of each attempt at a transaction.
    std::function<void()> meanwhile;

  protected:
    Result<void> run_transaction(const std::function<Result<void>(data::Txn&)>& closure) override {
        while (fails == Fails::to_go_on)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (fails == Fails::and_runs_again)
            (void)inner_.transact([&](data::Txn& txn) -> Result<void> {
                TRY(closure(txn));
                return conflict("once more");
            });
        TRY(inner_.transact([&](data::Txn& txn) -> Result<void> {
            TRY(closure(txn));
            if (meanwhile)
                meanwhile();
            if (fails == Fails::before_commit)
                return unavailable("the disk is full");
            return {};
        }));
        if (fails == Fails::after_commit)
            return unavailable("the disk may have it");
        return {};
    }
    Result<void> run_read(const std::function<Result<void>(data::View&)>& closure) override {
        return inner_.read([&](data::View& view) {
            if (const auto then = in_snapshot)
                then();
            return closure(view);
        });
    }

  private:
    data::Engine& inner_;
};

} // namespace slashpost::test
