// Such a transaction holds what the engine's own do: the contract of engines, with each transaction wrapped.
#include "core/data/reading_once.h"

#include "storage/open.h"
#include "tests/support/engine_contract_helpers.h"

#include <catch2/catch.hpp>

#include <memory>

namespace slashpost::data::contract {

namespace {

constexpr std::array shared{rows, hot};

class OnceEngine final : public Engine {
  public:
    explicit OnceEngine(std::unique_ptr<Engine> inner) : inner_(std::move(inner)) {}
    Result<std::optional<Bytes>> get_now(const Space& space, BytesView key) override {
        return inner_->get_now(space, key);
    }
    Result<void> verify_checksums() override { return inner_->verify_checksums(); }
    Figures figures() override { return inner_->figures(); }

  protected:
    Result<void> run_transaction(const std::function<Result<void>(Txn&)>& closure) override {
        return inner_->transact([&](Txn& txn) -> Result<void> {
            ReadingOnce once(txn, shared);
            return closure(once);
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
    OnceEngine engine{must(storage::open("memory:", contract_spaces))};
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
    Result<std::optional<Bytes>> peek(const Space& space, BytesView key) override {
        heard.push_back("peek " + Bytes(key));
        return inner_.peek(space, key);
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

TEST_CASE("what is shared is read from the engine once, and again after a write", "[contract]") {
    const auto engine = must(storage::open("memory:", contract_spaces));
    must(engine->transact([](Txn& txn) { return txn.put(rows, "a", "1"); }));
    must(engine->transact([](Txn& txn) -> Result<void> {
        Listening base(txn);
        ReadingOnce once(base, std::span(&rows, 1));
        for (int i = 0; i < 3; ++i) {
            CHECK(TRY(once.get(rows, "a")) == "1");
            CHECK(TRY(once.get(rows, "b")) == std::nullopt);
            CHECK(TRY(once.get(hot, "a")) == std::nullopt); // not shared
            CHECK(TRY(once.peek(rows, "a")) == "1");
        }
        CHECK(base.heard == std::vector<std::string>{"get a", "get b", "get a", "get a", "get a"});
        CHECK(TRY(once.peek(hot, "a")) == std::nullopt);
        CHECK(base.heard.back() == "peek a");
        CHECK(TRY(once.peek(rows, "c")) == std::nullopt);
        CHECK(TRY(once.get(rows, "c")) == std::nullopt);
        CHECK(base.heard.back() == "get c");
        base.heard.clear();
        TRY(once.put(rows, "b", "2"));
        TRY(once.erase(rows, "a"));
        CHECK(TRY(once.get(rows, "b")) == "2");
        CHECK(TRY(once.get(rows, "a")) == std::nullopt);
        TRY(once.erase_blind(rows, "b"));
        TRY(once.put_blind(rows, "a", "3"));
        CHECK(TRY(once.get(rows, "b")) == std::nullopt);
        CHECK(TRY(once.get(rows, "a")) == "3");
        CHECK(base.heard == std::vector<std::string>{"put b", "erase a", "get b", "get a", "blind erase b",
                                                     "blind a", "get b", "get a"});
        return {};
    }));
}

} // namespace slashpost::data::contract
