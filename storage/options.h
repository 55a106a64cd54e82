#pragma once
// How a store is opened. The defaults suit a small server; the memory engine looks at none of them.
#include "core/data/engine.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace slashpost::storage {

struct Options {
    // Who this server is, for whoever is refused because of it, and to tell whether it is the one that had
    // the store before it died. Of a store that is somebody else's only; empty: another one at each start.
    std::string node;
    // Whether no other server may use the store meanwhile; refused as StoreInUse while one does.
    bool alone = false;
    // Of a store that is somebody else's, too: spaces of which servers hold something in memory. Whoever
    // writes there says so to all others that have the store open.
    std::span<const data::Space> watched = {};
    // synced: `transact` answers when the commit is on the disk, and one sync serves all that wait for it.
    // relaxed: it answers when the operating system has the commit. The death of the process takes nothing;
    // a power cut may take the last half minute.
    data::Durability durability = data::Durability::synced;
    // Blocks, indexes and filters held in memory, all spaces together. Smaller: more reads go to the disk.
    std::uint64_t cache_bytes = 64ULL << 20;
    // Whether what scans read is held there, too. Not for who walks once through a whole store.
    bool scans_fill_cache = true;
    // Commits held in memory until they are sorted into files, all spaces together. Smaller: more, smaller
    // files. The log, which a start after a crash reads again, takes up to twice that.
    std::uint64_t write_buffers_bytes = 24ULL << 20;
    // Threads that write such files and merge them. Fewer: what is written little waits behind what is
    // written much, until commits have to wait for it. More: more of the machine, and of memory, is taken
    // until the store is at rest.
    int background_jobs = 3;
    // Whether those that merge run at the lowest niceness, in every store of this process from then on.
    bool merges_at_low_priority = false;
    // Keys written last that are remembered, to tell a transaction that lost against another. It runs again,
    // too, when so many were written since it began; so this bounds how large those are that run side by
    // side.
    std::size_t recent_keys = std::size_t{1} << 16;
    // Data files kept open at once. Smaller: files are closed and opened again.
    int open_files_max = 512;
    // What is damaged of the log is given up, and copies of its files are kept, instead of refusing to open.
    bool accepts_loss = false;
    // Room that is kept in a file for a start on a full disk, once the disk has four times as much to give.
    std::uint64_t reserve_bytes = 0;
    // What other servers wrote into watched spaces, within a fraction of a second after their commits. Called
    // by one thread, which may use the engine; it takes what is thrown for `missed`.
    struct Written {
        std::uint16_t space = 0; // its number
        data::Bytes key;
    };
    std::function<void(std::span<const Written>)> others_wrote;
    // They wrote more than anybody has kept: all that is held in memory may be old. Likewise.
    std::function<void()> missed;
    // All of these are called from any thread, and must return at once and not use the engine.
    //
    // Told in one sentence when the disk stops or starts taking writes, and once a minute while it takes
    // none.
    std::function<void(std::string_view)> notice;
    // Told at the same times what is wrong and what to do about it; nothing when it is over.
    std::function<void(std::string_view)> trouble;
    // The store was closed and opened again, because it took no writes any more: of a write that had failed
    // it may have now what it did not have, or the other way round.
    std::function<void()> opened_again;
    // When it is set, a store that has taken no writes for ten seconds is not opened again, but this is
    // called, once.
    std::function<void()> gives_up;
};

} // namespace slashpost::storage
