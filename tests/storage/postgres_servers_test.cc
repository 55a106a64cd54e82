// Several servers on one store: the engine's rules hold when each transaction is another server's, what one
// writes the others are told of, and who was taken for dead commits nothing any more.
#include "core/data/peers.h"
#include "storage/open.h"
#include "storage/postgres/connection.h"
#include "tests/storage/postgres_schema.h"
#include "tests/support/engine_contract_helpers.h"
#include "tests/support/in_turns.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

namespace slashpost::data::contract {

using test::new_schema;

std::unique_ptr<Engine> server(const std::string& where, const std::string& name,
                               storage::Options options = {}) {
    options.node = name;
    return must(storage::open(where, contract_spaces, options));
}

struct EngineUnderTest {
    std::string where = new_schema();
    test::InTurns turns{server(where, "first"), server(where, "second")};
    Engine& engine = turns;
};

} // namespace slashpost::data::contract

#include "tests/support/engine_contract.h" // after the type that it tests

namespace slashpost::data::contract {

namespace {

constexpr std::array watched{hot};

// What a server was told.
class Heard {
  public:
    storage::Options options() {
        return {.watched = watched,
                .others_wrote =
                    [this](std::span<const storage::Options::Written> written) {
                        const std::lock_guard lock(mutex_);
                        for (const auto& [space, key] : written)
                            ++times_[std::to_string(space) + ":" + key];
                    },
                .missed = [this] { ++missed; },
                .trouble =
                    [this](std::string_view words) {
                        const std::lock_guard lock(mutex_);
                        trouble_ = words;
                    }};
    }
    // Waits for it, but no longer than a change may take.
    bool hears(const std::string& what, int milliseconds = 1'000) {
        return is_so(milliseconds, [&] { return times_.contains(what); });
    }
    bool hears_of(std::size_t changes, int milliseconds) {
        return is_so(milliseconds, [&] { return times_.size() >= changes; });
    }
    bool is_in_trouble(std::string_view words, int milliseconds) {
        return is_so(milliseconds, [&] { return trouble_ == words; });
    }
    std::map<std::string, int> all() {
        const std::lock_guard lock(mutex_);
        return times_;
    }
    std::atomic<int> missed = 0;

  private:
    template <class Condition>
    bool is_so(int milliseconds, Condition condition) {
        for (int waited = 0; waited <= milliseconds; waited += 10) {
            {
                const std::lock_guard lock(mutex_);
                if (condition())
                    return true;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        return false;
    }
    std::mutex mutex_;
    std::map<std::string, int> times_;
    std::string trouble_;
};

void run_sql(const std::string& where, const char* statements) {
    const auto connection = must(storage::postgres::Connection::open(where));
    REQUIRE(connection->run(statements).has_value());
}

std::int64_t number_of(const std::string& where, std::string_view query) {
    const auto connection = must(storage::postgres::Connection::open(where));
    const auto rows = connection->ask(query);
    REQUIRE(rows.has_value());
    return rows->number(0, 0);
}

} // namespace

TEST_CASE("a server is told within a second of what another one wrote into a watched space", "[servers]") {
    const auto where = new_schema();
    Heard first_heard, second_heard;
    const auto first = server(where, "first", first_heard.options());
    const auto second = server(where, "second", second_heard.options());
    put(*first, hot, "a", "1");
    CHECK(now(*second, hot, "a") == "1"); // who reads the store sees it at once
    CHECK(second_heard.hears("5:a"));
    erase(*second, hot, "a");
    CHECK(first_heard.hears("5:a"));

    put(*first, rows, "b", "1"); // which nobody watches
    put(*first, hot, "c", "1");
    CHECK(second_heard.hears("5:c"));
    CHECK(second_heard.all() == std::map<std::string, int>{{"5:a", 1}, {"5:c", 1}});
    CHECK(first_heard.all() == std::map<std::string, int>{{"5:a", 1}}); // nothing of its own
    CHECK(second_heard.missed == 0);
}

TEST_CASE("no change is skipped and none told twice, however many servers write at once", "[servers]") {
    constexpr int writers = 3, changes = 120;
    const auto where = new_schema();
    Heard reader_heard;
    const auto reader = server(where, "reader", reader_heard.options());
    {
        std::vector<std::jthread> threads;
        for (int writer = 0; writer < writers; ++writer)
            threads.emplace_back([&, writer] { // comes while the reader is there
                Heard ignored;
                const auto own = server(where, "writer " + std::to_string(writer), ignored.options());
                for (int i = 0; i < changes; ++i)
                    (void)own->transact([&](Txn& txn) -> Result<void> {
                        TRY(txn.put(hot, std::to_string(writer) + "/" + std::to_string(i), "1"));
                        return txn.add("common", 1);
                    });
            });
    }
    CHECK(sum(*reader, "common") == writers * changes);
    CHECK(reader_heard.hears_of(writers * changes, 1'000));
    for (const auto& [what, times] : reader_heard.all()) {
        CAPTURE(what);
        CHECK(times == 1);
    }
    CHECK(reader_heard.missed == 0);
}

TEST_CASE("who is too far behind is told that all may have changed", "[servers]") {
    const auto where = new_schema();
    Heard heard;
    const auto first = server(where, "first", heard.options());
    const auto second = server(where, "second");
    {
        Heard ignored;
        const auto third = server(where, "third", ignored.options());
        must(third->transact([](Txn& txn) -> Result<void> {
            for (int i = 0; i <= 20'000; ++i)
                TRY(txn.put_blind(hot, std::to_string(i), "1"));
            return {};
        }));
    }
    for (int waited = 0; waited < 100 && heard.missed == 0; ++waited)
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    CHECK(heard.missed == 1);
    CHECK(heard.all().empty());
    put(*first, rows, "a", "1");
}

TEST_CASE("a lane that nobody has is the next server's, which counts on", "[servers]") {
    const auto where = new_schema();
    const auto first = server(where, "first");
    CHECK(first->peers()->name() == "1:1");
    CHECK(first->figures().servers == 1);
    std::string name_of_second;
    {
        const auto second = server(where, "second");
        name_of_second = second->peers()->name();
        CHECK(name_of_second == "2:1");
        put(*second, rows, "a", "1");
        put(*second, rows, "a", "2");
        CHECK_FALSE(must(first->peers()->is_gone(name_of_second)));
        CHECK_FALSE(must(first->peers()->is_alone()));
    }
    CHECK(must(first->peers()->is_gone(name_of_second)));
    CHECK(must(first->peers()->is_alone()));
    const auto third = server(where, "third");
    CHECK(third->peers()->name() == "2:3"); // of the second's two commits, each a version of its own
    put(*third, rows, "a", "3");
    CHECK(number_of(where, "SELECT seq FROM lanes WHERE lane = 2") == 3);
    CHECK(number_of(where, "SELECT count(*) FROM lanes") == 2);
}

TEST_CASE("a server of the same name is refused while the first one lives", "[servers]") {
    const auto where = new_schema();
    const auto first = server(where, "one");
    storage::Options options;
    options.node = "one";
    const auto second = storage::open(where, contract_spaces, options);
    REQUIRE(!second.has_value());
    CHECK(second.error().code == "StoreInUse");
    CHECK(second.error().message.starts_with(
        "a server with the same data folder, or a copy of it, uses the store"));
    put(*first, rows, "a", "1");
}

TEST_CASE("who wants to be alone is refused beside others, and they beside him", "[servers]") {
    const auto where = new_schema();
    auto first = server(where, "first");
    storage::Options options;
    options.node = "mover";
    options.alone = true;
    const auto refused = storage::open(where, contract_spaces, options);
    REQUIRE(!refused.has_value());
    CHECK(refused.error().code == "StoreInUse");
    CHECK(refused.error().message.starts_with("another server uses the store: first; "));
    first.reset();
    const auto mover = must(storage::open(where, contract_spaces, options));
    options.alone = false;
    options.node = "second";
    const auto second = storage::open(where, contract_spaces, options);
    REQUIRE(!second.has_value());
    CHECK(second.error().message.starts_with("another server uses the store: mover; "));
}

TEST_CASE("who was taken for dead commits nothing any more, says so, and is told of changes all the same",
          "[servers]") {
    const auto where = new_schema();
    Heard heard, others;
    const auto sleeper = server(where, "sleeper", heard.options());
    const auto other = server(where, "other", others.options());
    put(*sleeper, rows, "a", "1");
    run_sql(where,
            "UPDATE lanes SET epoch = epoch + 1, until = '-infinity' WHERE lane = 1"); // as others do it
    const auto late = sleeper->transact([](Txn& txn) { return txn.put(rows, "a", "2"); });
    REQUIRE(!late.has_value());
    CHECK(late.error().kind == ErrorKind::unavailable);
    constexpr auto words =
        "the others have not heard of this server for ten seconds and took it for dead; start it again";
    CHECK(late.error().message == words);
    CHECK(heard.is_in_trouble(words, 2'000));
    CHECK_FALSE(sleeper->figures().writable);
    CHECK(now(*sleeper, rows, "a") == "1");
    put(*other, hot, "b", "1");
    CHECK(heard.hears("5:b"));
    CHECK(now(*other, rows, "a") == "1");
}

TEST_CASE("pieces of a value are merged while everybody adds to it", "[servers]") {
    const auto where = new_schema();
    const auto first = server(where, "first"), second = server(where, "second");
    std::atomic<bool> done = false;
    std::vector<std::jthread> adding;
    for (auto* one : {first.get(), second.get()})
        adding.emplace_back([&done, one] {
            while (!done)
                (void)one->transact(
                    [](Txn& txn) { return txn.add_counts(counted, "k", counts_of({{"c", 1}})); });
        });
    // Only the merging writes the row itself.
    const auto merged = fmt::format("SELECT count(*) FROM s_{} WHERE v IS NOT NULL", counted.number);
    for (int waits = 0; waits < 150 && number_of(where, merged) == 0; ++waits)
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    CHECK(number_of(where, merged) == 1);
    done = true;
}

TEST_CASE("numbers that servers show are known to the others until they are gone", "[servers]") {
    const auto where = new_schema();
    const auto first = server(where, "first");
    auto second = server(where, "second");
    const auto third = server(where, "third");
    const auto sees = [&](std::uint64_t lowest, std::uint64_t highest) {
        for (int waited = 0; waited < 40; ++waited) {
            const auto shown = first->peers()->shown();
            if (shown.lowest == lowest && shown.highest == highest)
                return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
        return false;
    };
    CHECK(sees(0, 0));
    first->peers()->show(99); // its own is not one of the others'
    second->peers()->show(7);
    CHECK(sees(7, 7));
    third->peers()->show(9);
    CHECK(sees(7, 9));
    second->peers()->show(5); // they only rise
    second->peers()->show(8);
    CHECK(sees(8, 9));
    second.reset();
    CHECK(sees(9, 9));
}

TEST_CASE("the lane that an earlier version made goes on", "[servers]") {
    const auto where = new_schema();
    run_sql(
        where,
        "CREATE TABLE lanes (lane bigint PRIMARY KEY, epoch bigint NOT NULL, seq bigint NOT NULL, node "
        "bytea NOT NULL, until timestamptz NOT NULL); INSERT INTO lanes VALUES (1, 4, 17, 'first', now())");
    const auto first = server(where, "first");
    CHECK(first->peers()->name() == "1:5");
    put(*first, rows, "a", "1");
    CHECK(number_of(where, "SELECT seq FROM lanes WHERE lane = 1") == 18);
    const auto second = server(where, "second");
    CHECK(second->peers()->name() == "2:1");
}

} // namespace slashpost::data::contract
