#pragma once
// A small installation for tests: an engine (memory unless given), a clock that stands still, randomness
// that repeats, one account with its default workspace, and the verified default domain "go.example.com".
#include "core/access/doors.h"
#include "core/access/service.h"
#include "core/ops/accounts.h"
#include "core/ops/domains.h"
#include "core/ops/install.h"
#include "core/ops/link_lists.h"
#include "core/schema/schema.h"
#include "core/schema/store.h"
#include "storage/memory/engine.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <random>

namespace slashpost::test {

struct FixedClock final : Clock {
    Timestamp time{1'800'000'000'000}; // 2027-01-15T08:00:00Z
    [[nodiscard]] Timestamp now() const override { return time; }
    void advance_seconds(std::int64_t seconds) { time = time.plus_seconds(seconds); }
};

struct RepeatableRandom final : Random {
    std::mutex mutex;
    std::mt19937 generator{20260101}; // guarded by mutex
    void fill(std::span<std::uint8_t> out) override {
        const std::lock_guard lock(mutex);
        std::ranges::generate(out, [&] { return static_cast<std::uint8_t>(generator()); });
    }
};

struct RecordedChanges final : ChangeListener {
    std::vector<Changes> seen; // for when nobody changes anything any more
    void changed(const Changes& changes) override {
        const std::lock_guard lock(mutex_);
        seen.push_back(changes);
    }

  private:
    std::mutex mutex_;
};

// What a workspace of somebody else looks like from outside.
struct Stranger {
    Account account;
    Caller caller;
};

class World {
  public:
    explicit World(std::unique_ptr<data::Engine> given = nullptr);

    FixedClock clock;
    RepeatableRandom random;
    Settings settings;
    RecordedChanges listener;
    IdSource ids{clock, random};
    std::unique_ptr<data::Engine> engine;

    Service service;
    Installed installed; // account, domain, key
    Caller caller;

    // Runs an operation as the caller, or as somebody else.
    template <class Work>
    auto write(Work&& work, Guard guard = {}) {
        guard.access = Access::write;
        return service.run(caller, {}, guard, std::forward<Work>(work));
    }
    template <class Work>
    auto read(Work&& work, const Guard& guard = {}) {
        return service.run(caller, {}, guard, std::forward<Work>(work));
    }
    template <class Work>
    auto operate(Work&& work) {
        return service.run_as_operator(std::forward<Work>(work));
    }

    Result<LinkDetails> create(NewLink in) {
        return write([&](Context& ctx) { return create_link(ctx, in); });
    }
    Result<LinkDetails> update(LinkId id, const LinkChange& change) {
        return write(
            [&](Context& ctx) -> Result<LinkDetails> {
                return update_link(ctx, TRY(find_link(ctx, id)), change);
            },
            {.link = LinkState::live});
    }
    Result<LinkDetails> remove(LinkId id) {
        return write(
            [&](Context& ctx) -> Result<LinkDetails> { return delete_link(ctx, TRY(find_link(ctx, id))); },
            {.link = LinkState::live});
    }
    Result<std::vector<LinkDetails>> list(const LinkFilter& filter, const PageRequest& page) {
        return read([&](Context& ctx) { return list_links(ctx, filter, page); });
    }
    Result<std::int64_t> count(const LinkFilter& filter) {
        return read([&](Context& ctx) { return count_links(ctx, filter); });
    }

    // Another account with a default workspace that shares the same default domain.
    Stranger stranger(std::string_view username);
    // A further verified domain, shared with the caller's workspace.
    Domain domain(std::string_view full_name, SlashtagRules rules = {});
    // Every row, entry and tally as the schema calls for; the findings' first sentence otherwise.
    std::string inconsistency();
};

} // namespace slashpost::test
