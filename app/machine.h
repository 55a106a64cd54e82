#pragma once
// What the machine gives this process.
#include <cstdint>
#include <filesystem>

namespace slashpost::app {

// Megabytes (2^20 bytes) of memory: all that the machine has, or less when the process's control group (of a
// container, of a service) may take less. `root` is where /proc and /sys are.
std::uint64_t memory_mb(const std::filesystem::path& root = "/");

} // namespace slashpost::app
