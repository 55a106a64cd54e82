#pragma once
// Which clicks begin a session: those of a visitor who did not click the same link within the 30 minutes
// before (wire "Addresses").
//
// Kept in memory only, in a table of fixed size: when more visitors than it has room for are about, those who
// came longest ago are forgotten first, and their next click begins a new session. So does every visitor's
// after a restart. What is kept of a visitor and a link is 32 bits of a hash of both, and a time.
//
// Times need not come in order: a click that is earlier than the last one known belongs to the session that
// is going on. A clock that was set back by more than half an hour begins no session either; from then on its
// times are believed.
#include "core/base/id.h"

#include <cstdlib>
#include <memory>
#include <span>
#include <vector>

namespace slashpost::redirect {

inline constexpr std::uint32_t session_seconds = 30 * 60;

class Sessions {
  public:
    // Room for 2^bits visits, at most 2^32; 8 bytes each, which the system gives as they are used.
    explicit Sessions(unsigned bits = 21);

    // What stands for a visitor and a link; never 0. `visitor` is not 0.
    static std::uint64_t hash_of(const LinkId& link, std::uint64_t visitor);
    // `begins` will be asked soon: brings near what it will read, which is anywhere in the table.
    void prefetch(std::uint64_t hash) const { __builtin_prefetch(bucket_of(hash), 1); }
    // Takes note of a click at `seconds` since 1970; true when it begins a session.
    bool begins(std::uint64_t hash, std::uint32_t seconds);

    // What `begins` has noted since the last keep() or undo() stays, or was never there.
    void keep() { changes_.clear(); }
    void undo();

  private:
    struct Slot {
        std::uint32_t tag = 0;
        std::uint32_t last = 0; // 0: free
    };
    static constexpr std::size_t ways = 8; // a cache line
    struct Change {
        std::uint32_t at = 0;
        Slot before;
    };
    [[nodiscard]] Slot* bucket_of(std::uint64_t hash) const {
        return &slots_[(hash & (buckets_ - 1)) * ways];
    }
    void set(Slot& slot, Slot value);

    const std::size_t buckets_;
    struct Free {
        void operator()(Slot* slots) const { std::free(slots); } // NOLINT(*-no-malloc)
    };
    // Of calloc: zeroes that the system gives as they are touched first.
    std::unique_ptr<Slot, Free> memory_;
    std::span<Slot> slots_; // in it
    std::vector<Change> changes_;
};

} // namespace slashpost::redirect
