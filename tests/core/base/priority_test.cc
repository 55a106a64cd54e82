#include "core/base/priority.h"

#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <cstring>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

using namespace slashpost;

namespace {

// How long a turn of the calling thread is, in nanoseconds; 0: this kernel does not say.
std::uint64_t turn_of_thread() {
    std::array<std::byte, 48> attributes{}; // as sched_getattr(2) draws them
    REQUIRE(::syscall(SYS_sched_getattr, 0, attributes.data(), attributes.size(), 0) == 0);
    std::uint64_t runtime = 0;
    std::memcpy(&runtime, attributes.data() + 24, sizeof runtime);
    return runtime;
}

int nice_of_thread() { return ::getpriority(PRIO_PROCESS, static_cast<id_t>(::gettid())); }

} // namespace

TEST_CASE(
    "who steps forward has turns of a tenth of a millisecond and is raised by four, if the system allows") {
    std::uint64_t turn_before = 0, turn = 0;
    const int nice_before = nice_of_thread();
    int nice = 0;
    std::thread([&] {
        turn_before = turn_of_thread();
        step_forward();
        turn = turn_of_thread();
        nice = nice_of_thread();
    }).join();
    CHECK(turn == (turn_before == 0 ? 0 : 100'000));
    const bool is_raised = nice == nice_before - 4;
    CHECK((is_raised || (::geteuid() != 0 && nice == nice_before)));
    CHECK(nice_of_thread() == nice_before);
}

TEST_CASE("who steps back has a niceness of six") {
    int nice = 0;
    std::thread([&] {
        step_back();
        nice = nice_of_thread();
    }).join();
    CHECK(nice == 6);
}
