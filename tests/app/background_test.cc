#include "app/background.h"

#include <catch2/catch.hpp>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

using namespace slashpost;

TEST_CASE("a background thread has a niceness of six, and the others keep theirs") {
    const auto niceness = [] { return ::getpriority(PRIO_PROCESS, static_cast<id_t>(::gettid())); };
    const int before = niceness();
    int in_background = 0;
    std::thread([&] {
        app::lower_priority();
        in_background = niceness();
    }).join();
    CHECK(in_background == 6);
    CHECK(niceness() == before);
}
