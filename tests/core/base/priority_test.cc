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

TEST_CASE("who steps forward is raised by four, if the system allows") {
    const int nice_before = nice_of_thread();
    int nice = 0;
    std::thread([&] {
        step_forward();
        nice = nice_of_thread();
    }).join();
    const bool is_raised = nice == nice_before - 4;
    CHECK((is_raised || (::geteuid() != 0 && nice == nice_before)));
    CHECK(nice_of_thread() == nice_before);
}

TEST_CASE("who cuts in has turns of a tenth of a millisecond, and its usual ones when it no longer does") {
    struct {
        std::uint64_t before = 0, meanwhile = 0, after = 0;
    } turn;
    int nice_before = 0, nice = 0;
    std::thread([&] {
        step_forward();
        nice_before = nice_of_thread();
        turn.before = turn_of_thread();
        cut_in(true);
        turn.meanwhile = turn_of_thread();
        cut_in(false);
        turn.after = turn_of_thread();
        nice = nice_of_thread();
    }).join();
    CHECK(turn.meanwhile == (turn.before == 0 ? 0 : 100'000));
    CHECK(turn.after == turn.before);
    CHECK(nice == nice_before);
}

TEST_CASE("who steps back has a niceness of six") {
    int nice = 0;
    std::thread([&] {
        step_back();
        nice = nice_of_thread();
    }).join();
    CHECK(nice == 6);
}
