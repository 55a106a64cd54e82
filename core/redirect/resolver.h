#pragma once
// From a domain and a slashtag to the stored target of a redirect: a cache in front of one look-up.
//
// What a commit has changed is never answered from the cache once `forget` has returned, and `forget` is
// called before the change is acknowledged. Safe to use from any thread.
#include "core/base/id.h"
#include "core/data/engine.h"
#include "core/redirect/cache.h"

#include <atomic>

namespace slashpost::redirect {

class Resolver {
  public:
    Resolver(data::Engine& engine, Random& random, std::size_t cache_bytes_max)
        : engine_(engine),
          cache_(cache_bytes_max, random) {}

    // Fills `target` with what redirect::TargetView::decode reads. False when there is no such address.
    // `slashtag_key` is folded as the domain says, and at most slashtag_bytes_max long.
    Result<bool> find(DomainId domain, std::string_view slashtag_key, std::string& target);
    void forget(DomainId domain, std::string_view slashtag_key);
    // After anything may have changed.
    void forget_all();

    // For one thread that nobody waits for: a step of filling the cache with what the store has, as long as
    // there is room, because a look-up in the store costs several times one in the cache. False when nothing
    // is left to do.
    Result<bool> fill();

    [[nodiscard]] Cache::Figures cache_figures() const { return cache_.figures(); }

  private:
    data::Engine& engine_;
    Cache cache_;
    std::atomic<bool> fills_anew_ = false; // all was forgotten
    // Of the thread that fills it.
    data::Bytes fill_from_; // a key of the store
    bool is_filled_ = false;
};

} // namespace slashpost::redirect
