#pragma once
// Runs one hidden test case of this very program in a process of its own: to be killed, or to be given a file
// system of its own. A plain fork would not do, for the library's threads do not survive one.
#include <catch2/catch.hpp>

#include <csignal>
#include <cstdlib>
#include <string>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace slashpost::test {

inline constexpr const char* child_folder_variable = "SLASHPOST_TEST_FOLDER";

// In the child: the folder that the parent gave it.
inline std::string child_folder() {
    const char* folder = std::getenv(child_folder_variable);
    REQUIRE(folder != nullptr);
    return folder;
}

class ChildProcess {
  public:
    // `test_case` has no comma or bracket in its name. What the child prints goes to read().
    ChildProcess(const char* test_case, const std::string& folder) {
        int ends[2];
        REQUIRE(::pipe(ends) == 0);
        pid_ = ::fork();
        REQUIRE(pid_ >= 0);
        if (pid_ == 0) {
            ::prctl(PR_SET_PDEATHSIG, SIGKILL); // never outlives the test
            ::dup2(ends[1], STDOUT_FILENO);
            ::close(ends[0]);
            ::close(ends[1]);
            ::setenv(child_folder_variable, folder.c_str(), 1);
            ::execl("/proc/self/exe", "child", test_case, nullptr);
            ::_exit(126);
        }
        ::close(ends[1]);
        output_ = ends[0];
    }
    ~ChildProcess() {
        if (pid_ > 0)
            kill();
        ::close(output_);
    }
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    // What the child printed next, at most `bytes_max`; empty at the end.
    std::string read(std::size_t bytes_max = 4096) {
        std::string text(bytes_max, '\0');
        const auto got = ::read(output_, text.data(), text.size());
        text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
        return text;
    }

    void kill() {
        ::kill(pid_, SIGKILL);
        wait();
    }

    // The exit code, or -1 when a signal ended it.
    int wait() {
        int status = 0;
        ::waitpid(pid_, &status, 0);
        pid_ = -1;
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

  private:
    pid_t pid_ = -1;
    int output_ = -1;
};

} // namespace slashpost::test
