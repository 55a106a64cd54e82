#pragma once
// Listening sockets that whoever starts the server has opened for it, as systemd does with socket units. Then
// the server needs no right to ports below 1024, and while it is started anew visitors wait in the sockets'
// queues, instead of being refused. In the environment stand
//   LISTEN_PID       the process that they are for
//   LISTEN_FDS       how many there are, from descriptor 3 on
//   LISTEN_FDNAMES   what each is for, separated by colons: http or api (both are --listen), https
//                    (--tls-listen), dashboard (--dashboard-listen), dashboard-https (--dashboard-tls-listen)
// Several may have the same name.
#include "app/config.h"
#include "http/server/fd.h"

#include <string_view>
#include <sys/types.h>
#include <vector>

namespace slashpost::app {

class InheritedSockets {
  public:
    InheritedSockets() = default;
    // None when there are none, or they are for another process than `self`. Fails with a sentence on one
    // that does not listen, on a number that is none, and on a name that means nothing. `first` is the lowest
    // descriptor.
    static Result<InheritedSockets> take(const Environment& environment, ::pid_t self, int first = 3);

    // What the settings of these sockets are by that, "listen" -> "[::]:80": of the first where there are
    // several.
    [[nodiscard]] Layer addresses() const;
    // Descriptors of the sockets of a setting, as long as this lives.
    [[nodiscard]] std::vector<int> of(std::string_view setting) const;

  private:
    struct Socket {
        http::Fd fd;
        std::string_view setting;
        Endpoint address;
    };
    std::vector<Socket> sockets_;
};

} // namespace slashpost::app
