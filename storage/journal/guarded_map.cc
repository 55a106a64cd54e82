#include "storage/journal/guarded_map.h"

#include <csignal>
#include <mutex>

#include <sys/mman.h>

namespace slashpost::storage {

namespace {

// Whoever was asked before this file was.
struct sigaction previous; // NOLINT(*-global-variables): a handler has nothing else to know it from

// A signal that is not for us comes again as soon as this returns, and then it is for whoever was asked
// before, or ends the process.
void on_lost_page(int /*signal*/, siginfo_t* info, void* /*context*/) {
    if (!GuardedMap::give_up(info->si_addr))
        ::sigaction(SIGBUS, &previous, nullptr);
}

void watch_for_lost_pages() {
    static std::once_flag watched;
    std::call_once(watched, [] {
        struct sigaction action{};
        action.sa_sigaction = on_lost_page;
        action.sa_flags = SA_SIGINFO;
        ::sigaction(SIGBUS, &action, &previous);
    });
}

} // namespace

GuardedMap::~GuardedMap() {
    if (base_)
        ::munmap(base_, bytes_);
}

bool GuardedMap::map(int file, std::size_t bytes) {
    watch_for_lost_pages();
    void* at = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (at == MAP_FAILED)
        return false;
    if (base_)
        ::munmap(base_, bytes_);
    base_ = static_cast<char*>(at);
    bytes_ = bytes;
    holds_ = true;
    return true;
}

// Calls nothing but the kernel, as it runs in a handler.
bool GuardedMap::give_up(const void* at) noexcept {
    auto* const map = stored_into;
    if (!map || at < map->base_ || at >= map->base_ + map->bytes_)
        return false;
    map->holds_.store(false, std::memory_order_relaxed);
    return ::mmap(map->base_, map->bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
                  -1, 0) != MAP_FAILED;
}

} // namespace slashpost::storage
