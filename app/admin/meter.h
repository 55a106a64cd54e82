#pragma once
// How much of a walk through the store is done. Bytes are what is compared: how many rows there are, nobody
// knows before.
#include "app/admin/progress.h"
#include "core/data/measured.h"

#include <mutex>
#include <optional>
#include <vector>

namespace slashpost::admin {

class Meter {
  public:
    struct Walk {
        data::Space space;
        data::Range range;
    };
    using Pass = std::vector<Walk>; // in any order

    // The passes come one after the other; the first has begun. `engine` outlives this, and may be one that
    // cannot tell (core/data/measured.h).
    Meter(data::Engine& engine, std::vector<Pass> passes);
    void next();
    // So much of this pass is done, from 0 to 1, which makes no walks.
    void at(double fraction);
    // A walk has come to that key.
    void at(const data::Space& space, data::BytesView key);
    // From 0 to 1; nothing when the engine cannot tell.
    [[nodiscard]] std::optional<double> fraction();

  private:
    [[nodiscard]] std::uint64_t bytes_of(const Walk& walk) const;

    data::Measured* const engine_; // may be null
    std::vector<Pass> passes_;
    std::vector<std::uint64_t> bytes_; // of each pass
    double total_ = 0;

    std::mutex mutex_; // guards what follows
    std::size_t pass_ = 0;
    std::vector<data::Bytes> reached_; // by the walks of this pass
    double part_ = 0;                  // of this pass, when it makes no walks
    double last_ = 0;
};

// A view that tells a meter where its scans are and, if there is one, a progress how many entries it saw; so
// a scan ends when whoever called has gone.
class MeteredView final : public data::View {
  public:
    MeteredView(data::View& inner, Meter& meter, Progress* progress = nullptr)
        : inner_(inner),
          meter_(meter),
          progress_(progress) {}

    Result<std::optional<data::Bytes>> get(const data::Space& space, data::BytesView key) override {
        return inner_.get(space, key);
    }
    Result<std::optional<data::Bytes>> peek(const data::Space& space, data::BytesView key) override {
        return inner_.peek(space, key);
    }
    Result<void> scan(const data::Space& space, const data::Range& range, data::Order order,
                      const data::Visit& visit) override;

  private:
    Result<void> saw(const data::Space& space, data::BytesView key);

    data::View& inner_;
    Meter& meter_;
    Progress* progress_;
    std::uint64_t seen_ = 0;
};

// An engine whose views are metered.
class MeteredEngine final : public data::Engine {
  public:
    MeteredEngine(data::Engine& inner, Meter& meter, Progress& progress)
        : inner_(inner),
          meter_(meter),
          progress_(progress) {}
    Result<std::optional<data::Bytes>> get_now(const data::Space& space, data::BytesView key) override {
        return inner_.get_now(space, key);
    }
    Result<void> verify_checksums() override { return inner_.verify_checksums(); }
    Figures figures() override { return inner_.figures(); }

  protected:
    Result<void> run_transaction(const std::function<Result<void>(data::Txn&)>& closure) override {
        return inner_.transact(closure);
    }
    Result<void> run_read(const std::function<Result<void>(data::View&)>& closure) override {
        return inner_.read([&](data::View& view) {
            MeteredView metered(view, meter_, &progress_);
            return closure(metered);
        });
    }

  private:
    data::Engine& inner_;
    Meter& meter_;
    Progress& progress_;
};

} // namespace slashpost::admin
