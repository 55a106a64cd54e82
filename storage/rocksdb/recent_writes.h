#pragma once
// Which keys were written lately, and by which commit: how a transaction learns that it lost against another.
//
// Commits run one at a time under a lock of this object. Each checks that nobody has written the keys that it
// tracked since it began, is written, and then gets the next number, which its keys remember. A transaction
// takes the number of the last commit *before* its snapshot: so its snapshot holds all commits up to that
// number, and a later one that wrote a tracked key makes it run again, whether its snapshot has it or not.
//
// Only the last keys are remembered. A transaction that began before what is forgotten runs again, too.
#include <boost/unordered/unordered_flat_map.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string_view>

namespace slashpost::storage {

// Of a space and a key. Two keys with one hash disturb each other needlessly, nothing more.
using KeyHash = std::uint64_t;
KeyHash hash_of(std::uint32_t family, std::string_view key);

class RecentWrites {
  public:
    using Number = std::uint64_t;

    // Remembers keys in two generations of at most `keys` each; a key takes up to 48 bytes.
    explicit RecentWrites(std::size_t keys) : generation_keys_(keys) {}

    // The last commit; every snapshot that is taken after this call holds it.
    [[nodiscard]] Number last() const { return last_.load(std::memory_order_acquire); }

    // A commit's turn. Others wait while it lives.
    class Turn {
      public:
        explicit Turn(RecentWrites& writes) : writes_(writes), lock_(writes.mutex_) {}
        // Whether one of these keys was written, or may have been, after commit `begin`.
        [[nodiscard]] bool lost(Number begin, std::span<const KeyHash> tracked) const;
        // The commit is written, or may be: these are its keys.
        void done(std::span<const KeyHash> written);

      private:
        RecentWrites& writes_;
        const std::lock_guard<std::mutex> lock_;
    };

  private:
    using Keys = boost::unordered_flat_map<KeyHash, Number>;

    const std::size_t generation_keys_;
    std::mutex mutex_;
    // Guarded by mutex_.
    Keys now_, before_;
    Number now_begins_ = 0; // the last commit before those in now_
    Number forgotten_ = 0;  // the last commit that may be in none of both

    std::atomic<Number> last_ = 0;
};

} // namespace slashpost::storage
