#include "tools/admin/terminal.h"

#include "core/base/errors.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <fmt/format.h>
#include <system_error>
#include <unistd.h>

namespace slashpost::admin {

namespace {

volatile std::sig_atomic_t interrupted = 0;

std::unexpected<Error> trouble(const std::filesystem::path& file) {
    const int reason = errno;
    return unavailable(fmt::format("cannot write {}: {}", file.empty() ? "to standard output" : file.string(),
                                   std::generic_category().message(reason)));
}

} // namespace

void Terminal::heed_interrupts() {
    struct sigaction action{};
    action.sa_handler = [](int) { interrupted = 1; };
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    ::sigaction(SIGINT, &action, nullptr);
    ::sigaction(SIGTERM, &action, nullptr);
    std::signal(SIGPIPE, SIG_IGN); // NOLINT: a reader that went away is an error of write, not our death
}

Result<std::unique_ptr<Terminal>> Terminal::into_file(const std::filesystem::path& file) {
    std::unique_ptr<Terminal> terminal(new Terminal(-1, file));
    terminal->descriptor_ = ::open(terminal->part().c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (terminal->descriptor_ < 0)
        return trouble(terminal->part());
    return terminal;
}

Terminal::~Terminal() {
    if (file_.empty() || descriptor_ < 0)
        return;
    ::close(descriptor_);
    ::unlink(part().c_str());
}

Result<void> Terminal::write(std::string_view bytes) {
    while (!bytes.empty()) {
        const auto written = ::write(descriptor_, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return trouble(file_);
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
}

// Where standard error is closed, nobody wants to know.
void Terminal::note(std::string_view line) { std::fputs(fmt::format("{}\n", line).c_str(), stderr); }

bool Terminal::stopped() { return interrupted != 0; }

Result<void> Terminal::finish() {
    if (file_.empty())
        return {};
    if (::fsync(descriptor_) != 0 || ::rename(part().c_str(), file_.c_str()) != 0)
        return trouble(file_);
    ::close(std::exchange(descriptor_, -1));
    const auto parent = file_.has_parent_path() ? file_.parent_path() : std::filesystem::path(".");
    const int folder = ::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool synced = folder >= 0 && ::fsync(folder) == 0;
    if (folder >= 0)
        ::close(folder);
    return synced ? Result<void>() : trouble(file_);
}

} // namespace slashpost::admin
