#pragma once
// Runs a job and tells on its console how it ended; and asks a running server to do so.
#include "app/admin/cli.h"

namespace slashpost::admin {

// What went wrong, every broken field named, as one line for a person at a terminal.
std::string explain(const Error& error);

// Answers the exit code.
int run_job(const Job& job, AdminContext& context, Console& console);

// Where the server of a data folder listens for the admin tool. Too long a path is named through the open
// folder instead, because the address of a unix socket has room for some hundred characters only; keep the
// object while the address is used.
class SocketPath {
  public:
    explicit SocketPath(const std::filesystem::path& folder);
    ~SocketPath();
    SocketPath(const SocketPath&) = delete;
    SocketPath& operator=(const SocketPath&) = delete;
    [[nodiscard]] const std::string& text() const { return text_; }

  private:
    int folder_ = -1;
    std::string text_;
};

// Sends `arguments` to the server of `folder` and relays what it answers. Nothing when no server listens.
Result<std::optional<int>> ask_server(const std::filesystem::path& folder,
                                      const std::vector<std::string>& arguments, Console& console);

} // namespace slashpost::admin
