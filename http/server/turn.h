#pragma once
// How long one connection is served before others come. By time and by bytes of answers, not by count of
// requests: some cost a thousand times what others do.
#include <chrono>
#include <cstddef>
#include <utility>

namespace slashpost::http {

class Turn {
  public:
    using Clock = std::chrono::steady_clock;

    Turn(std::chrono::nanoseconds time_max, std::size_t bytes_max)
        : time_max_(time_max),
          bytes_max_(bytes_max) {}

    // To be asked before each request; `bytes` is what those before it were answered with. The first one is
    // always served, and the time is counted from the second on: so who sends one at a time pays nothing for
    // it. `now` is called for the time.
    template <class Now = Clock::time_point (*)()>
    [[nodiscard]] bool is_over(std::size_t bytes, Now now = Clock::now) {
        if (!std::exchange(begun_, true))
            return false;
        if (bytes >= bytes_max_)
            return true;
        const Clock::time_point time = now();
        if (ends_at_ == Clock::time_point{})
            ends_at_ = time + time_max_;
        return time >= ends_at_;
    }

  private:
    const std::chrono::nanoseconds time_max_;
    const std::size_t bytes_max_;
    bool begun_ = false;
    Clock::time_point ends_at_{};
};

} // namespace slashpost::http
