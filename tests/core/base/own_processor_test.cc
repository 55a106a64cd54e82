#include "core/base/own_processor.h"

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

// A thread that is told where its client is, with a clock of its own.
class Thread {
  public:
    [[nodiscard]] bool asks_after(std::chrono::microseconds time) { return processor_.asks(now_ += time); }
    // Whether it went elsewhere, and has a processor as before.
    bool goes_when(bool client_is_here) {
        const auto before = places_of_thread();
        processor_.saw_client(client_is_here);
        const auto after = places_of_thread(), all = OwnProcessor::all();
        CHECK(CPU_COUNT(&after) == 1);
        CHECK(CPU_EQUAL(&after, &all));
        return !CPU_EQUAL(&after, &before);
    }

  private:
    OwnProcessor processor_{1};
    Clock::time_point now_ = Clock::now();
};

void with_thread(const std::function<void(Thread&)>& check) {
    std::thread([&] {
        Thread thread;
        check(thread);
    }).join();
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

TEST_CASE("a thread whose client is found on its own processor twice in turn goes to one that nobody has") {
    if (processors() > 1)
        with_thread([](Thread& thread) {
            CHECK_FALSE(thread.goes_when(true));
            CHECK_FALSE(thread.goes_when(false));
            CHECK_FALSE(thread.goes_when(true));
            CHECK(thread.goes_when(true));
            CHECK_FALSE(thread.goes_when(true));
            CHECK(thread.goes_when(true));
        });
}

TEST_CASE("a thread asks for its client every 0.2 ms, and lets 5 ms pass when it has gone elsewhere") {
    if (processors() > 1)
        with_thread([](Thread& thread) {
            CHECK(thread.asks_after(1us));
            CHECK_FALSE(thread.asks_after(199us));
            CHECK(thread.asks_after(1us));
            thread.goes_when(true);
            thread.goes_when(true);
            CHECK_FALSE(thread.asks_after(5ms));
            CHECK(thread.asks_after(200us));
        });
}

TEST_CASE("a thread that has no processor of its own asks for no client") {
    std::thread([] {
        OwnProcessor processor(processors());
        CHECK_FALSE(processor.asks(Clock::now()));
    }).join();
}
