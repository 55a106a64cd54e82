#pragma once
// The admin tool's door into a running server: a unix socket in the data folder, for the server's own user
// and root only. Each conversation runs one command of app/admin in this process, so that it sees what the
// server sees; a client that goes away ends its command. At most a few conversations at a time.
#include "app/admin/admin_context.h"
#include "app/log.h"

#include <filesystem>
#include <memory>

namespace slashpost::app {

class AdminSocket {
  public:
    // Listens at once, in place of a socket that a dead server left. `context` and `log` outlive this.
    static Result<std::unique_ptr<AdminSocket>> open(const std::filesystem::path& folder,
                                                     admin::AdminContext& context, Log& log);
    // Ends every conversation, waits for the commands, removes the socket.
    ~AdminSocket();
    AdminSocket(const AdminSocket&) = delete;
    AdminSocket& operator=(const AdminSocket&) = delete;

  private:
    struct Impl;
    explicit AdminSocket(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

} // namespace slashpost::app
