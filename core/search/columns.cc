#include "core/search/columns.h"

#include "core/search/document.h"

#include <algorithm>
#include <limits>

namespace slashpost::search {

namespace {

constexpr std::size_t missed_max = 64; // batches; what is made without later ones is found to be behind

Ordinals::Key ids_of(WorkspaceId workspace) { return {.index = nullptr, .workspace = workspace}; }

// The order after batches that came while it was read; nothing when one is missing.
ColumnCache::Order caught_up(ColumnCache::Order order, const std::vector<IndexedBatch>& missed) {
    for (const auto& batch : missed) {
        if (order->version() == batch.after) // it was read from a view behind the batch
            continue;
        if (order->version() != batch.before)
            return nullptr;
        order = std::make_shared<const Ordinals>(order->with(batch));
    }
    return order;
}

} // namespace

std::size_t ColumnCache::Slot::bytes() const {
    return sizeof *this + (order ? order->bytes() : 0) + (ids ? ids->size() : 0);
}

Result<ColumnCache::Order> ColumnCache::order(const Ordinals::Key& of, std::uint64_t version, bool at_once,
                                              const MakeOrder& make) {
    {
        const std::lock_guard lock(mutex_);
        auto& slot = slots_[of];
        slot.asked_at = Time::now();
        if (slot.order && slot.order->exact_for(version))
            return slot.order;
        const bool again = std::exchange(slot.is_wanted, true);
        if (slot.order) // a batch is being committed, unless it is so the next time, too
            at_once = std::exchange(slot.version, version) == version;
        else
            at_once = at_once || again;
        if (slot.is_read || !at_once)
            return nullptr;
        slot.order = nullptr;
        slot.is_read = true;
        slot.missed.clear();
    }
    auto made = make();
    const std::lock_guard lock(mutex_);
    const auto slot = slots_.find(of); // nobody else erases it while it is read
    slot->second.is_read = false;
    if (!made.has_value())
        return std::unexpected(std::move(made).error());
    auto order = std::make_shared<const Ordinals>(std::move(*made));
    slot->second.order = caught_up(order, slot->second.missed);
    slot->second.asked_at = Time::now();
    make_room(slots_, bounds_);
    return order;
}

ColumnCache::Ids ColumnCache::ids(WorkspaceId workspace, std::uint64_t version) {
    const std::lock_guard lock(mutex_);
    const auto slot = slots_.find(ids_of(workspace));
    if (slot == slots_.end() || !same_index(slot->second.version, version))
        return nullptr;
    slot->second.asked_at = Time::now();
    return slot->second.ids;
}

void ColumnCache::keep_ids(WorkspaceId workspace, std::uint64_t version, Ids ids) {
    const std::lock_guard lock(mutex_);
    auto& slot = slots_[ids_of(workspace)];
    slot.ids = std::move(ids);
    slot.version = version;
    slot.asked_at = Time::now();
    make_room(slots_, bounds_);
}

void ColumnCache::indexed(const IndexedBatch& batch) {
    attributes_.indexed(batch);
    const std::lock_guard lock(mutex_);
    for (auto& [of, slot] : slots_) {
        if (of.workspace != batch.workspace)
            continue;
        if (slot.is_read && slot.missed.size() < missed_max)
            slot.missed.push_back(batch);
        if (slot.order)
            slot.order = caught_up(slot.order, {batch});
        if (slot.order && slot.order->worn())
            slot.order = nullptr;
    }
}

void ColumnCache::forget(WorkspaceId workspace) {
    constexpr auto none = std::numeric_limits<std::uint64_t>::max();
    indexed({.workspace = workspace, .before = none, .after = none, .documents = {}}); // a gap
}

void ColumnCache::drop_unused() {
    attributes_.drop_unused();
    const std::lock_guard lock(mutex_);
    slashpost::drop_unused(slots_, bounds_);
}

ColumnCache::Figures ColumnCache::figures() {
    const std::lock_guard lock(mutex_);
    Figures figures{.columns = slots_.size(), .bytes = attributes_.bytes()};
    for (const auto& [of, slot] : slots_)
        figures.bytes += slot.bytes();
    return figures;
}

} // namespace slashpost::search
