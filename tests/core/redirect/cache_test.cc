#include "core/redirect/cache.h"

#include "tests/support/seed.h"

#include <catch2/catch.hpp>

#include <atomic>
#include <map>
#include <optional>
#include <span>
#include <thread>
#include <utility>

using namespace slashpost;
using redirect::Cache;

namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

std::string key_of(int number) { return "key" + std::to_string(number); }

struct Fixture {
    SystemRandom random;
    Cache cache{mebibyte, random};
    std::string value;

    Cache::Known find(std::string_view key) { return cache.find(key, value).known; }
    void keep(std::string_view key, std::optional<std::string_view> stored) {
        cache.keep(key, stored, cache.find(key, value).ticket);
    }
    // Of the first so many keys.
    int count(Cache::Known known, int keys) {
        int found = 0;
        for (int i = 0; i < keys; ++i)
            found += find(key_of(i)) == known;
        return found;
    }
};

} // namespace

TEST_CASE_METHOD(Fixture, "the cache knows what it was given", "[redirect]") {
    CHECK(find("a") == Cache::Known::nothing);
    keep("a", "one");
    CHECK(find("a") == Cache::Known::present);
    CHECK(value == "one");
    CHECK(find("") == Cache::Known::nothing);
    keep("", "x");
    CHECK(find("") == Cache::Known::present);
    CHECK(value == "x");
    keep("empty", "");
    CHECK(find("empty") == Cache::Known::present);
    CHECK(value.empty());
}

TEST_CASE_METHOD(Fixture, "the cache knows that a key has no value", "[redirect]") {
    keep("a", std::nullopt);
    CHECK(find("a") == Cache::Known::absent);
    cache.forget("a");
    CHECK(find("a") == Cache::Known::nothing);
    keep("a", "made since");
    CHECK(find("a") == Cache::Known::present);
}

TEST_CASE_METHOD(Fixture, "what was forgotten is not known any more", "[redirect]") {
    keep("a", "one");
    cache.forget("a");
    cache.forget("b");
    CHECK(find("a") == Cache::Known::nothing);
    CHECK(find("b") == Cache::Known::nothing);
    for (int i = 0; i < 1000; ++i)
        keep(key_of(i), i % 2 == 0 ? std::optional("one") : std::nullopt);
    cache.forget_all();
    CHECK(count(Cache::Known::nothing, 1000) == 1000);
    CHECK(cache.figures().bytes == 0);
}

TEST_CASE_METHOD(Fixture, "a value that was read before its key was forgotten is not kept", "[redirect]") {
    for (const auto stored : {std::optional("old"), std::optional<const char*>()}) {
        const auto one = cache.find("a", value).ticket;
        cache.forget("a");
        cache.keep("a", stored, one);
        CHECK(find("a") == Cache::Known::nothing);
        const auto two = cache.find("a", value).ticket;
        cache.forget_all();
        cache.keep("a", stored, two);
        CHECK(find("a") == Cache::Known::nothing);
    }
    keep("a", "new");
    CHECK(find("a") == Cache::Known::present);
}

TEST_CASE_METHOD(Fixture, "tickets for all keys are good for those that are not forgotten meanwhile",
                 "[redirect]") {
    const auto tickets = cache.tickets();
    cache.forget("a");
    cache.keep("a", "old", tickets);
    CHECK(find("a") == Cache::Known::nothing);
    for (int i = 0; i < 100; ++i)
        cache.keep(key_of(i), "value", tickets);
    CHECK(count(Cache::Known::present, 100) > 80); // all but those of the shard that the forgotten one is in
}

TEST_CASE_METHOD(Fixture, "two readers may miss the same key at the same time", "[redirect]") {
    const auto ticket = cache.find("a", value).ticket;
    cache.keep("a", "one", ticket);
    cache.keep("a", "two!", ticket);
    CHECK(find("a") == Cache::Known::present);
    CHECK(value == "two!");
    cache.forget("a");
    CHECK(find("a") == Cache::Known::nothing);
}

TEST_CASE_METHOD(Fixture, "the cache stays within its bound and evicts what is not asked for", "[redirect]") {
    keep("hot", "value");
    for (int i = 0; i < 50'000; ++i) {
        keep(key_of(i), std::string(static_cast<std::size_t>(i % 500), 'x'));
        if (i % 10 == 0)
            REQUIRE(find("hot") == Cache::Known::present);
        if (i % 1000 == 0)
            REQUIRE(cache.figures().bytes <= mebibyte);
    }
    CHECK(cache.figures().bytes > mebibyte / 4 * 3);
    CHECK(find(key_of(49'999)) == Cache::Known::present);
    CHECK(find(key_of(0)) == Cache::Known::nothing);
    const auto evictions = cache.figures().evictions;
    CHECK(evictions > 40'000);
    cache.forget_all(); // which evicts nothing
    CHECK(cache.figures().evictions == evictions);
}

TEST_CASE_METHOD(Fixture, "keys without a value evict no link, however many there are", "[redirect]") {
    constexpr int links = 4000; // take half of the memory
    for (int i = 0; i < links; ++i)
        keep(key_of(i), std::string(80, 'x'));
    for (int i = 0; i < 100'000; ++i)
        keep("unknown" + std::to_string(i), std::nullopt);
    CHECK(count(Cache::Known::present, links) == links);
    CHECK(cache.figures().bytes <= mebibyte);
    CHECK(find("unknown99999") == Cache::Known::absent);
    CHECK(find("unknown0") == Cache::Known::nothing);
}

TEST_CASE_METHOD(Fixture, "entries of a new size take the place of those before", "[redirect]") {
    for (const std::size_t length : {1U, 3000U, 30U, 10'000U, 1U}) {
        for (int i = 0; i < 40'000; ++i)
            keep(key_of(i), std::string(length, 'x'));
        CHECK(find(key_of(39'999)) == Cache::Known::present);
        CHECK(cache.figures().bytes <= mebibyte);
        CHECK(cache.figures().bytes > mebibyte / 2);
    }
}

TEST_CASE_METHOD(Fixture, "an address of usual length takes at most 200 bytes with its destination",
                 "[redirect]") {
    Cache large(64 * mebibyte, random);
    constexpr int links = 200'000;
    for (int i = 0; i < links; ++i) // 24 bytes of domain and slashtag; ids, flags and a destination of 72
        large.keep("0123456789abcdef" + std::to_string(10'000'000 + i), std::string(107, 'x'), 0);
    CHECK(large.figures().bytes / links <= 200);
    for (int i = 0; i < links; i += 1000)
        CHECK(large.find("0123456789abcdef" + std::to_string(10'000'000 + i), value).known ==
              Cache::Known::present);
}

TEST_CASE_METHOD(Fixture, "hits and misses are counted", "[redirect]") {
    (void)find("a");
    keep("a", "one"); // asks once more
    (void)find("a");
    CHECK(cache.figures().misses == 2);
    CHECK(cache.figures().hits == 1);
    keep("b", std::nullopt);
    (void)find("b");
    CHECK(cache.figures().misses == 3);
    CHECK(cache.figures().hits == 2);
}

TEST_CASE_METHOD(Fixture, "what is very long is not kept, nor is what was there before", "[redirect]") {
    keep("a", "one");
    keep("a", std::string(mebibyte, 'x'));
    CHECK(find("a") == Cache::Known::nothing);
    keep("b", std::string(65'536, 'x'));
    CHECK(find("b") == Cache::Known::nothing);
    keep(std::string(256, 'x'), "one");
    CHECK(find(std::string(256, 'x')) == Cache::Known::nothing);
    keep(std::string(255, 'x'), "one");
    CHECK(find(std::string(255, 'x')) == Cache::Known::present);
}

// The cache may know less than the model, but nothing else.
TEST_CASE_METHOD(Fixture, "whatever is kept and forgotten, the cache tells what the store said last",
                 "[redirect]") {
    std::map<std::string, std::string> store;
    std::map<std::string, std::uint64_t> tickets; // of readers that are slow
    const auto text = [&](std::uint32_t bytes_max) {
        std::string made(random.below(bytes_max), '\0');
        random.fill(std::span(reinterpret_cast<std::uint8_t*>(made.data()), made.size()));
        return made;
    };
    const auto keep_stored = [&](const std::string& key, std::uint64_t ticket) {
        const auto stored = store.find(key);
        cache.keep(key,
                   stored == store.end() ? std::nullopt : std::optional<std::string_view>(stored->second),
                   ticket);
    };
    int known = 0, absent = 0;
    for (int turn = 0; turn < test::made_up(200'000); ++turn) {
        const auto key = key_of(static_cast<int>(random.below(4000)));
        const auto stored = store.find(key);
        if (random.below(10) == 0) { // the store changes
            if (random.below(3) == 0)
                store.erase(key);
            else
                store[key] = text(random.below(20) == 0 ? 5000 : 200);
            cache.forget(key);
        } else if (const auto answer = cache.find(key, value); answer.known == Cache::Known::nothing) {
            if (random.below(10) == 0)
                tickets.try_emplace(key, answer.ticket); // reads at once, and hands in later
            else
                keep_stored(key, answer.ticket);
        } else {
            ++(answer.known == Cache::Known::absent ? absent : known);
            REQUIRE((answer.known == Cache::Known::present) == (stored != store.end()));
            if (stored != store.end())
                REQUIRE(value == stored->second);
        }
        if (turn % 1000 == 0) {
            REQUIRE(cache.figures().bytes <= mebibyte);
            for (const auto& [late, ticket] : std::exchange(tickets, {}))
                if (random.below(2) == 0) {
                    cache.forget(late);
                    cache.keep(late, "stale", ticket);
                } else {
                    keep_stored(late, ticket);
                }
            if (turn % 50'000 == 0)
                cache.forget_all();
        }
    }
    CHECK(known > test::made_up(20'000));
    CHECK(absent > test::made_up(5'000));
}

TEST_CASE("readers beside a cache that grows and evicts are told what was kept, or nothing", "[redirect]") {
    SystemRandom random;
    Cache cache(4 * mebibyte, random);
    std::atomic<int> kept = 0, wrong = 0, known = 0;
    const auto text_of = [](int i) { return "https://www.example.com/" + std::to_string(i); };
    const auto read = [&](const std::stop_token& stopping, int step) {
        std::string value;
        for (int i = 0; !stopping.stop_requested(); i = (i + step) % (kept + 1)) {
            const auto told = cache.find(key_of(i), value).known;
            known += told == Cache::Known::present;
            wrong += told == Cache::Known::present ? value != text_of(i) : told == Cache::Known::absent;
        }
    };
    std::jthread one([&](const std::stop_token& stopping) { read(stopping, 7); });
    std::jthread other([&](const std::stop_token& stopping) { read(stopping, 11); });
    for (; kept < 100'000; ++kept) // nothing is forgotten
        cache.keep(key_of(kept), text_of(kept), 0);
    while (known < 1000)
        std::this_thread::yield();
    CHECK(wrong == 0);
}
