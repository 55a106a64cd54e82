#include "core/redirect/cache.h"

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

struct Fixture {
    SystemRandom random;
    Cache cache{mebibyte, random};
    std::string value;

    static std::string with_id(const std::string& rest) { return std::string(Cache::id_bytes, '#') + rest; }
    Cache::Known find(std::string_view key) { return cache.find(key, value).known; }
    void keep(std::string_view key, const std::string& rest) {
        cache.keep(key, with_id(rest), cache.find(key, value).ticket);
    }
};

} // namespace

TEST_CASE_METHOD(Fixture, "the cache knows what it was given", "[redirect]") {
    CHECK(find("a") == Cache::Known::nothing);
    keep("a", "one");
    CHECK(find("a") == Cache::Known::present);
    CHECK(value == with_id("one"));
    CHECK(find("") == Cache::Known::nothing);
    keep("", "x");
    CHECK(find("") == Cache::Known::present);
    CHECK(value == with_id("x"));
}

TEST_CASE_METHOD(Fixture, "what was forgotten is not known any more", "[redirect]") {
    keep("a", "one");
    cache.forget("a");
    cache.forget("b");
    CHECK(find("a") == Cache::Known::nothing);
    CHECK(find("b") == Cache::Known::nothing);
    CHECK(cache.figures().bytes == 0);
}

TEST_CASE_METHOD(Fixture, "a cache that was told of all keys knows what does not exist", "[redirect]") {
    keep("kept", "one");
    REQUIRE(cache.begin_keys(100));
    for (const auto* const key : {"a", "b", "kept"})
        cache.note_key(key);
    CHECK(find("x") == Cache::Known::nothing); // there may be more to come
    cache.forget("made meanwhile");
    cache.end_keys();
    CHECK(find("x") == Cache::Known::absent);
    for (const auto* const key : {"a", "b", "made meanwhile"})
        CHECK(find(key) == Cache::Known::nothing);
    CHECK(find("kept") == Cache::Known::present);

    cache.forget("x");
    CHECK(find("x") == Cache::Known::nothing);
    cache.forget("kept");
    CHECK(find("kept") == Cache::Known::nothing);
}

TEST_CASE_METHOD(Fixture, "until the next keys are all noted, the last ones hold", "[redirect]") {
    REQUIRE(cache.begin_keys(100));
    cache.note_key("erased later");
    cache.end_keys();
    REQUIRE(cache.begin_keys(100));
    CHECK(find("x") == Cache::Known::absent);
    cache.forget("made meanwhile");
    CHECK(find("erased later") == Cache::Known::nothing);
    CHECK(find("made meanwhile") == Cache::Known::nothing);
    cache.end_keys();
    CHECK(find("erased later") == Cache::Known::absent);
    CHECK(find("made meanwhile") == Cache::Known::nothing);
}

TEST_CASE_METHOD(Fixture, "of a hundred keys that do not exist at most two may exist", "[redirect]") {
    constexpr int count = 100'000;
    REQUIRE(cache.begin_keys(count));
    for (int i = 0; i < count; ++i)
        cache.note_key("key" + std::to_string(i));
    cache.end_keys();
    int missed = 0, unknown = 0;
    for (int i = 0; i < count; ++i) {
        missed += find("key" + std::to_string(i)) == Cache::Known::absent;
        unknown += find("other" + std::to_string(i)) == Cache::Known::nothing;
    }
    CHECK(missed == 0);
    CHECK(unknown < count / 50);
    CHECK_FALSE(cache.has_too_many_keys());
    for (int i = 0; i < count / 4; ++i)
        cache.forget("new" + std::to_string(i));
    CHECK(cache.has_too_many_keys());
    for (int i = 0; i < count / 4; ++i)
        missed += find("new" + std::to_string(i)) == Cache::Known::absent;
    CHECK(missed == 0);
}

TEST_CASE_METHOD(Fixture, "a cache that may have no more memory knows less, or nothing, of more keys",
                 "[redirect]") {
    constexpr int count = 400'000; // a quarter of a mebibyte has some two hundred thousand
    REQUIRE(cache.begin_keys(count));
    for (int i = 0; i < count; ++i)
        cache.note_key("key" + std::to_string(i));
    cache.end_keys();
    CHECK_FALSE(cache.has_too_many_keys());
    int unknown = 0;
    for (int i = 0; i < 10'000; ++i)
        unknown += find("other" + std::to_string(i)) == Cache::Known::nothing;
    CHECK(unknown < 3000);

    CHECK(cache.keys_max() < 2 * count);
    CHECK_FALSE(cache.begin_keys(2 * count));
    cache.note_key("a");
    CHECK(find("key0") == Cache::Known::nothing);
}

TEST_CASE_METHOD(Fixture, "a value that was read before its key was forgotten is not kept", "[redirect]") {
    const auto ticket = cache.find("a", value).ticket;
    cache.forget("a");
    const auto old = with_id("old");
    cache.keep("a", old, ticket);
    CHECK(find("a") == Cache::Known::nothing);
    keep("a", "new");
    CHECK(find("a") == Cache::Known::present);
}

TEST_CASE_METHOD(Fixture, "two readers may miss the same key at the same time", "[redirect]") {
    const auto ticket = cache.find("a", value).ticket;
    const auto one = with_id("one"), two = with_id("two!");
    cache.keep("a", one, ticket);
    cache.keep("a", two, ticket);
    CHECK(find("a") == Cache::Known::present);
    CHECK(value == with_id("two!"));
    cache.forget("a");
    CHECK(find("a") == Cache::Known::nothing);
    CHECK(cache.figures().bytes == 0);
}

TEST_CASE_METHOD(Fixture, "the cache stays within its bounds and drops what is not asked for", "[redirect]") {
    keep("hot", "value");
    for (int i = 0; i < 50'000; ++i) {
        keep("key" + std::to_string(i), std::string(static_cast<std::size_t>(i % 500), 'x'));
        if (i % 10 == 0)
            REQUIRE(find("hot") == Cache::Known::present);
    }
    CHECK(cache.figures().bytes < mebibyte);
    CHECK(cache.figures().bytes > mebibyte / 4);
    CHECK(find("key49999") == Cache::Known::present);
    CHECK(find("key0") == Cache::Known::nothing);

    keep("huge", std::string(mebibyte, 'x'));
    CHECK(find("huge") == Cache::Known::nothing);
}

TEST_CASE_METHOD(Fixture, "hits and misses are counted", "[redirect]") {
    (void)find("a");
    keep("a", "one"); // asks once more
    (void)find("a");
    CHECK(cache.figures().misses == 2);
    CHECK(cache.figures().hits == 1);
    REQUIRE(cache.begin_keys(1));
    cache.end_keys();
    (void)find("b");
    CHECK(cache.figures().hits == 2);
}

TEST_CASE_METHOD(Fixture, "what is no longer than an id, or very long, is not kept", "[redirect]") {
    keep("a", "");
    CHECK(find("a") == Cache::Known::nothing);
    keep("b", std::string(Cache::text_bytes_max, 'x'));
    CHECK(find("b") == Cache::Known::nothing);
    keep(std::string(256, 'x'), "one");
    CHECK(find(std::string(256, 'x')) == Cache::Known::nothing);
}

TEST_CASE_METHOD(Fixture, "a cache that has learned begins anew and holds half as much again", "[redirect]") {
    const auto destination = [](int i) {
        return "https://www.example.com/articles/" + std::to_string(i) + "?utm_source=mail&utm_medium=letter";
    };
    const auto fill = [&] {
        int held = 0;
        for (int i = 0; i < 20'000; ++i)
            keep("key" + std::to_string(i), destination(i));
        for (int i = 0; i < 20'000; ++i)
            held += find("key" + std::to_string(i)) == Cache::Known::present;
        return held;
    };
    CHECK_FALSE(cache.learn()); // of nothing
    const auto before = fill();
    const auto ticket = cache.find("late", value).ticket;
    CHECK(cache.learn());
    CHECK(find("key19999") == Cache::Known::nothing);
    CHECK(fill() > before * 3 / 2);
    CHECK(cache.figures().bytes < mebibyte);
    CHECK(find("key19999") == Cache::Known::present);
    CHECK(value == with_id(destination(19'999)));
    CHECK_FALSE(cache.learn()); // a second time

    const auto late = with_id("late");
    cache.keep("late", late, ticket); // what was read before is as good as ever
    CHECK(find("late") == Cache::Known::present);
}

// The cache may know less than the model, but nothing else.
TEST_CASE_METHOD(Fixture, "whatever is kept and forgotten, the cache tells what the store said last",
                 "[redirect]") {
    std::map<std::string, std::string> store;
    std::map<std::string, std::uint64_t> tickets; // of readers that are slow
    const auto text = [&](std::uint32_t bytes_max) {
        std::string made(random.below(bytes_max), '\0');
        random.fill(std::span(reinterpret_cast<std::uint8_t*>(made.data()), made.size()));
        return random.below(2) == 0 ? made : "https://www.example.com/" + std::string(made.size() / 2, 'y');
    };
    const auto keep_stored = [&](const std::string& key, std::uint64_t ticket) {
        const auto stored = store.find(key);
        if (stored != store.end())
            cache.keep(key, stored->second, ticket);
    };
    // A reader of all keys, who is slow, too.
    std::optional<std::string> noted;
    const auto note_next = [&] {
        if (!noted) {
            REQUIRE(cache.begin_keys(4000));
            noted.emplace();
        } else if (const auto next = store.upper_bound(*noted); next != store.end()) {
            cache.note_key(*noted = next->first);
        } else {
            cache.end_keys();
            noted.reset();
        }
    };
    std::size_t known = 0, absent = 0;
    for (int turn = 0; turn < 200'000; ++turn) {
        note_next();
        const auto key = "key" + std::to_string(random.below(4000));
        const auto stored = store.find(key);
        if (random.below(10) == 0) { // the store changes
            if (random.below(3) == 0)
                store.erase(key);
            else
                store[key] = with_id(text(random.below(20) == 0 ? 5000 : 200));
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
            REQUIRE(cache.figures().bytes < mebibyte);
            const auto stale = with_id("stale");
            for (const auto& [late, ticket] : std::exchange(tickets, {}))
                if (random.below(2) == 0) {
                    cache.forget(late);
                    cache.keep(late, stale, ticket);
                } else {
                    keep_stored(late, ticket);
                }
            (void)cache.learn();
        }
    }
    CHECK(known > 20'000);
    CHECK(absent > 5'000);
}

TEST_CASE_METHOD(Fixture, "tickets for all keys are good for those that are not forgotten meanwhile",
                 "[redirect]") {
    const auto tickets = cache.tickets();
    cache.forget("a");
    cache.keep("a", with_id("old"), tickets);
    CHECK(find("a") == Cache::Known::nothing);
    int kept = 0;
    for (int i = 0; i < 100; ++i) {
        cache.keep("key" + std::to_string(i), with_id("value"), tickets);
        kept += find("key" + std::to_string(i)) == Cache::Known::present;
    }
    CHECK(kept > 80); // all but those of the part that the forgotten one is in
    CHECK(cache.has_room());
}

TEST_CASE("a cache grows while it is full, and keeps what it knows", "[redirect][long]") {
    SystemRandom random;
    Cache cache(20 * mebibyte, random); // begins with 8
    std::string value;
    const auto key_of = [](int i) { return "key" + std::to_string(i); };
    const auto keep = [&](int i) {
        const auto kept = Fixture::with_id("https://www.example.com/" + std::to_string(i));
        cache.keep(key_of(i), kept, cache.find(key_of(i), value).ticket);
    };
    int first = 0, kept = 0, grown = 0;
    std::uint64_t bytes_before = 0;
    while (true) {
        while (cache.has_room())
            keep(kept++);
        if (cache.learn()) { // and is empty now
            first = kept;
            continue;
        }
        const auto bytes = cache.figures().bytes;
        if (!cache.grow())
            break;
        CHECK(cache.figures().bytes > bytes * 99 / 100);
        CHECK(cache.has_room());
        CHECK(bytes > bytes_before);
        bytes_before = bytes;
        ++grown;
    }
    CHECK(grown == 6); // 8, 9.3, 10.9, 12.7, 14.8, 17.3, 20
    CHECK(cache.figures().bytes <= 20 * mebibyte);
    int known = 0, wrong = 0;
    for (int i = first; i < kept; ++i)
        if (cache.find(key_of(i), value).known == Cache::Known::present) {
            ++known;
            wrong += value != Fixture::with_id("https://www.example.com/" + std::to_string(i));
        }
    CHECK(wrong == 0);
    CHECK(known > (kept - first) * 7 / 10);
}

TEST_CASE("readers beside a cache that learns, grows and notes keys are told what was kept, or nothing",
          "[redirect]") {
    SystemRandom random;
    Cache cache(20 * mebibyte, random);
    std::atomic<int> kept = 0, noted = 0, wrong = 0, known = 0;
    const auto text_of = [](int i) {
        return Fixture::with_id("https://www.example.com/" + std::to_string(i));
    };
    const auto read = [&](const std::stop_token& stopping, int step) {
        std::string value;
        for (int i = 0; !stopping.stop_requested(); i = (i + step) % (kept + 1)) {
            const bool is_noted = i < noted;
            const auto told = cache.find("key" + std::to_string(i), value).known;
            known += told == Cache::Known::present;
            wrong += told == Cache::Known::present ? value != text_of(i)
                                                   : is_noted && told == Cache::Known::absent;
        }
    };
    std::jthread one([&](const std::stop_token& stopping) { read(stopping, 7); });
    std::jthread other([&](const std::stop_token& stopping) { read(stopping, 11); });
    for (int grown = 0; grown < 2;) {
        const auto tickets = cache.tickets(); // nothing is forgotten
        while (cache.has_room())
            for (int i = 0; i < 500; ++i, ++kept) {
                const auto value = text_of(kept);
                cache.keep("key" + std::to_string(kept), value, tickets);
            }
        REQUIRE(cache.begin_keys(static_cast<std::size_t>(kept)));
        for (int i = 0; i < kept; ++i)
            cache.note_key("key" + std::to_string(i));
        cache.end_keys();
        noted = kept.load();
        if (!cache.learn())
            grown += cache.grow() ? 1 : 2;
    }
    while (known < 1000)
        std::this_thread::yield();
    CHECK(wrong == 0);
}

TEST_CASE("a cache does not grow for what was forgotten", "[redirect][long][volume]") {
    SystemRandom random;
    Cache cache(20 * mebibyte, random);
    std::string value;
    const auto kept = Fixture::with_id("https://www.example.com/");
    for (int i = 0; cache.has_room() && i < 1'000'000; ++i) {
        const auto key = "key" + std::to_string(i);
        cache.keep(key, kept, cache.find(key, value).ticket);
        if (i % 8 != 0)
            cache.forget(key);
    }
    CHECK_FALSE(cache.grow());
}

TEST_CASE("a cache that is nearly full keeps the same again and again without growing",
          "[redirect][long][volume]") {
    SystemRandom random;
    const auto kept = Fixture::with_id("https://www.example.com/" + std::string(40, 'x'));
    const auto key_of = [](int i) { return "key" + std::to_string(i); };
    Cache full(8 * mebibyte, random), cache(20 * mebibyte, random); // begins with 8
    int room = 0;
    for (; full.has_room(); ++room)
        full.keep(key_of(room), kept, 0);
    for (int round = 0; round < 10; ++round)
        for (int i = 0; i < room * 9 / 10; ++i)
            cache.keep(key_of(i), kept, 0); // drops what was there
    CHECK(cache.has_room());
    CHECK_FALSE(cache.grow());
    int known = 0;
    std::string value;
    for (int i = 0; i < room * 9 / 10; ++i)
        known += cache.find(key_of(i), value).known == Cache::Known::present;
    CHECK(known > room * 9 / 10 * 98 / 100);
}

TEST_CASE("next to nothing is pushed out while there is room", "[redirect][long][volume]") {
    const auto length = GENERATE(std::size_t{1}, std::size_t{30}, std::size_t{90});
    SystemRandom random;
    std::string value;
    const auto keep_in = [&](Cache& cache, int i) {
        const auto kept = Fixture::with_id(std::string(length, 'x'));
        cache.keep("key" + std::to_string(i), kept, cache.find("key" + std::to_string(i), value).ticket);
    };
    int kept = 0;
    for (Cache full(8 * mebibyte, random); full.has_room(); ++kept)
        keep_in(full, kept);
    Cache cache(8 * mebibyte, random);
    const int some = kept / 10 * 8; // some parts of the cache are full before others
    for (int i = 0; i < some; ++i)
        keep_in(cache, i);
    int known = 0;
    for (int i = 0; i < some; ++i)
        known += cache.find("key" + std::to_string(i), value).known == Cache::Known::present;
    CHECK(known > some / 1000 * 999);
}

TEST_CASE_METHOD(Fixture, "a cache has room until it holds about what it can, whatever the length of entries",
                 "[redirect]") {
    const auto length = GENERATE(std::size_t{5}, std::size_t{30}, std::size_t{300});
    int kept = 0;
    for (; cache.has_room() && kept < 100'000; ++kept)
        keep("key" + std::to_string(kept), std::string(length, 'x'));
    REQUIRE(kept < 100'000);
    int known = 0;
    for (int i = 0; i < kept; ++i)
        known += find("key" + std::to_string(i)) == Cache::Known::present;
    CHECK(known > kept * 7 / 10);
    const auto bytes_before = cache.figures().bytes;
    for (int i = kept; i < 3 * kept; ++i)
        keep("key" + std::to_string(i), std::string(length, 'x'));
    CHECK(cache.figures().bytes < bytes_before * 3 / 2);
}
