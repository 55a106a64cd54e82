#pragma once
// A thread that answers within microseconds goes before everything else on the machine.
//
// However far forward a thread steps (priority.h), Linux owes each one that can run its share. Who has just
// had more than that is not eligible, and whoever is taken instead keeps the processor until something else
// happens there, or the next tick: a millisecond. A real-time thread waits for none of those. But it could
// keep all of them from running, so it is one only while it leaves most of a processor to others. Otherwise
// it is busy, and what can wait does so.
#include <chrono>

namespace slashpost {

class RealTime {
  public:
    using Time = std::chrono::steady_clock::time_point;

    // Of the calling thread, the only one that uses it and for as long as it runs. Without effect where the
    // system refuses: it takes root, or a service's `LimitRTPRIO` (RLIMIT_RTPRIO). A policy that somebody
    // chose for the whole process stays.
    RealTime();
    ~RealTime();
    RealTime(const RealTime&) = delete;
    RealTime& operator=(const RealTime&) = delete;

    // Said at each turn: looks, at most every 20 ms, at how much of the time since then the thread has
    // worked. Below a quarter it is a real-time thread from now on, above a half it is an ordinary one, and
    // busy.
    void look(Time now);

    // Whether one of all those threads is busy, as of its last look. From any thread.
    static bool any_busy();

  private:
    void be_busy(bool busy);
    void be_on(bool on);

    bool is_allowed_;
    bool is_on_ = false;
    bool is_busy_ = false;
    Time looked_at_;
    std::chrono::nanoseconds worked_; // until then
};

} // namespace slashpost
