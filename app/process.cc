#include "app/process.h"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

namespace slashpost::app {

namespace {

double seconds_of(const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

std::uint64_t count_open_files() {
    std::error_code error;
    std::uint64_t count = 0;
    for (std::filesystem::directory_iterator at("/proc/self/fd", error), end; !error && at != end;
         at.increment(error))
        ++count;
    return count > 0 ? count - 1 : 0; // one is the folder itself
}

// Field 22 of /proc/self/stat, in ticks since the machine started; the second field is the name of the
// program, which may hold anything but ends at the last parenthesis.
double ticks_before_start() {
    std::ifstream file("/proc/self/stat");
    const std::string line(std::istreambuf_iterator<char>(file), {});
    std::istringstream rest(line.substr(line.rfind(')') + 1));
    std::string field;
    for (int number = 3; number <= 22; ++number)
        rest >> field;
    return rest ? std::stod(field) : 0;
}

// By the clocks, as a service may see nothing of /proc but processes.
double seconds_of_machine_start() {
    const auto seconds = [](clockid_t clock) {
        timespec time{};
        static_cast<void>(::clock_gettime(clock, &time));
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
    };
    return seconds(CLOCK_REALTIME) - seconds(CLOCK_BOOTTIME);
}

} // namespace

ProcessFigures process_figures() {
    ProcessFigures out;
    rusage used{};
    if (::getrusage(RUSAGE_SELF, &used) == 0)
        out.cpu_seconds = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
    std::uint64_t pages = 0;
    std::uint64_t resident_pages = 0;
    std::ifstream("/proc/self/statm") >> pages >> resident_pages;
    const auto page_bytes = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    out.virtual_bytes = pages * page_bytes;
    out.resident_bytes = resident_pages * page_bytes;
    out.open_files = count_open_files();
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) == 0)
        out.files_max = limit.rlim_cur;
    static const double start_seconds =
        seconds_of_machine_start() + ticks_before_start() / static_cast<double>(::sysconf(_SC_CLK_TCK));
    out.start_seconds = start_seconds;
    return out;
}

void raise_file_limit() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, 1'048'576);
    static_cast<void>(::setrlimit(RLIMIT_NOFILE, &limit));
}

} // namespace slashpost::app
