#pragma once
// An engine around another that counts what readers ask of it.
#include "core/data/engine.h"

#include <map>
#include <memory>

namespace slashpost::test {

class CountingEngine final : public data::Engine {
  public:
    explicit CountingEngine(std::unique_ptr<data::Engine> inner) : inner_(std::move(inner)) {}

    struct LookUps {
        std::map<std::string_view, int> gets; // by the name of the space
        int scans = 0;
        int sums = 0;
        bool operator==(const LookUps&) const = default;
    };
    // By Engine::read since this was called last. For tests of one thread.
    LookUps take() {
        rows_ = 0;
        return std::exchange(seen_, {});
    }
    // Rows that scans of spaces visited since then.
    [[nodiscard]] int rows() const { return rows_; }

    Result<std::optional<data::Bytes>> get_now(const data::Space& space, data::BytesView key) override {
        return inner_->get_now(space, key);
    }
    Result<void> verify_checksums() override { return inner_->verify_checksums(); }
    Figures figures() override { return inner_->figures(); }

  protected:
    Result<void> run_transaction(const std::function<Result<void>(data::Txn&)>& closure) override {
        return inner_->transact([&](data::Txn& txn) { return closure(txn); });
    }
    Result<void> run_read(const std::function<Result<void>(data::View&)>& closure) override {
        return inner_->read([&](data::View& view) {
            CountingView counting(view, seen_, rows_);
            return closure(counting);
        });
    }

  private:
    class CountingView final : public data::View {
      public:
        CountingView(data::View& inner, LookUps& seen, int& rows) : inner_(inner), seen_(seen), rows_(rows) {}
        Result<std::optional<data::Bytes>> get(const data::Space& space, data::BytesView key) override {
            if (space.number == data::tallies.number)
                ++seen_.sums;
            else
                ++seen_.gets[space.name];
            return inner_.get(space, key);
        }
        Result<void> scan(const data::Space& space, const data::Range& range, data::Order order,
                          const data::Visit& visit) override {
            if (space.number == data::tallies.number) {
                ++seen_.sums;
                return inner_.scan(space, range, order, visit);
            }
            ++seen_.scans;
            return inner_.scan(space, range, order, [&](data::BytesView key, data::BytesView value) {
                ++rows_;
                return visit(key, value);
            });
        }

      private:
        data::View& inner_;
        LookUps& seen_;
        int& rows_;
    };

    const std::unique_ptr<data::Engine> inner_;
    LookUps seen_;
    int rows_ = 0;
};

} // namespace slashpost::test
