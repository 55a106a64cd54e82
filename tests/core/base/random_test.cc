#include "core/base/random.h"
#include "tests/support/child_process.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <vector>

#include <sys/resource.h>

using namespace slashpost;

TEST_CASE("random bytes fill all that is asked for, and are others each time", "[random]") {
    SystemRandom random;
    std::vector<std::uint8_t> one(100'000), another(100'000);
    random.fill(one);
    random.fill(another);
    CHECK(one != another);
    for (const auto* bytes : {&one, &another})
        for (int value = 0; value < 256; ++value)
            CHECK(std::ranges::count(*bytes, value) > 200); // about 390 each
}

TEST_CASE("child has no memory", "[.child]") {
    SystemRandom random;
    rlimit limit{};
    ::getrlimit(RLIMIT_AS, &limit);
    const rlimit no_more{.rlim_cur = 0, .rlim_max = limit.rlim_max};
    std::array<std::uint8_t, 32> bytes{};
    std::vector<void*> taken;
    taken.reserve(10'000'000);
    ::setrlimit(RLIMIT_AS, &no_more);
    for (std::size_t size = 1 << 20; size >= 16; size /= 2)
        while (void* more = taken.size() < taken.capacity() ? std::malloc(size) : nullptr)
            taken.push_back(more);
    random.fill(bytes);
    ::setrlimit(RLIMIT_AS, &limit);
    std::ranges::for_each(taken, std::free);
    REQUIRE(taken.size() < taken.capacity());
    CHECK(std::ranges::any_of(bytes, [](std::uint8_t byte) { return byte != 0; }));
}

#ifndef SLASHPOST_SANITIZED // which need memory themselves
TEST_CASE("random bytes are there when memory is not", "[random]") {
    test::ChildProcess child("child has no memory", "/");
    std::string printed;
    for (std::string more = "?"; !more.empty();)
        printed += more = child.read();
    CAPTURE(printed);
    CHECK(child.wait() == 0);
}
#endif
