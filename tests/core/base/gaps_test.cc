#include "core/base/gaps.h"

#include "core/base/own_processor.h"
#include "core/base/priority.h"

#include <catch2/catch.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

using namespace slashpost;
using namespace std::chrono_literals;

namespace {

cpu_set_t places_of_thread() {
    cpu_set_t places;
    REQUIRE(::sched_getaffinity(0, sizeof places, &places) == 0);
    return places;
}

// What the kernel says of the calling thread.
struct Standing {
    int policy = ::sched_getscheduler(0);
    int nice = ::getpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()));
    cpu_set_t places = places_of_thread();
    bool operator==(const Standing& other) const {
        return policy == other.policy && nice == other.nice && CPU_EQUAL(&places, &other.places);
    }
};

// One of so many threads that answer; does in between what it is told.
class InFrontThread {
  public:
    explicit InFrontThread(
        unsigned threads = 1, const std::function<void()>& turn = [] { std::this_thread::sleep_for(1ms); })
        : thread_([this, turn, threads](const std::stop_token& stopping) {
              step_forward();
              const OwnProcessor processor(threads);
              places_ = places_of_thread();
              for (ready_.release(); !stopping.stop_requested();)
                  turn();
          }) {
        ready_.acquire();
    }
    // Those on which it may run.
    [[nodiscard]] const cpu_set_t& places() const { return places_; }

  private:
    cpu_set_t places_{};
    std::binary_semaphore ready_{0};
    std::jthread thread_;
};

// Runs in a thread that stepped back and may work in gaps, if the system allows.
void in_worker(const std::function<void(Gaps&)>& work, Gaps& gaps) {
    std::thread([&] {
        step_back();
        gaps.open();
        work(gaps);
    }).join();
}
void in_worker(const std::function<void(Gaps&)>& work) {
    Gaps gaps;
    in_worker(work, gaps);
}
// Nobody puts it out of the gaps for standing still, however little this machine leaves.
void in_patient_worker(const std::function<void(Gaps&)>& work) {
    Gaps gaps(0ns);
    in_worker(work, gaps);
}

// How many times the calling thread gave up its processor of its own accord.
long sleeps_of_thread() {
    rusage used{};
    REQUIRE(::getrusage(RUSAGE_THREAD, &used) == 0);
    return used.ru_nvcsw;
}

// Asked outside of the gaps.
bool system_allows() {
    const auto all = places_of_thread();
    if (CPU_COUNT(&all) < 2)
        return false;
    rlimit limit{};
    REQUIRE(::getrlimit(RLIMIT_NICE, &limit) == 0);
    return ::geteuid() == 0 || limit.rlim_cur >= 14; // 20 - 6
}

// Until the thread has its usual policy again; false when that takes far too long.
bool takes_its_share() {
    const auto until = std::chrono::steady_clock::now() + 30s;
    while (::sched_getscheduler(0) != SCHED_OTHER)
        if (std::chrono::steady_clock::now() > until)
            return false;
    return true;
}

} // namespace

TEST_CASE("in the gaps a thread runs behind everybody, where gaps are offered, and comes back as it was") {
    const InFrontThread in_front;
    const bool allows = system_allows();
    in_patient_worker([&](Gaps& gaps) {
        const Standing before;
        {
            const Gaps::Stay stay(&gaps);
            const Standing inside;
            if (!allows) {
                CHECK(inside == before);
                return;
            }
            CHECK(inside.policy == SCHED_IDLE);
            CHECK(CPU_EQUAL(&inside.places, &in_front.places()));
        }
        CHECK(Standing() == before);
        CHECK(before.nice == 6);
    });
}

TEST_CASE("a thread that no gaps are left for takes its share there, until somebody waits for it") {
    const InFrontThread in_front(1, [] {}); // is always there
    const bool allows = system_allows();
    in_worker([&](Gaps& gaps) {
        const Standing before;
        const Gaps::Stay stay(&gaps);
        CHECK(takes_its_share());
        const Standing inside;
        CHECK(inside.nice == 6);
        CHECK(CPU_EQUAL(&inside.places, allows ? &in_front.places() : &before.places));
        std::thread([&] { const Gaps::Wait wait(gaps); }).join();
        CHECK(Standing() == before);
    });
}

TEST_CASE("who works in the gaps rests on the way, and not when it is put out of them") {
    const InFrontThread in_front;
    const bool allows = system_allows();
    in_patient_worker([&](Gaps& gaps) {
        const auto rests = [&] {
            const auto before = sleeps_of_thread();
            for (int times = 0; times < 400'000; ++times) // some milliseconds
                gaps.rest();
            return sleeps_of_thread() - before;
        };
        CHECK(rests() == 0);
        const Gaps::Stay stay(&gaps);
        CHECK((rests() > 0) == allows);
        std::thread([&] { const Gaps::Wait wait(gaps); }).join();
        CHECK(rests() == 0);
    });
}

TEST_CASE("who waits for a thread in the gaps has it come out, and finds it outside until the wait is over") {
    const InFrontThread in_front;
    in_patient_worker([&](Gaps& gaps) {
        const Standing before;
        {
            const Gaps::Stay stay(&gaps);
            std::thread([&] { const Gaps::Wait wait(gaps); }).join();
            CHECK(Standing() == before);
        }
        const Gaps::Wait wait(gaps);
        const Gaps::Stay stay(&gaps);
        CHECK(Standing() == before);
    });
}

TEST_CASE("who may want locks that are held in the gaps has their holder come out, and only a holder") {
    const InFrontThread in_front;
    const bool allows = system_allows();
    in_patient_worker([&](Gaps& gaps) {
        const Standing before;
        {
            const Gaps::Stay stay(&gaps);
            const Standing inside;
            std::thread([&] { const Gaps::Locking locking; }).join();
            CHECK(Standing() == inside);
        }
        {
            const Gaps::Stay stay(&gaps, Gaps::Holds::locks);
            CHECK((Standing() != before) == allows);
            const Gaps::Locking own; // waits for nobody
            CHECK((Standing() != before) == allows);
            std::thread([&] { const Gaps::Locking locking; }).join();
            CHECK(Standing() == before);
        }
        const Gaps::Locking locking;
        const Gaps::Stay stay(&gaps, Gaps::Holds::locks);
        CHECK(Standing() == before);
    });
}

TEST_CASE("where nobody is in front there are no gaps, and no other thread works in them") {
    in_worker([&](Gaps& gaps) {
        const Standing before;
        {
            const Gaps::Stay stay(&gaps);
            CHECK(Standing() == before);
        }
        const InFrontThread in_front;
        std::thread([&] {
            const Standing other;
            const Gaps::Stay stay(&gaps);
            CHECK(Standing() == other);
        }).join();
    });
}

TEST_CASE("a thread may begin to work while another one is about to open the gaps") {
    const InFrontThread in_front;
    Gaps gaps;
    const Standing before;
    std::thread worker([&] { gaps.open(); });
    for (int times = 0; times < 100; ++times) {
        const Gaps::Stay stay(&gaps);
        CHECK(Standing() == before);
    }
    worker.join();
}
