// Answers of calls that may come again, because nobody knows whether they arrived.
#include "core/ops/kept_answers.h"

#include "core/base/secret.h"
#include "core/ops/links.h"
#include "tests/support/must.h"
#include "tests/support/world.h"

#include <catch2/catch.hpp>

#include <thread>

using namespace slashpost;
using namespace slashpost::test;

namespace {

const std::string one_call = sha256("one call"), other_call = sha256("another call");

// Makes a link, unless the call was made before; answers the link's slashtag.
Result<std::string> make_once(Context& ctx, std::string_view key) {
    if (auto earlier = TRY(find_repeated(ctx, key, one_call)))
        return earlier->answer;
    const auto made = TRY(create_link(ctx, {.destination = "https://example.com/"}));
    TRY(keep_answer(ctx, key, one_call, made.link.slashtag));
    return made.link.slashtag;
}

std::string answer_of(World& world, std::string_view key, const std::string& call = one_call) {
    const auto found = must(world.read([&](Context& ctx) { return find_repeated(ctx, key, call); }));
    return !found ? "nothing" : found->is_same ? found->answer : "another call";
}

void keep(World& world, std::string_view key, std::string_view answer) {
    must(world.write([&](Context& ctx) { return keep_answer(ctx, key, one_call, answer); }));
}

} // namespace

TEST_CASE("an answer is found by its key, and by the same call only", "[kept_answers]") {
    World world;
    CHECK(answer_of(world, "key") == "nothing");
    keep(world, "key", "the answer");
    CHECK(answer_of(world, "key") == "the answer");
    CHECK(answer_of(world, "key", other_call) == "another call");
    CHECK(answer_of(world, "Key") == "nothing");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a kept answer is stored as these bytes", "[kept_answers][schema]") {
    const KeptAnswer kept{.account = AccountId::parse("0123456789abcdef0123456789abcdef").value(),
                          .key_hash = "K",
                          .fingerprint = "F",
                          .sealed = "S",
                          .created_at = {1}};
    CHECK(data::encode(kept) == std::string("\x01\x01\x10") + std::string(kept.account.view()) +
                                    "\x02\x01K\x03\x01"
                                    "F\x04\x01S\x05\x01\x02");
}

TEST_CASE("keys are each account's own", "[kept_answers][threat-18]") {
    World world;
    keep(world, "key", "the answer");
    const auto stranger = world.stranger("other");
    const auto found = must(world.service.run(
        stranger.caller, {}, {}, [&](Context& ctx) { return find_repeated(ctx, "key", one_call); }));
    CHECK_FALSE(found.has_value());
}

TEST_CASE("an answer is forgotten after a day", "[kept_answers]") {
    World world;
    keep(world, "early", "a");
    world.clock.advance_seconds(3600);
    keep(world, "late", "b");
    world.clock.advance_seconds(23 * 3600 - 1);
    CHECK(answer_of(world, "early") == "a");
    world.clock.advance_seconds(1);
    CHECK(answer_of(world, "early") == "nothing");
    CHECK_FALSE(must(world.operate(prune_kept_answers)));
    const auto left = must(world.read(
        [](Context& ctx) { return schema().kept_answers.per_account.count(ctx.view(), ctx.account.id); }));
    CHECK(left == 1);
    CHECK(answer_of(world, "late") == "b");
    keep(world, "early", "c");
    CHECK(answer_of(world, "early") == "c");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a key whose day is over is used again before anybody has cleared up", "[kept_answers]") {
    World world;
    keep(world, "key", "a");
    world.clock.advance_seconds(24 * 3600);
    keep(world, "key", "b");
    CHECK(answer_of(world, "key") == "b");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("an account keeps so many answers, and the oldest goes for one more", "[kept_answers]") {
    World world;
    for (const auto* key : {"1", "2", "3", "4"}) {
        must(world.write([&](Context& ctx) { return keep_answer(ctx, key, one_call, key, 3); }));
        world.clock.advance_seconds(1);
    }
    CHECK(answer_of(world, "1") == "nothing");
    for (const auto* key : {"2", "3", "4"})
        CHECK(answer_of(world, key) == key);
    CHECK(answers_per_account_max == 100'000);
}

TEST_CASE("of calls with one key that come at once, one is done, and all have its answer", "[kept_answers]") {
    World world;
    std::vector<std::string> answers(8);
    {
        std::vector<std::jthread> callers;
        callers.reserve(answers.size());
        for (auto& answer : answers)
            callers.emplace_back([&] {
                answer = world.write([&](Context& ctx) { return make_once(ctx, "key"); }).value_or("failed");
            });
    }
    CHECK(must(world.count({})) == 1);
    for (const auto& answer : answers)
        CHECK(answer == answers.front());
    CHECK(answers.front().size() >= 5);
    CHECK(world.inconsistency().empty());
}
