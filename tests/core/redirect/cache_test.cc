#include "core/redirect/cache.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using redirect::Cache;

namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

struct Fixture {
    SystemRandom random;
    Cache cache{mebibyte, random};
    std::string value;

    Cache::Known find(std::string_view key) { return cache.find(key, value).known; }
    void keep(std::string_view key, const std::string& kept) {
        cache.keep(key, &kept, cache.find(key, value).ticket);
    }
    void keep_absent(std::string_view key) { cache.keep(key, nullptr, cache.find(key, value).ticket); }
};

} // namespace

TEST_CASE_METHOD(Fixture, "the cache knows what it was given, and that some things do not exist",
                 "[redirect]") {
    CHECK(find("a") == Cache::Known::nothing);
    keep("a", "one");
    keep_absent("b");
    CHECK(find("a") == Cache::Known::present);
    CHECK(value == "one");
    CHECK(find("b") == Cache::Known::absent);
    CHECK(find("") == Cache::Known::nothing);
    keep("", "");
    CHECK(find("") == Cache::Known::present);
    CHECK(value.empty());
}

TEST_CASE_METHOD(Fixture, "what was forgotten is not known any more", "[redirect]") {
    keep("a", "one");
    keep_absent("b");
    cache.forget("a");
    cache.forget("b");
    cache.forget("c");
    CHECK(find("a") == Cache::Known::nothing);
    CHECK(find("b") == Cache::Known::nothing);
    CHECK(cache.figures().bytes == 0);
}

TEST_CASE_METHOD(Fixture, "a value that was read before its key was forgotten is not kept", "[redirect]") {
    const auto ticket = cache.find("a", value).ticket;
    cache.forget("a");
    const std::string old = "old";
    cache.keep("a", &old, ticket);
    CHECK(find("a") == Cache::Known::nothing);
    cache.keep("a", nullptr, ticket);
    CHECK(find("a") == Cache::Known::nothing);
    keep("a", "new");
    CHECK(find("a") == Cache::Known::present);
}

TEST_CASE_METHOD(Fixture, "two readers may miss the same key at the same time", "[redirect]") {
    const auto ticket = cache.find("a", value).ticket;
    const std::string one = "one", two = "two!";
    cache.keep("a", &one, ticket);
    cache.keep("a", &two, ticket);
    CHECK(find("a") == Cache::Known::present);
    CHECK(value == "two!");
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

TEST_CASE_METHOD(Fixture, "a scan of unknown keys pushes out no known one", "[redirect]") {
    std::size_t kept = 0;
    for (int i = 0; i < 500; ++i)
        keep("key" + std::to_string(i), "value");
    for (int i = 0; i < 500; ++i)
        kept += find("key" + std::to_string(i)) == Cache::Known::present;
    for (int i = 0; i < 100'000; ++i)
        keep_absent("unknown" + std::to_string(i));
    std::size_t left = 0;
    for (int i = 0; i < 500; ++i)
        left += find("key" + std::to_string(i)) == Cache::Known::present;
    CHECK(kept > 490);
    CHECK(left == kept);
}

TEST_CASE_METHOD(Fixture, "hits and misses are counted", "[redirect]") {
    (void)find("a");
    keep_absent("a"); // asks once more
    (void)find("a");
    CHECK(cache.figures().misses == 2);
    CHECK(cache.figures().hits == 1);
}
