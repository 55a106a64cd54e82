#pragma once
// From a domain and a slashtag to the stored target of a redirect: a cache in front of one look-up.
//
// What a commit has changed is never answered from the cache once `forget` has returned, and `forget` is
// called before the change is acknowledged. Safe to use from any thread.
#include "core/base/id.h"
#include "core/data/engine.h"
#include "core/redirect/cache.h"

#include <functional>

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
    // After anything may have changed. For the thread that fills.
    void forget_all();

    // For one thread that nobody waits for, now and then: a step of filling the cache with what the store
    // has, as long as there is room, so that a server that was started again need not wait for visits; of
    // telling it of all keys, so that what does not exist is not looked for; and of giving it more room.
    // False when nothing is left to do.
    Result<bool> fill();

    [[nodiscard]] Cache::Figures cache_figures() const { return cache_.figures(); }

  private:
    enum class Fill : std::uint8_t {
        sample, // of all parts, to learn from
        entries,
        keys,
        done,
    };
    // From `fill_from_`, which moves on, as long as `visit` wants more.
    Result<void> scan(const std::function<bool(data::BytesView key, data::BytesView value)>& visit);
    void go_on_with(Fill fill);
    Result<void> fill_with_entries();
    Result<void> fill_with_keys();
    bool begin_keys(std::size_t count);

    data::Engine& engine_;
    Cache cache_;
    // Of the thread that fills it.
    data::Bytes fill_from_;
    std::size_t filled_ = 0; // rows since then
    std::size_t keys_expected_ = 0;
    Fill fill_ = Fill::sample;
};

} // namespace slashpost::redirect
