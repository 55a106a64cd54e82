#pragma once
// A file mapped into memory to be stored into, without dying of it.
//
// A store into a mapped file is a signal, SIGBUS, when its page cannot be had: the disk is full and the file
// shares its blocks with a copy, the disk has failed, or somebody has cut the file off. Here the signal's
// handler puts plain memory in the place of the whole mapping, so that the store ends, and says that the
// mapping is lost. The writer then writes to the file, which answers instead of ending the process. What had
// been stored before stays in the file.
#include "core/base/result.h"

#include <atomic>
#include <cstddef>

namespace slashpost::storage {

class GuardedMap {
  public:
    GuardedMap() = default;
    ~GuardedMap();
    GuardedMap(const GuardedMap&) = delete;
    GuardedMap& operator=(const GuardedMap&) = delete;

    // Maps the file's first bytes, instead of what is mapped now. False when the system does not let us.
    bool map(int file, std::size_t bytes);
    // There is one, and all that was stored into it so far went to the file.
    [[nodiscard]] bool holds() const { return holds_.load(std::memory_order_relaxed); }
    [[nodiscard]] char* at(std::size_t offset) const { return base_ + offset; }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }

    // While it lives, its thread may store into the map. One at a time for each thread.
    class Store {
      public:
        explicit Store(GuardedMap& map) {
            stored_into = &map;
            std::atomic_signal_fence(std::memory_order_seq_cst);
        }
        ~Store() {
            std::atomic_signal_fence(std::memory_order_seq_cst);
            stored_into = nullptr;
        }
        Store(const Store&) = delete;
        Store& operator=(const Store&) = delete;
    };

    // For the handler: whether `at` lay in the map that this thread stores into, which is plain memory now.
    static bool give_up(const void* at) noexcept;

  private:
    static constinit inline thread_local GuardedMap* stored_into = nullptr;

    char* base_ = nullptr;
    std::size_t bytes_ = 0;
    std::atomic<bool> holds_ = false;
};

} // namespace slashpost::storage
