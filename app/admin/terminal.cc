#include "app/admin/terminal.h"

#include "core/base/errors.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace slashpost::admin {

namespace {

volatile std::sig_atomic_t interrupted = 0;

// Of the terminal that standard error is.
std::size_t columns() {
    constexpr std::size_t usual = 80;
    winsize size{};
    return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : usual;
}

// Where it is closed, nobody wants to know.
void to_standard_error(const std::string& text) { std::fputs(text.c_str(), stderr); }

Result<void> write_all(int descriptor, std::string_view bytes, const std::filesystem::path& file) {
    while (!bytes.empty()) {
        const auto written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR && interrupted == 0)
            continue;
        if (written < 0)
            return cannot_write(file.empty() ? "to standard output" : file);
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
}

} // namespace

void Terminal::heed_interrupts() {
    struct sigaction action{};
    action.sa_handler = [](int) { interrupted = 1; };
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    ::sigaction(SIGINT, &action, nullptr);
    ::sigaction(SIGTERM, &action, nullptr);
    std::signal(SIGPIPE, SIG_IGN); // NOLINT: a reader that went away is an error of write, not our death
    std::signal(SIGXFSZ, SIG_IGN); // NOLINT: so is a file that may not grow (ulimit -f)
}

bool Terminal::is_terminal() { return ::isatty(STDERR_FILENO) == 1; }

Result<std::unique_ptr<Terminal>> Terminal::into_file(const std::filesystem::path& file, bool quiet) {
    auto terminal = std::make_unique<Terminal>(quiet);
    terminal->target_.emplace(TRY(open_target(file)));
    terminal->file_ = file;
    return terminal;
}

Terminal::~Terminal() { clear_progress(); }

Result<void> Terminal::write(std::string_view bytes) {
    if (!target_)
        clear_progress();
    if (!target_)
        return write_all(STDOUT_FILENO, bytes, file_);
    if (auto* file = std::get_if<NewFile>(&*target_))
        return file->write(bytes);
    return write_all(std::get<Stream>(*target_).descriptor(), bytes, file_);
}

void Terminal::clear_progress() {
    if (shown_ > 0)
        to_standard_error(fmt::format("\r{:{}}\r", "", std::exchange(shown_, 0)));
}

void Terminal::say(std::string_view line) {
    clear_progress();
    to_standard_error(fmt::format("{}\n", line));
}

void Terminal::note(std::string_view line) {
    if (!quiet_)
        say(line);
}

void Terminal::complain(std::string_view line) { say(line); }

void Terminal::progress(std::string_view line) {
    if (!shows_progress_)
        return note(line);
    line = line.substr(0, columns() - 1); // one that goes on below cannot be written over
    to_standard_error(fmt::format("\r{:<{}}", line, shown_));
    shown_ = std::max(shown_, line.size());
    static_cast<void>(std::fflush(stderr));
}

bool Terminal::stopped() { return interrupted != 0; }

Result<void> Terminal::finish() {
    auto* file = target_ ? std::get_if<NewFile>(&*target_) : nullptr;
    return file != nullptr ? file->finish() : Result<void>();
}

} // namespace slashpost::admin
