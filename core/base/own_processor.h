#pragma once
// A thread that answers all the time has a processor of its own, and offers the gaps that it leaves (gaps.h).
//
// The kernel would otherwise move it to where its clients are, as soon as anybody works where it was, and
// back again. What it does not hinder is that a client of this machine comes to it: whoever is woken by an
// answer while somebody else works where it was stays with the one who woke it, and the two take turns for
// tens of milliseconds. Then the thread goes.
#include <chrono>
#include <cstdint>
#include <optional>
#include <sched.h>

namespace slashpost {

class OwnProcessor {
  public:
    using Time = std::chrono::steady_clock::time_point;

    // Of the calling thread, one of so many that have one each, the only one that uses it and for as long as
    // it runs. Does nothing when no processor would be left to the rest of the program: who keeps to one
    // waits for what the kernel lets nobody interrupt there.
    explicit OwnProcessor(unsigned threads);
    ~OwnProcessor();
    OwnProcessor(const OwnProcessor&) = delete;
    OwnProcessor& operator=(const OwnProcessor&) = delete;

    // Said at each turn: looks, at most every 2 ms, whether the thread has taken turns with another since
    // then, and waited for a quarter of that time. If so it has another processor from now on, if there is
    // one.
    void look(Time now);

    // The processors of all such threads of this program.
    static cpu_set_t all();

  private:
    // What the kernel counts of the thread; nothing where it does not.
    struct Counted {
        std::uint64_t waited = 0; // nanoseconds in which it could have run
        std::uint64_t turns = 0;  // how many times it got a processor
    };
    [[nodiscard]] std::optional<Counted> count() const;
    void move();

    cpu_set_t allowed_{}; // to the thread before
    std::optional<int> processor_;
    int file_ = -1; // that tells what is counted
    Time looked_at_;
    Counted counted_; // until then
};

} // namespace slashpost
