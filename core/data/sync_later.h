#pragma once
// How a thread that works for many goes on while what it has committed for one is on its way to the disk.
#include "core/base/result.h"

#include <functional>

namespace slashpost::data {

// Told once, from any thread, whether all is on the disk; `unavailable` when the disk failed. Must not throw.
using OnDisk = std::move_only_function<void(Result<void>)>;

// An engine, as far as commits wait for its disk.
class Syncing {
  public:
    virtual ~Syncing() = default;
    // Tells when all that was committed before the call is on the disk.
    virtual void when_on_disk(OnDisk done) = 0;
};

// While one lives, `transact` returns on its thread as soon as others may see the commit, and whoever wants
// to tell of it waits until `then` has told that it is on the disk (core/data/engine.h, rule 6). One at a
// time on a thread, for one engine.
class SyncLater {
  public:
    SyncLater();
    ~SyncLater();
    SyncLater(const SyncLater&) = delete;
    SyncLater& operator=(const SyncLater&) = delete;

    // Tells of all that was committed since the begin; at once when that is nothing. To be called once, or
    // not at all by one who knows of a later commit that waits: what is on the disk then is all of before,
    // too.
    void then(OnDisk done);

    // For engines: whether somebody on this thread sees to the commit that was just made.
    static bool sees_to(Syncing& engine);

  private:
    Syncing* engine_ = nullptr; // that has committed
};

} // namespace slashpost::data
