// A batch transaction holds what the engine's own do: the contract of engines, with each transaction wrapped.
#include "core/data/batch_txn.h"

#include "storage/open.h"
#include "tests/support/engine_contract_helpers.h"

#include <catch2/catch.hpp>

#include <memory>

namespace slashpost::data::contract {

namespace {

class BatchEngine final : public Engine {
  public:
    explicit BatchEngine(std::unique_ptr<Engine> inner) : inner_(std::move(inner)) {}
    Result<std::optional<Bytes>> get_now(const Space& space, BytesView key) override {
        return inner_->get_now(space, key);
    }
    Result<void> verify_checksums() override { return inner_->verify_checksums(); }
    Figures figures() override { return inner_->figures(); }

  protected:
    Result<void> run_transaction(const std::function<Result<void>(Txn&)>& closure) override {
        return inner_->transact([&](Txn& txn) -> Result<void> {
            BatchTxn batch(txn, {});
            TRY(closure(batch));
            return batch.flush();
        });
    }
    Result<void> run_read(const std::function<Result<void>(View&)>& closure) override {
        return inner_->read([&](View& view) { return closure(view); });
    }

  private:
    std::unique_ptr<Engine> inner_;
};

} // namespace

struct EngineUnderTest {
    BatchEngine engine{must(storage::open("memory:", contract_spaces))};
};

} // namespace slashpost::data::contract

#include "tests/support/engine_contract.h" // after the type that it tests

namespace slashpost::data::contract {

namespace {

// Remembers what reaches the engine.
class Listening final : public Txn {
  public:
    explicit Listening(Txn& inner) : inner_(inner) {}
    Result<std::optional<Bytes>> get(const Space& space, BytesView key) override {
        heard.push_back("get " + Bytes(key));
        return inner_.get(space, key);
    }
    Result<void> scan(const Space& space, const Range& range, Order order, const Visit& visit) override {
        return inner_.scan(space, range, order, visit);
    }
    Result<void> scan_tallies(const Range& range, Order order, const VisitTally& visit) override {
        heard.push_back("sums " + range.from);
        return inner_.scan_tallies(range, order, visit);
    }
    Result<void> put(const Space& space, BytesView key, BytesView value) override {
        heard.push_back("put " + Bytes(key));
        return inner_.put(space, key, value);
    }
    Result<void> erase(const Space& space, BytesView key) override {
        heard.push_back("erase " + Bytes(key));
        return inner_.erase(space, key);
    }
    Result<void> add(BytesView tally, std::int64_t delta) override {
        heard.push_back("add " + Bytes(tally) + " " + std::to_string(delta));
        return inner_.add(tally, delta);
    }
    Result<void> add_counts(const Space& space, BytesView key, const Counts& delta) override {
        heard.push_back("count " + Bytes(key) + " " + std::to_string(delta.sum('c')));
        return inner_.add_counts(space, key, delta);
    }
    Result<std::int64_t> tally(BytesView key) override { return inner_.tally(key); }
    Result<void> add_sheet(const Space& space, BytesView key, BytesView sheet) override {
        return inner_.add_sheet(space, key, sheet);
    }
    Result<void> append(const Space& space, BytesView key, BytesView more) override {
        return inner_.append(space, key, more);
    }
    Result<void> erase_blind(const Space& space, BytesView key) override {
        heard.push_back("blind erase " + Bytes(key));
        return inner_.erase_blind(space, key);
    }
    Result<void> put_blind(const Space& space, BytesView key, BytesView value) override {
        heard.push_back("blind " + Bytes(key));
        return inner_.put_blind(space, key, value);
    }
    std::vector<std::string> heard;

  private:
    Txn& inner_;
};

} // namespace

TEST_CASE("a batch reads each key once, adds to each tally once and writes last, in order", "[contract]") {
    const auto engine = must(storage::open("memory:", contract_spaces));
    must(engine->transact([](Txn& txn) -> Result<void> {
        Listening base(txn);
        BatchTxn batch(base, {});
        for (const char* key : {"b", "a", "b"}) {
            TRY(batch.get(rows, key));
            TRY(batch.put(rows, key, "1"));
            TRY(batch.add("tally", 2));
            Counts counts;
            counts.add("c", 3);
            TRY(batch.add_counts(counted, "all", counts));
            CHECK(TRY(batch.get(rows, key)) == "1");
            CHECK(TRY(batch.sum("tal")) > 0);
        }
        TRY(batch.put(rows, "never read", "1"));
        CHECK(TRY(batch.sum("tal")) == 6);
        CHECK(base.heard == std::vector<std::string>{"get b", "sums tal", "get a"});
        base.heard.clear();
        TRY(batch.flush());
        CHECK(base.heard ==
              std::vector<std::string>{"put never read", "blind a", "blind b", "add tally 6", "count all 9"});
        base.heard.clear();
        TRY(batch.flush());
        CHECK(base.heard.empty());
        CHECK(TRY(batch.get(rows, "a")) == "1");
        CHECK(TRY(batch.sum("tal")) == 6);
        return {};
    }));
}

TEST_CASE("a batch tracks no key of a space in which it makes them all", "[contract]") {
    const auto engine = must(storage::open("memory:", contract_spaces));
    must(engine->transact([](Txn& txn) -> Result<void> {
        Listening base(txn);
        BatchTxn batch(base, std::span(&rows, 1));
        batch.assume_absent(rows, "a");
        CHECK(TRY(batch.get(rows, "a")) == std::nullopt);
        CHECK(base.heard.empty());
        TRY(batch.put(rows, "a", "1"));
        TRY(batch.put(hot, "a", "1"));
        CHECK(TRY(batch.get(rows, "a")) == "1");
        CHECK(TRY(batch.get(rows, "b")) == std::nullopt);
        TRY(batch.flush());
        CHECK(base.heard == std::vector<std::string>{"get b", "put a", "blind a"});
        CHECK(TRY(batch.get(rows, "a")) == "1");
        TRY(batch.erase(rows, "a"));
        CHECK(TRY(batch.get(rows, "a")) == std::nullopt);
        return {};
    }));
}

} // namespace slashpost::data::contract
