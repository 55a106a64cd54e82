// What transactions of a fill read and write, by the rules of spaces.
#include "core/data/filling.h"

#include "storage/open.h"
#include "tests/support/engine_contract_helpers.h"

#include <catch2/catch.hpp>

namespace slashpost::data {

namespace {

using namespace contract;

constexpr Space blind{6, "blind", Pattern::rows};
constexpr Space left_out{11, "left_out", Pattern::queue};
constexpr std::array spaces{rows, hot, counted, logged, settings, blind, left_out};
constexpr std::array rules{FillRuleOf{.space = settings, .rule = FillRule::kept},
                           FillRuleOf{.space = blind, .rule = FillRule::rows},
                           FillRuleOf{.space = hot, .rule = FillRule::unique},
                           FillRuleOf{.space = left_out, .rule = FillRule::none}};

struct World {
    std::unique_ptr<Engine> engine = must(storage::open("memory:", spaces));
    std::unique_ptr<Fill> fill = must(begin_fill(*engine));
    Filling filling{*fill, rules};

    void write(const std::function<Result<void>(Txn&)>& closure) {
        must(engine->read([&](View& view) { return filling.write(view, closure); }));
    }
};

} // namespace

TEST_CASE("a filling reads what the store has") {
    World world;
    put(*world.engine, rows, "a", "1");
    put(*world.engine, settings, "s", "1");
    put(*world.engine, hot, "h", "1");
    add(*world.engine, "t", 5);
    world.write([](Txn& txn) -> Result<void> {
        CHECK(get(txn, rows, "a") == "1");
        CHECK(must(txn.peek(settings, "s")) == "1");
        CHECK(get(txn, hot, "h") == "1");
        CHECK(must(txn.tally("t")) == 5);
        CHECK(entries(txn, rows, {}) == std::vector<std::string>{"a=1"});
        CHECK(tallies(txn, {}) == std::vector<std::string>{"t=5"});
        return {};
    });
}

TEST_CASE("what is kept is read by every later write, and only the last of it is put in place") {
    World world;
    put(*world.engine, settings, "gone", "1");
    world.write([](Txn& txn) -> Result<void> {
        TRY(txn.put(settings, "s", "1"));
        TRY(txn.put_blind(settings, "s", "2"));
        return txn.erase(settings, "gone");
    });
    world.write([](Txn& txn) -> Result<void> {
        CHECK(get(txn, settings, "s") == "2");
        CHECK_FALSE(get(txn, settings, "gone"));
        return txn.put(settings, "s", "3");
    });
    CHECK_FALSE(now(*world.engine, settings, "s"));
    must(world.filling.finish());
    CHECK(now(*world.engine, settings, "s") == "3");
    CHECK_FALSE(now(*world.engine, settings, "gone"));
}

TEST_CASE("where rows are kept, blind writes go through") {
    World world;
    world.write([](Txn& txn) -> Result<void> {
        TRY(txn.put(blind, "row", "1"));
        TRY(txn.put(blind, "row", "2"));
        TRY(txn.put_blind(blind, "entry", "1"));
        CHECK(get(txn, blind, "row") == "2");
        CHECK_FALSE(get(txn, blind, "entry"));
        return {};
    });
    must(world.filling.finish());
    CHECK(now(*world.engine, blind, "row") == "2");
    CHECK(now(*world.engine, blind, "entry") == "1");
}

TEST_CASE("a unique key that nobody has is free for the first who looks for it") {
    World world;
    world.write([](Txn& txn) -> Result<void> {
        CHECK_FALSE(get(txn, hot, "a"));
        CHECK(get(txn, hot, "a"));
        return txn.put(hot, "a", "1");
    });
    world.write([](Txn& txn) -> Result<void> {
        CHECK(get(txn, hot, "a"));
        CHECK_FALSE(get(txn, hot, "b")); // and nobody writes it
        return {};
    });
    must(world.filling.finish());
    CHECK(now(*world.engine, hot, "a") == "1");
    CHECK_FALSE(now(*world.engine, hot, "b"));
}

TEST_CASE("everything else goes into the fill, but for what is left out") {
    World world;
    world.write([](Txn& txn) -> Result<void> {
        TRY(txn.put(rows, "a", "1"));
        TRY(txn.put_blind(rows, "b", "2"));
        TRY(txn.put_blind(left_out, "mark", ""));
        TRY(txn.add("t", 2));
        TRY(txn.append(logged, "l", "x"));
        CHECK_FALSE(get(txn, rows, "a"));
        return {};
    });
    must(world.filling.finish());
    CHECK(now(*world.engine, rows, "a") == "1");
    CHECK(now(*world.engine, rows, "b") == "2");
    CHECK_FALSE(now(*world.engine, left_out, "mark"));
    CHECK(sum(*world.engine, "t") == 2);
    CHECK(now(*world.engine, logged, "l") == "x");
}

} // namespace slashpost::data
