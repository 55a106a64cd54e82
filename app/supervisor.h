#pragma once
// Whoever has started the server and looks after it, as systemd does with a service of Type=notify: hears
// when the server is ready, what it does, that it lives, and that it ends. In the environment stand
//   NOTIFY_SOCKET   where it listens for that: a path, or behind an @ a name without a file
//   WATCHDOG_USEC   how often it wants to hear that the server lives, in microseconds
//   WATCHDOG_PID    of which process; nothing: of this one
#include "app/config.h"

#include <chrono>
#include <csignal>
#include <functional>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace slashpost::app {

class Supervisor {
  public:
    Supervisor() = default; // there is none
    Supervisor(const Environment& environment, ::pid_t self);

    void ready();
    void stopping();
    // One line on what the server does, for people; said only when it is another one than before.
    void status(std::string_view words);

    struct Life {
        bool goes_on = false; // the server's threads do something
        std::string status;
    };
    // Waits for one of these signals, which are blocked, and answers it. Meanwhile asks `look` several times
    // in each interval of the watchdog, if there is one, else every few seconds, and tells what it answers: a
    // server that does not go on says nothing, and is ended by whoever looks after it.
    int await(const sigset_t& signals, const std::function<Life()>& look);

  private:
    void tell(const std::string& lines) const;

    std::string socket_; // empty: nobody listens
    bool has_watchdog_ = false;
    std::chrono::nanoseconds pause_{};
    std::string status_;
};

} // namespace slashpost::app
