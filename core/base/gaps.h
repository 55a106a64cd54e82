#pragma once
// Long work that goes on in the gaps which others leave on the processors.
//
// A thread that stepped back (priority.h) still takes its share of a busy processor, from whoever is there:
// another program, whose requests then wait, or a thread that answers. And a processor on which it runs is
// busy to the kernel, which then wakes two of those on one other, where they take turns for tens of
// milliseconds. In the gaps it takes nothing from anybody: its processor counts as idle, and it has it until
// somebody comes. So it may stand still at any place, holding a lock of the allocator, say. It keeps to the
// processors of those who offer their gaps: elsewhere it would be in the way of their clients. And it is
// looked after: it takes its share there when the gaps do not suffice, and works as before when somebody
// waits for it.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <sched.h>
#include <semaphore>
#include <thread>

namespace slashpost {

class Gaps {
  public:
    // Who gets less than `least` of a processor, in each 50 ms of a stay, stands still, nearly, and takes its
    // share of the processors that are offered.
    explicit Gaps(std::chrono::nanoseconds least = std::chrono::milliseconds(1)) : least_(least) {}
    ~Gaps();
    Gaps(const Gaps&) = delete;
    Gaps& operator=(const Gaps&) = delete;

    // The calling thread is the one that works in them; once. Without effect where the system would not let
    // it come back: that takes root, or a service's `LimitNICE` (RLIMIT_NICE).
    void open();

    // While there is one, the thread works in the gaps. Much memory is not to be taken from the system or
    // given to it meanwhile, nor are locks that others want to be taken; but for the `locks` of those who say
    // so with a `Locking`. Does nothing in other threads, nor while somebody waits, nor where there are none
    // (null).
    enum class Holds : std::uint8_t { nothing, locks };
    class Stay {
      public:
        explicit Stay(Gaps* gaps, Holds holds = Holds::nothing);
        ~Stay();
        Stay(const Stay&) = delete;
        Stay& operator=(const Stay&) = delete;

      private:
        Gaps* gaps_ = nullptr; // null: it does nothing
        const Holds holds_;
    };

    // Said here and there in a stay: rests when it has worked for some time, and longer than it worked. Who
    // shares a processor with it, and its caches, then is a little slower all the time rather than much for
    // some of it. Does nothing in a thread that is in no stay, or was put out of it.
    void rest();

    // While there is one, the calling thread may wait for what a thread locks that is in the gaps of this
    // program: that comes out of them, or does not go there. Costs next to nothing when none is. Any thread
    // may say so; of the one in the gaps it means nothing.
    class Locking {
      public:
        Locking();
        ~Locking();
        Locking(const Locking&) = delete;
        Locking& operator=(const Locking&) = delete;

      private:
        const bool counts_;
    };

    // While there is one, somebody waits for what the thread does, so it does not stay in the gaps. From any
    // thread.
    class Wait {
      public:
        explicit Wait(Gaps& gaps);
        ~Wait();
        Wait(const Wait&) = delete;
        Wait& operator=(const Wait&) = delete;

      private:
        Gaps& gaps_;
    };

  private:
    void look_after(const std::stop_token& stopping, clockid_t clock);
    void enter();
    void take_share();
    void come_out();
    static void hold_locks(Gaps* holder);

    const std::chrono::nanoseconds least_;           // it rests most of the time
    bool is_open_ = false;                           // owned by the worker
    std::atomic<bool> is_in_ = false;                // in a stay
    std::atomic<bool> is_out_ = false;               // put out of it
    std::chrono::steady_clock::time_point rests_at_; // owned by the worker
    unsigned times_ = 0;                             // that it could have rested
    std::atomic<unsigned> waiting_ = 0;
    std::atomic<int> worker_ = 0;        // the thread, as the kernel numbers it; others ask whether they are
    cpu_set_t anywhere_{};               // where it works otherwise
    std::binary_semaphore tried_{0};     // whether the thread could come back
    std::counting_semaphore<> begun_{0}; // stays
    std::jthread keeper_;
};

} // namespace slashpost
