#pragma once
// Of caches that make a thing when somebody asks for it: which of their slots have to go. A slot has
// `asked_at`, `is_read` (somebody is making what belongs into it, so it stays) and `bytes()`. The caller
// holds the lock of the slots.
#include <chrono>
#include <cstddef>
#include <map>

namespace slashpost {

struct SlotBounds {
    std::size_t bytes_max = std::size_t{64} << 20U;
    std::size_t slots_max = 256;
    std::chrono::milliseconds unused_max = std::chrono::minutes(5); // since somebody asked
};

// Those for which nobody has asked for so long.
template <class Slots>
void drop_unused(Slots& slots, const SlotBounds& bounds) {
    const auto oldest = std::chrono::steady_clock::now() - bounds.unused_max;
    std::erase_if(slots,
                  [&](const auto& slot) { return !slot.second.is_read && slot.second.asked_at < oldest; });
}

// While they are too many or too large, the one for which nobody has asked for the longest time.
template <class Slots>
void make_room(Slots& slots, const SlotBounds& bounds) {
    std::size_t bytes = 0;
    for (const auto& [key, slot] : slots)
        bytes += slot.bytes();
    while (bytes > bounds.bytes_max || slots.size() > bounds.slots_max) {
        auto oldest = slots.end();
        for (auto slot = slots.begin(); slot != slots.end(); ++slot)
            if (!slot->second.is_read &&
                (oldest == slots.end() || slot->second.asked_at < oldest->second.asked_at))
                oldest = slot;
        if (oldest == slots.end())
            return;
        bytes -= oldest->second.bytes();
        slots.erase(oldest);
    }
}

} // namespace slashpost
