#pragma once
// The rankings by clicks (core/schema/click_ranking.h) that are in use. One is made when somebody asks for
// it, is kept up to date by the folds of clicks from then on, and goes when nobody has asked for minutes or
// when all of them need too much memory, the one that was asked for longest ago first. While there is none, a
// fold does nothing for them.
//
// Nothing here can make a list wrong: a ranking is given out for views of its own epoch only. A fold hands
// over what it adds before it commits, so that the next ranking is at hand at the moment in which others see
// the commit. One that the cache was not told of, say because it failed and is there all the same, leaves a
// gap between epochs, and the rankings are made anew.
#include "core/base/asked_slots.h"
#include "core/schema/click_ranking.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>

namespace slashpost {

class RankingCache {
  public:
    explicit RankingCache(const SlotBounds& bounds) : bounds_(bounds) {}
    RankingCache() : RankingCache({.bytes_max = std::size_t{160} << 20U}) {}

    using Ranking = std::shared_ptr<const ClickRanking>;
    using Make = std::function<Result<ClickRanking>()>;

    // The ranking of exactly that epoch. When there is none, `make` reads it from a view of that epoch; of
    // several callers at once one reads it and the others wait. From any thread.
    Result<Ranking> get(WorkspaceId workspace, RankedBy by, std::uint64_t epoch, const Make& make);
    // The same; nothing when there is none.
    Ranking find(WorkspaceId workspace, RankedBy by, std::uint64_t epoch);
    // Puts a ranking of the same epoch in the place of `known`, if it is still the latest.
    void replace(WorkspaceId workspace, RankedBy by, const Ranking& known, ClickRanking better);
    // Forgets it: something that it is made of has changed behind its back.
    void drop(WorkspaceId workspace, RankedBy by);

    // One fold, from before its commit on. Going without committed() says that it failed.
    class Fold {
      public:
        // `fold` outlives this.
        Fold(RankingCache& cache, const FoldedClicks& fold);
        ~Fold();
        Fold(const Fold&) = delete;
        Fold& operator=(const Fold&) = delete;
        void committed();

      private:
        RankingCache& cache_;
        const FoldedClicks& fold_;
    };
    // Whether folds have to be told of; drops what nobody uses.
    bool in_use();

    struct Figures {
        std::size_t rankings = 0, bytes = 0;
    };
    Figures figures();

  private:
    using Time = std::chrono::steady_clock;
    struct Key {
        WorkspaceId workspace;
        RankedBy by = RankedBy::clicks;
        auto operator<=>(const Key&) const = default;
    };
    // A fold that was committed while the ranking was read.
    struct Missed {
        FoldedClicks fold;
        std::vector<FoldedLink> links;
    };
    struct Slot {
        std::deque<Ranking> versions; // of consecutive epochs, the latest last
        Ranking next;                 // of the fold that is being committed
        bool is_read = false;         // somebody is reading it
        std::deque<Missed> missed;    // meanwhile
        Time::time_point asked_at;

        [[nodiscard]] Ranking of(std::uint64_t epoch) const;
        [[nodiscard]] std::size_t bytes() const;
        void add(Ranking version);
    };
    using Slots = std::map<Key, Slot>;

    void prepare(const FoldedClicks& fold);
    void publish(const FoldedClicks& fold);
    void discard();
    // Takes a ranking that was read into its slot, through the folds it missed.
    void keep(Slots::iterator slot, Ranking ranking, std::unique_lock<std::mutex>& lock);
    void drop(Slots::iterator slot);

    const SlotBounds bounds_;
    std::mutex mutex_; // held for moments only
    Slots slots_;      // guarded by mutex_
    std::condition_variable read_;
    std::atomic<bool> in_use_ = false;
};

} // namespace slashpost
