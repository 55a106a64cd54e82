#include "core/base/own_processor.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <functional>
#include <memory>
#include <semaphore>
#include <thread>
#include <vector>

using namespace slashpost;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

namespace {

cpu_set_t places_of_thread() {
    cpu_set_t places;
    REQUIRE(::sched_getaffinity(0, sizeof places, &places) == 0);
    return places;
}

unsigned processors() {
    const auto all = places_of_thread();
    return static_cast<unsigned>(CPU_COUNT(&all));
}

void work_for(std::chrono::nanoseconds time) {
    for (const auto until = Clock::now() + time; Clock::now() < until;) {
    }
}

// One of so many threads that have a processor of their own.
class Owner {
  public:
    explicit Owner(unsigned threads)
        : thread_([this, threads](const std::stop_token& stopping) {
              const OwnProcessor processor(threads);
              places_ = places_of_thread();
              for (ready_.release(); !stopping.stop_requested();)
                  std::this_thread::sleep_for(1ms);
          }) {
        ready_.acquire();
    }
    [[nodiscard]] const cpu_set_t& places() const { return places_; }

  private:
    cpu_set_t places_{};
    std::binary_semaphore ready_{0};
    std::jthread thread_;
};

// Whether a thread that works has gone elsewhere within some time, while another keeps to where it began.
// Each does its work again and again.
bool leaves(std::chrono::nanoseconds time, const std::function<void()>& work,
            const std::function<void()>& of_other) {
    bool left = false;
    std::thread([&] {
        OwnProcessor processor(1);
        const auto begun_at = places_of_thread();
        const std::jthread other([&](const std::stop_token& stopping) {
            REQUIRE(::sched_setaffinity(0, sizeof begun_at, &begun_at) == 0);
            while (!stopping.stop_requested())
                of_other();
        });
        for (const auto until = Clock::now() + time; !left && Clock::now() < until;) {
            work();
            processor.look(Clock::now());
            const auto now = places_of_thread(), all = OwnProcessor::all();
            REQUIRE(CPU_COUNT(&now) == 1);
            REQUIRE(CPU_EQUAL(&now, &all));
            left = !CPU_EQUAL(&now, &begun_at);
        }
    }).join();
    return left;
}

void work_and_yield() {
    work_for(20us);
    std::this_thread::yield();
}

} // namespace

TEST_CASE("threads that answer have a processor each, if one is left to the rest of the program") {
    const auto all = places_of_thread();
    cpu_set_t taken;
    CPU_ZERO(&taken);
    {
        std::vector<std::unique_ptr<Owner>> owners;
        for (unsigned number = 1; number < processors(); ++number) {
            owners.push_back(std::make_unique<Owner>(processors() - 1));
            CHECK(CPU_COUNT(&owners.back()->places()) == 1);
            CPU_OR(&taken, &taken, &owners.back()->places());
        }
        CHECK(static_cast<unsigned>(CPU_COUNT(&taken)) == processors() - 1);
        const auto told = OwnProcessor::all();
        CHECK(CPU_EQUAL(&told, &taken));
    }
    const Owner one_of_all(processors());
    CHECK(CPU_EQUAL(&one_of_all.places(), &all));
    const auto told = OwnProcessor::all();
    CHECK(CPU_COUNT(&told) == 0);
}

TEST_CASE("a thread that takes turns with another on its own processor goes to one that nobody has") {
    if (processors() > 1)
        CHECK(leaves(30s, work_and_yield, work_and_yield));
}

TEST_CASE(
    "a thread stays on its processor where nobody takes turns with it, or somebody works for long there") {
    if (processors() < 2)
        return;
    CHECK_FALSE(leaves(100ms, work_and_yield, [] { std::this_thread::sleep_for(10ms); }));
    CHECK_FALSE(leaves(100ms, [] { work_for(20us); }, [] { work_for(1ms); }));
}
