#pragma once
// A disk that is soon full, and what to fill it with.
#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <thread>

#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

namespace slashpost::test {

inline constexpr int exit_skipped = 77;

// A file system for this process alone, as small as tmpfs's `options` say. False when the system does not let
// us.
inline bool mount_small(const std::filesystem::path& folder, const char* options) {
    const auto user = ::getuid();
    if (::unshare(user == 0 ? CLONE_NEWNS : CLONE_NEWNS | CLONE_NEWUSER) != 0)
        return false;
    if (user != 0)
        std::ofstream("/proc/self/uid_map") << "0 " << user << " 1";
    return ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
           ::mount("tmpfs", folder.c_str(), "tmpfs", 0, options) == 0;
}

// Does not compress.
inline std::string noise(std::size_t bytes) {
    static std::mt19937_64 random(3);
    std::string made(bytes, '\0');
    for (char& byte : made)
        byte = static_cast<char>(random());
    return made;
}

bool within_seconds(int seconds, auto condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
    while (!condition()) {
        if (std::chrono::steady_clock::now() > end)
            return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    return true;
}

} // namespace slashpost::test
