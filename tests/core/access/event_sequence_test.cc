// That whoever reads events by their numbers skips none, in whatever order transactions commit.
#include "core/access/event_sequence.h"

#include "core/data/key.h"
#include "core/schema/schema.h"
#include "storage/memory/engine.h"
#include "tests/support/fake_peers.h"
#include "tests/support/must.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::test;
using Ended = EventSequence::Ended;
using Turn = EventSequence::Turn;

namespace {

// 1,800,000,000,000 ms with 16 bits behind.
constexpr std::uint64_t by_clock = 117'964'800'000'000'000;
constexpr Timestamp now{1'800'000'000'000};

std::unique_ptr<data::Engine> empty_store() { return storage::make_memory_engine(space::all); }

} // namespace

TEST_CASE("a reader of events goes no further than the smallest number that is open", "[events]") {
    const auto engine = empty_store();
    EventSequence sequence;
    CHECK(sequence.horizon() == 0);
    must(sequence.begin(*engine, now));
    CHECK(sequence.horizon() == by_clock);

    Turn first(sequence), second(sequence);
    CHECK(first.take() == by_clock);
    CHECK(second.take() == by_clock + 1);
    second.end(Ended::committed); // before the first
    CHECK(sequence.horizon() == by_clock);
    first.end(Ended::committed);
    CHECK(sequence.horizon() == by_clock + 2);
}

TEST_CASE("an attempt that runs again gives its number back", "[events]") {
    const auto engine = empty_store();
    EventSequence sequence;
    must(sequence.begin(*engine, now));
    Turn turn(sequence);
    CHECK(turn.take() == by_clock);
    CHECK(turn.take() == by_clock + 1);
    CHECK(sequence.horizon() == by_clock + 1);
    turn.end(Ended::without_commit);
    CHECK(sequence.horizon() == by_clock + 2);
}

TEST_CASE("a number whose commit may be there or not stays open until a later one is there", "[events]") {
    const auto engine = empty_store();
    EventSequence sequence;
    must(sequence.begin(*engine, now));
    {
        Turn doubtful(sequence);
        doubtful.take();
        doubtful.end(Ended::unknown);
    }
    CHECK(sequence.horizon() == by_clock);
    {
        Turn refused(sequence);
        refused.take();
        refused.end(Ended::without_commit);
    }
    CHECK(sequence.horizon() == by_clock);
    {
        Turn later(sequence);
        later.take();
        later.end(Ended::committed);
    }
    CHECK(sequence.horizon() == by_clock + 3);
}

TEST_CASE("numbers rise from run to run, also when the clock has gone back an hour", "[events]") {
    const auto engine = empty_store();
    std::uint64_t last = 0;
    {
        EventSequence sequence;
        must(sequence.begin(*engine, now));
        Turn turn(sequence);
        last = turn.take();
        turn.end(Ended::committed);
    }
    EventSequence after;
    must(after.begin(*engine, now.plus_seconds(-3600)));
    CHECK(after.horizon() == by_clock + 68'719'476'736); // 2^36
    CHECK(after.horizon() > last);
    EventSequence later;
    must(later.begin(*engine, now.plus_seconds(86'400)));
    CHECK(later.horizon() == by_clock + std::uint64_t{86'400'000} * 65'536);
}

TEST_CASE("numbers begin above those of events that were restored", "[events]") {
    const auto engine = empty_store();
    const auto later = by_clock + 5;
    must(engine->transact([&](data::Txn& txn) {
        return schema().events.insert(
            txn, {.id = *EventId::from_bytes(data::key(later, std::uint64_t{0})), .name = "restored"});
    }));
    EventSequence sequence;
    must(sequence.begin(*engine, now));
    CHECK(sequence.horizon() == by_clock + 6);
}

TEST_CASE("a store whose number of the first event is damaged tells no events", "[events]") {
    const auto engine = empty_store();
    must(engine->transact([](data::Txn& txn) { return txn.put(space::meta, "events.begun", "x"); }));
    EventSequence sequence;
    const auto begun = sequence.begin(*engine, now);
    REQUIRE_FALSE(begun.has_value());
    CHECK(begun.error().message.starts_with("the number of the first event cannot be read"));
    CHECK(sequence.horizon() == 0);
}

TEST_CASE("of several servers a reader goes no further than the one that is furthest behind", "[events]") {
    const auto engine = empty_store();
    FakePeers peers;
    EventSequence sequence(&peers);
    CHECK(sequence.horizon() == 0);
    peers.shown_by_others = {.lowest = 500, .highest = 900}; // this server has written nothing yet
    CHECK(sequence.horizon() == 500);

    must(sequence.begin(*engine, now));
    CHECK(peers.shown_by_this == by_clock);
    CHECK(sequence.horizon() == 500);
    peers.shown_by_others = {.lowest = by_clock + 7, .highest = by_clock + 7};
    CHECK(sequence.horizon() == by_clock);
    peers.shown_by_others = {}; // they are gone
    CHECK(sequence.horizon() == by_clock);
}

TEST_CASE("a server that writes nothing goes on from the highest number that others show", "[events]") {
    const auto engine = empty_store();
    FakePeers peers;
    EventSequence sequence(&peers);
    must(sequence.begin(*engine, now));
    peers.shown_by_others = {.lowest = by_clock + 40, .highest = by_clock + 50};
    must(sequence.begin(*engine, now));
    CHECK(peers.shown_by_this == by_clock + 50);
    CHECK(sequence.horizon() == by_clock + 40);

    Turn turn(sequence);
    CHECK(turn.take() == by_clock + 50);
    peers.shown_by_others = {.lowest = by_clock + 90, .highest = by_clock + 90};
    must(sequence.begin(*engine, now));
    CHECK(peers.shown_by_this == by_clock + 50); // as long as that one is open
    turn.end(Ended::committed);
    CHECK(peers.shown_by_this == by_clock + 90);
}

TEST_CASE("what two servers write under the same number is told apart by theirs", "[events]") {
    FakePeers peers;
    peers.own_number = 7;
    EventSequence sequence(&peers), alone;
    CHECK(Turn(sequence).server() == 7);
    CHECK(Turn(alone).server() == 0);
}

TEST_CASE("other servers do not wait for a number of which nobody knows whether it is there", "[events]") {
    const auto engine = empty_store();
    FakePeers peers;
    EventSequence sequence(&peers);
    must(sequence.begin(*engine, now));
    {
        Turn doubtful(sequence);
        doubtful.take();
    }
    CHECK(peers.shown_by_this == by_clock);
    must(sequence.begin(*engine, now)); // as the background does every second
    CHECK(peers.shown_by_this == by_clock + 1);
}
