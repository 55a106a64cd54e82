#include "core/base/own_processor.h"

#include <catch2/catch.hpp>
#include <memory>
#include <semaphore>
#include <thread>
#include <vector>

using namespace slashpost;
using namespace std::chrono_literals;
using Steady = std::chrono::steady_clock;

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

TEST_CASE("a thread that goes has a processor again, which nobody had") {
    if (processors() < 2)
        return;
    std::thread([] {
        OwnProcessor processor(1);
        for (auto before = places_of_thread(); auto time : {1, 2}) {
            CAPTURE(time);
            processor.go();
            const auto after = places_of_thread(), all = OwnProcessor::all();
            CHECK(CPU_COUNT(&after) == 1);
            CHECK(CPU_EQUAL(&after, &all));
            CHECK_FALSE(CPU_EQUAL(&after, &before));
            before = after;
        }
    }).join();
}

TEST_CASE("a thread asks for its client every 0.1 ms, and lets 1 ms pass when it has gone") {
    if (processors() < 2)
        return;
    std::thread([] {
        OwnProcessor processor(1);
        const auto begun = Steady::now();
        CHECK(processor.asks(begun));
        CHECK_FALSE(processor.asks(begun + 99us));
        CHECK(processor.asks(begun + 100us));
        processor.go();
        CHECK_FALSE(processor.asks(begun + 1ms));
        CHECK(processor.asks(begun + 1200us));
    }).join();
}

TEST_CASE("a thread that has no processor of its own asks for no client") {
    std::thread([] {
        OwnProcessor processor(processors());
        CHECK_FALSE(processor.asks(Steady::now()));
    }).join();
}
