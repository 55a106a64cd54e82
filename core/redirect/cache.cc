#include "core/redirect/cache.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

namespace slashpost::redirect {

namespace {

__extension__ using Wide = unsigned __int128;

// A short address with its destination, and one that does not exist.
constexpr std::size_t present_bytes_expected = 144;
constexpr std::size_t absent_bytes_expected = 64;
constexpr std::size_t absent_share = 16; // one part in so many of the memory

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
    const auto product = Wide{a} * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

} // namespace

Cache::Cache(std::size_t bytes_max, Random& random) : shards_(shard_count) {
    random.fill(std::span(reinterpret_cast<std::uint8_t*>(&seed_), sizeof seed_));
    const auto per_shard = bytes_max / shard_count;
    for (auto& shard : shards_) {
        shard.present.resize(per_shard - per_shard / absent_share, present_bytes_expected);
        shard.absent.resize(per_shard / absent_share, absent_bytes_expected);
    }
}

std::uint64_t Cache::hash_of(std::string_view key) const {
    constexpr std::uint64_t odd_a = 0x9e3779b97f4a7c15, odd_b = 0xd6e8feb86659fd93;
    std::uint64_t hash = seed_ ^ odd_a;
    for (auto left = key; !left.empty(); left.remove_prefix(std::min<std::size_t>(left.size(), 8))) {
        std::uint64_t word = 0;
        std::memcpy(&word, left.data(), std::min<std::size_t>(left.size(), 8));
        hash = mix(hash ^ word, odd_b);
    }
    return mix(hash ^ key.size(), seed_ | 1);
}

Cache::Answer Cache::find(std::string_view key, std::string& value) {
    const auto hash = hash_of(key);
    auto& shard = shard_of(hash);
    const std::lock_guard lock(shard.mutex);
    if (auto* slot = shard.present.find(hash, key)) {
        slot->used_lately = true;
        ++shard.hits;
        value.assign(slot->bytes.get() + slot->key_bytes, slot->value_bytes);
        return {.known = Known::present};
    }
    if (auto* slot = shard.absent.find(hash, key)) {
        slot->used_lately = true;
        ++shard.hits;
        return {.known = Known::absent};
    }
    ++shard.misses;
    return {.known = Known::nothing, .ticket = shard.epoch};
}

void Cache::keep(std::string_view key, const std::string* value, std::uint64_t ticket) {
    const auto hash = hash_of(key);
    const auto value_bytes = value ? value->size() : 0;
    Slot fresh{.hash = static_cast<std::uint32_t>(hash >> 32),
               .key_bytes = static_cast<std::uint32_t>(key.size()),
               .value_bytes = static_cast<std::uint32_t>(value_bytes),
               .bytes = std::make_unique_for_overwrite<char[]>(key.size() + value_bytes)};
    std::ranges::copy(key, fresh.bytes.get());
    if (value)
        std::ranges::copy(*value, fresh.bytes.get() + key.size());

    auto& shard = shard_of(hash);
    const std::lock_guard lock(shard.mutex);
    if (shard.epoch != ticket)
        return;
    auto& slots = value ? shard.present : shard.absent;
    if (auto* known = slots.find(hash, key)) // another thread missed at the same time
        slots.clear(*known);
    slots.put(hash, std::move(fresh));
}

void Cache::forget(std::string_view key) {
    const auto hash = hash_of(key);
    auto& shard = shard_of(hash);
    const std::lock_guard lock(shard.mutex);
    ++shard.epoch;
    for (auto* slots : {&shard.present, &shard.absent})
        if (auto* slot = slots->find(hash, key))
            slots->clear(*slot);
}

Cache::Figures Cache::figures() const {
    Figures sum;
    for (const auto& shard : shards_) {
        const std::lock_guard lock(shard.mutex);
        sum.hits += shard.hits;
        sum.misses += shard.misses;
        sum.bytes += shard.present.bytes() + shard.absent.bytes();
    }
    return sum;
}

void Cache::Slots::resize(std::size_t bytes_max, std::size_t entry_bytes_expected) {
    buckets_ = std::max<std::size_t>(1, bytes_max / (sizeof(Slot) + entry_bytes_expected) / ways);
    slots_.resize(buckets_ * ways);
    const auto taken = slots_.size() * sizeof(Slot);
    bytes_max_ = std::max(bytes_max, taken) - taken;
}

Cache::Slot* Cache::Slots::bucket(std::uint64_t hash) {
    return &slots_[hash / shard_count % buckets_ * ways];
}

Cache::Slot* Cache::Slots::find(std::uint64_t hash, std::string_view key) {
    auto* const first = bucket(hash);
    for (auto* slot = first; slot != first + ways; ++slot)
        if (slot->bytes && slot->hash == static_cast<std::uint32_t>(hash >> 32) &&
            std::string_view(slot->bytes.get(), slot->key_bytes) == key)
            return slot;
    return nullptr;
}

void Cache::Slots::put(std::uint64_t hash, Slot fresh) {
    if (fresh.cost() > bytes_max_)
        return;
    make_room(fresh.cost());
    auto* const first = bucket(hash);
    auto* slot = std::find_if(first, first + ways, [](const Slot& s) { return !s.bytes; });
    if (slot == first + ways)
        slot = std::find_if(first, first + ways, [](const Slot& s) { return !s.used_lately; });
    if (slot == first + ways) { // all are in use: each has to show it again, and one has to go
        std::for_each(first, first + ways, [](Slot& s) { s.used_lately = false; });
        slot = first + (hash >> 60) % ways;
    }
    clear(*slot);
    bytes_ += fresh.cost();
    *slot = std::move(fresh);
}

void Cache::Slots::clear(Slot& slot) {
    bytes_ -= slot.cost();
    slot = {};
}

// The clock's hand goes round: what was used since it came by last time may stay once more.
void Cache::Slots::make_room(std::size_t cost) {
    while (bytes_ + cost > bytes_max_) {
        auto& slot = slots_[hand_];
        hand_ = (hand_ + 1) % slots_.size();
        if (!std::exchange(slot.used_lately, false))
            clear(slot);
    }
}

} // namespace slashpost::redirect
