#pragma once
// A thread that answers all the time has a processor of its own, and offers the gaps that it leaves (gaps.h).
//
// The kernel would otherwise move it to where its clients are, as soon as anybody works where it was, and
// back again. What it does not hinder is that a client of this machine comes to it: whoever is woken by an
// answer while somebody else works where it was stays with the one who woke it, and the two take turns for
// tens of milliseconds while another processor idles. Then the thread goes.
#include <chrono>
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

    // Whether it is time to look at where a client works: at most every 0.1 ms, and 1 ms after it has gone.
    [[nodiscard]] bool asks(Time now);
    // A client of this machine worked on the thread's processor when it sent its last request: so the thread
    // has another one from now on, if there is one that no such thread has.
    void go();

    // The processors of all such threads of this program.
    static cpu_set_t all();

  private:
    cpu_set_t allowed_{}; // to the thread before
    std::optional<int> processor_;
    Time asks_at_;
};

} // namespace slashpost
