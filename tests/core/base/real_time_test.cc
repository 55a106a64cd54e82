#include "core/base/real_time.h"

#include <catch2/catch.hpp>
#include <functional>
#include <sched.h>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

using namespace slashpost;
using namespace std::chrono_literals;

namespace {

constexpr auto reset_on_fork = SCHED_RESET_ON_FORK; // a real-time policy that is not inherited

bool system_allows() {
    rlimit limit{};
    REQUIRE(::getrlimit(RLIMIT_RTPRIO, &limit) == 0);
    return ::geteuid() == 0 || limit.rlim_cur >= 1;
}

void work_for(std::chrono::nanoseconds time) {
    const auto until = std::chrono::steady_clock::now() + time;
    while (std::chrono::steady_clock::now() < until) {
    }
}

// Of a thread, after some work.
int policy_after(const std::function<void(RealTime&)>& work) {
    int policy = -1;
    std::thread([&] {
        RealTime real_time;
        work(real_time);
        policy = ::sched_getscheduler(0);
    }).join();
    return policy;
}

void look_now(RealTime& real_time) { real_time.look(std::chrono::steady_clock::now()); }

} // namespace

TEST_CASE(
    "a thread that mostly waits is a real-time thread, if the system allows, and what it starts is not") {
    int started = -1;
    const auto policy = policy_after([&](RealTime& real_time) {
        std::this_thread::sleep_for(25ms);
        look_now(real_time);
        std::thread([&] { started = ::sched_getscheduler(0); }).join();
    });
    CHECK(policy == (system_allows() ? SCHED_FIFO | reset_on_fork : SCHED_OTHER));
    CHECK(started == SCHED_OTHER);
}

TEST_CASE("a thread that works more than half of the time is none, until it works less than a quarter") {
    const auto after_work = [](RealTime& real_time) {
        std::this_thread::sleep_for(25ms);
        look_now(real_time);
        work_for(50ms);
        std::this_thread::sleep_for(5ms);
        look_now(real_time);
    };
    CHECK((policy_after(after_work) & ~reset_on_fork) == SCHED_OTHER);
    const auto after_rest = [&](RealTime& real_time) {
        after_work(real_time);
        std::this_thread::sleep_for(100ms);
        look_now(real_time);
    };
    CHECK((policy_after(after_rest) & ~reset_on_fork) == (system_allows() ? SCHED_FIFO : SCHED_OTHER));
}

TEST_CASE("it is told of all threads whether one works more than half of the time") {
    std::thread([] {
        {
            RealTime real_time;
            std::this_thread::sleep_for(25ms);
            look_now(real_time);
            CHECK_FALSE(RealTime::any_busy());
            work_for(50ms);
            look_now(real_time);
            CHECK(RealTime::any_busy());
            std::this_thread::sleep_for(100ms);
            look_now(real_time);
            CHECK_FALSE(RealTime::any_busy());
            work_for(50ms);
            look_now(real_time);
            CHECK(RealTime::any_busy());
        }
        CHECK_FALSE(RealTime::any_busy()); // it has ended
    }).join();
}

TEST_CASE("it looks at most every 20 ms") {
    CHECK(policy_after([](RealTime& real_time) {
              const auto begun = std::chrono::steady_clock::now();
              std::this_thread::sleep_for(1ms);
              real_time.look(begun + 19ms);
          }) == SCHED_OTHER);
}

TEST_CASE("a policy that somebody chose stays") {
    int policy = -1;
    std::thread([&] {
        const sched_param none{};
        REQUIRE(::sched_setscheduler(0, SCHED_BATCH, &none) == 0);
        RealTime real_time;
        std::this_thread::sleep_for(25ms);
        look_now(real_time);
        policy = ::sched_getscheduler(0);
    }).join();
    CHECK(policy == SCHED_BATCH);
}
