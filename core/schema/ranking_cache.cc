#include "core/schema/ranking_cache.h"

#include <algorithm>

namespace slashpost {

namespace {

// Views that are older than the latest fold are still read from for a moment.
constexpr std::size_t versions_kept = 2;
// What may be missed while a ranking is read; it is read again when there is more.
constexpr std::size_t missed_links_max = 1 << 20;
constexpr std::chrono::seconds wait_max{10}; // for another reader, before one reads oneself

std::span<const FoldedLink> links_of(const FoldedClicks& fold, WorkspaceId workspace) {
    const auto found = std::ranges::equal_range(fold.links, workspace, {}, &FoldedLink::workspace);
    return {found.begin(), found.end()};
}

} // namespace

RankingCache::Ranking RankingCache::Slot::of(std::uint64_t epoch) const {
    if (next && next->epoch() == epoch)
        return next;
    const auto found = std::ranges::find(versions, epoch, [](const Ranking& r) { return r->epoch(); });
    return found == versions.end() ? nullptr : *found;
}

std::size_t RankingCache::Slot::bytes() const {
    std::size_t bytes = sizeof *this;
    const ClickRanking* before = nullptr;
    for (const auto& version : versions) {
        bytes += version->bytes_besides(before);
        before = version.get();
    }
    return bytes;
}

void RankingCache::Slot::add(Ranking version) {
    versions.push_back(std::move(version));
    if (versions.size() > versions_kept)
        versions.pop_front();
}

Result<RankingCache::Ranking> RankingCache::get(WorkspaceId workspace, RankedBy by, std::uint64_t epoch,
                                                const Make& make) {
    const Key key{.workspace = workspace, .by = by};
    const auto made = [&]() -> Result<Ranking> { return std::make_shared<const ClickRanking>(TRY(make())); };
    {
        std::unique_lock lock(mutex_);
        const auto is_read = [&] {
            const auto slot = slots_.find(key);
            return slot != slots_.end() && slot->second.is_read;
        };
        read_.wait_for(lock, wait_max, [&] { return !is_read(); });
        auto& slot = slots_[key];
        in_use_ = true;
        slot.asked_at = Time::now();
        if (auto known = slot.of(epoch))
            return known;
        // Not for a view that is older than what others ask for, nor a second time.
        if (slot.is_read || (!slot.versions.empty() && slot.versions.back()->epoch() > epoch)) {
            lock.unlock();
            return made();
        }
        slot.versions.clear();
        slot.is_read = true;
    }
    auto ranking = made();
    {
        std::unique_lock lock(mutex_);
        const auto slot = slots_.find(key); // nobody else erases it while it is read
        if (ranking.has_value())
            keep(slot, *ranking, lock);
        else
            drop(slot);
    }
    read_.notify_all();
    return ranking;
}

RankingCache::Ranking RankingCache::find(WorkspaceId workspace, RankedBy by, std::uint64_t epoch) {
    const std::lock_guard lock(mutex_);
    const auto slot = slots_.find({.workspace = workspace, .by = by});
    if (slot == slots_.end())
        return nullptr;
    slot->second.asked_at = Time::now();
    return slot->second.of(epoch);
}

void RankingCache::keep(Slots::iterator slot, Ranking ranking, std::unique_lock<std::mutex>& lock) {
    auto& missed = slot->second.missed;
    slot->second.add(ranking);
    while (!missed.empty()) {
        auto [fold, links] = std::move(missed.front());
        missed.pop_front();
        if (fold.after <= ranking->epoch())
            continue;
        if (fold.before != ranking->epoch()) {
            drop(slot);
            return;
        }
        lock.unlock();
        ranking = std::make_shared<ClickRanking>(ranking->folded(fold, links));
        lock.lock();
        slot->second.add(ranking);
    }
    slot->second.is_read = false;
    slot->second.asked_at = Time::now();
    make_room(slots_, bounds_);
}

void RankingCache::replace(WorkspaceId workspace, RankedBy by, const Ranking& known, ClickRanking better) {
    const std::lock_guard lock(mutex_);
    const auto slot = slots_.find({.workspace = workspace, .by = by});
    if (slot == slots_.end() || slot->second.versions.empty() || slot->second.versions.back() != known)
        return;
    slot->second.versions.back() = std::make_shared<ClickRanking>(std::move(better));
    make_room(slots_, bounds_);
}

void RankingCache::drop(WorkspaceId workspace, RankedBy by) {
    const std::lock_guard lock(mutex_);
    const auto slot = slots_.find({.workspace = workspace, .by = by});
    if (slot != slots_.end() && !slot->second.is_read)
        drop(slot);
}

void RankingCache::drop(Slots::iterator slot) {
    slots_.erase(slot);
    in_use_ = !slots_.empty();
}

bool RankingCache::in_use() {
    if (!in_use_)
        return false;
    const std::lock_guard lock(mutex_);
    drop_unused(slots_, bounds_);
    return in_use_ = !slots_.empty();
}

RankingCache::Figures RankingCache::figures() {
    const std::lock_guard lock(mutex_);
    Figures figures{.rankings = slots_.size()};
    for (const auto& [key, slot] : slots_)
        figures.bytes += slot.bytes();
    return figures;
}

RankingCache::Fold::Fold(RankingCache& cache, const FoldedClicks& fold) : cache_(cache), fold_(fold) {
    cache_.prepare(fold_);
}

RankingCache::Fold::~Fold() { cache_.discard(); }

void RankingCache::Fold::committed() { cache_.publish(fold_); }

void RankingCache::prepare(const FoldedClicks& fold) {
    std::vector<std::pair<Key, Ranking>> known;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& [key, slot] : slots_)
            if (!slot.versions.empty() && !slot.is_read && slot.versions.back()->epoch() == fold.before)
                known.emplace_back(key, slot.versions.back());
    }
    for (const auto& [key, ranking] : known) {
        auto next =
            std::make_shared<const ClickRanking>(ranking->folded(fold, links_of(fold, key.workspace)));
        const std::lock_guard lock(mutex_);
        const auto slot = slots_.find(key);
        if (slot != slots_.end() && !slot->second.is_read)
            slot->second.next = std::move(next);
    }
}

void RankingCache::publish(const FoldedClicks& fold) {
    const std::lock_guard lock(mutex_);
    for (auto at = slots_.begin(); at != slots_.end();) {
        auto& [key, slot] = *at;
        if (slot.is_read) {
            const auto links = links_of(fold, key.workspace);
            auto known = links.size();
            for (const auto& missed : slot.missed)
                known += missed.links.size();
            if (known > missed_links_max)
                slot.missed.clear(); // which leaves a gap
            auto numbers = fold;
            numbers.links = {};
            slot.missed.push_back({.fold = numbers, .links = {links.begin(), links.end()}});
        } else if (slot.next) {
            slot.add(std::move(slot.next));
            slot.next.reset();
        } else if (slot.versions.empty() || slot.versions.back()->epoch() != fold.after) {
            at = slots_.erase(at);
            in_use_ = !slots_.empty();
            continue;
        }
        ++at;
    }
    make_room(slots_, bounds_);
}

void RankingCache::discard() {
    const std::lock_guard lock(mutex_);
    for (auto& [key, slot] : slots_)
        slot.next.reset();
}

} // namespace slashpost
