#pragma once
// How the kernel avoids congestion where this server sends.
//
// A redirect is shorter than a segment, and nothing is to be decided for it. But a system may have chosen a
// control that measures the path and paces what it sends, such as BBR: then each answer programs a timer, a
// tenth of all that a redirect costs. So a connection begins with Reno, which every kernel has and lets
// everybody choose, and gets the system's choice with its first long answer.
#include <cstddef>

namespace slashpost::http {

// Of a listening socket: what it accepts inherits it. What the system refuses is left.
void begin_with_simple_congestion_control(int fd);

// Of one connection.
class CongestionControl {
  public:
    void about_to_send(int fd, std::size_t bytes) {
        if (bytes > short_bytes_max && !is_systems_)
            take_systems(fd);
    }

  private:
    // Well within what may be sent before anything has come back: ten segments (RFC 6928).
    static constexpr std::size_t short_bytes_max = 8 << 10;

    void take_systems(int fd);

    bool is_systems_ = false;
};

} // namespace slashpost::http
