#pragma once
// The seed of a test that makes things up: another one on each run, told, so that a failure can be seen
// again.
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>
#include <string_view>

namespace slashpost::test {

// That of SLASHPOST_SEED, if it is set, else a new one; printed with the name of the test that it is for.
inline unsigned new_seed(std::string_view test) {
    const char* const given = std::getenv("SLASHPOST_SEED");
    const auto seed =
        given ? static_cast<unsigned>(std::stoul(given)) : static_cast<unsigned>(std::random_device{}());
    std::cout << test << ": SLASHPOST_SEED=" << seed << std::endl;
    return seed;
}

// How much of it: a quarter under a sanitizer, which looks at each step and takes twenty times as long.
constexpr int made_up(int number) {
#ifdef SLASHPOST_SANITIZED
    return number / 4;
#else
    return number;
#endif
}

} // namespace slashpost::test
