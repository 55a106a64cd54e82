#include "app/machine.h"

#include <algorithm>
#include <fstream>
#include <string>
#include <unistd.h>

namespace slashpost::app {

namespace {

// Control groups of version 2, whose line in /proc/self/cgroup begins so.
constexpr std::string_view group_mark = "0::/";

std::string group_of_process(const std::filesystem::path& root) {
    std::ifstream lines(root / "proc/self/cgroup");
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with(group_mark))
            return line.substr(group_mark.size());
    return {};
}

} // namespace

std::uint64_t memory_mb(const std::filesystem::path& root) {
    const auto pages = static_cast<std::uint64_t>(std::max(::sysconf(_SC_PHYS_PAGES), 0L));
    auto bytes = pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    std::uint64_t limit = 0; // "max" is no number, and no limit
    if (std::ifstream(root / "sys/fs/cgroup" / group_of_process(root) / "memory.max") >> limit)
        bytes = std::min(bytes, limit);
    return bytes >> 20;
}

} // namespace slashpost::app
