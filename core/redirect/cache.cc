#include "core/redirect/cache.h"

#include "core/base/mix.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <span>
#include <utility>

namespace slashpost::redirect {

namespace {

constexpr std::size_t slots_at_first = 8;
constexpr std::size_t allocation_bytes = 16; // what the allocator adds to an entry, on average
constexpr std::size_t shards_max = 256;      // so that threads rarely wait for each other
constexpr std::size_t shard_bytes_min = std::size_t{64} << 10;
constexpr std::size_t absent_part = 16; // of the memory is for keys without a value

} // namespace

std::size_t ClockTable::find(std::uint32_t hash, std::string_view key) const {
    auto at = hash & (slots_.size() - 1);
    while (slots_[at].text && (slots_[at].hash != hash || slots_[at].key() != key))
        at = next(at);
    return at;
}

std::optional<std::string_view> ClockTable::use(std::uint32_t hash, std::string_view key) {
    if (slots_.empty())
        return std::nullopt;
    auto& slot = slots_[find(hash, key)];
    if (!slot.text)
        return std::nullopt;
    slot.used = true;
    return slot.value();
}

void ClockTable::put(std::uint32_t hash, std::string_view key, std::string_view value) {
    erase(hash, key);
    const auto bytes = key.size() + value.size() + allocation_bytes;
    if (key.size() > std::numeric_limits<std::uint8_t>::max() ||
        value.size() > std::numeric_limits<std::uint16_t>::max() || bytes > bytes_max_ / 4)
        return;
    make_room(bytes);
    auto& slot = slots_[find(hash, key)];
    slot = {.text = std::make_unique_for_overwrite<char[]>(key.size() + value.size()),
            .hash = hash,
            .value_bytes = static_cast<std::uint16_t>(value.size()),
            .key_bytes = static_cast<std::uint8_t>(key.size())};
    std::ranges::copy(value, std::ranges::copy(key, slot.text.get()).out);
    ++entries_;
    text_bytes_ += bytes;
}

void ClockTable::erase(std::uint32_t hash, std::string_view key) {
    if (!slots_.empty())
        erase_at(find(hash, key));
}

// Entries behind it move up, so that none is cut off from the slot where its search begins.
void ClockTable::erase_at(std::size_t slot) {
    if (!slots_[slot].text)
        return;
    --entries_;
    text_bytes_ -= slots_[slot].key_bytes + slots_[slot].value_bytes + allocation_bytes;
    slots_[slot] = {};
    const auto mask = slots_.size() - 1;
    for (auto at = next(slot); slots_[at].text; at = next(at))
        if (((at - slots_[at].hash) & mask) >= ((at - slot) & mask)) {
            slots_[slot] = std::exchange(slots_[at], {});
            slot = at;
        }
}

// When the table is full, the hand takes what was not used since its last round; it goes round twice at most.
// That ends, because slots never take three quarters of the bound, and an entry a quarter at most: the table
// grows only while it is crowded, and then its entries take half as much as the new slots, and more.
void ClockTable::make_room(std::size_t text_bytes) {
    if (is_crowded() && 2 * slots_.size() * sizeof(Slot) + text_bytes_ + text_bytes <= bytes_max_)
        grow();
    while (bytes() + text_bytes > bytes_max_ || is_crowded()) {
        hand_ &= slots_.size() - 1;
        if (!std::exchange(slots_[hand_].used, false) && slots_[hand_].text) {
            erase_at(hand_); // another entry may have moved here
            ++evicted_;
        } else {
            ++hand_;
        }
    }
}

void ClockTable::grow() {
    auto before = std::exchange(slots_, std::vector<Slot>(std::max(slots_at_first, 2 * slots_.size())));
    for (auto& slot : before)
        if (slot.text)
            slots_[find(slot.hash, slot.key())] = std::move(slot);
}

void ClockTable::clear() {
    const auto evicted = evicted_;
    *this = ClockTable(bytes_max_);
    evicted_ = evicted;
}

Cache::Shard::Shard(std::size_t bytes_max)
    : present(bytes_max - bytes_max / absent_part),
      absent(bytes_max / absent_part) {}

Cache::Cache(std::size_t bytes_max, Random& random) : bytes_max_(std::max(bytes_max, shard_bytes_min)) {
    random.fill(std::span(reinterpret_cast<std::uint8_t*>(&seed_), sizeof seed_));
    const auto count = std::min(bytes_max_ / shard_bytes_min, shards_max);
    for (std::size_t i = 0; i < count; ++i)
        shards_.push_back(std::make_unique<Shard>(bytes_max_ / count));
}

std::uint64_t Cache::hash_of(std::string_view key) const {
    constexpr std::uint64_t other_odd = 0xd6e8feb86659fd93;
    std::uint64_t hash = seed_ ^ golden_odd;
    for (auto left = key; !left.empty(); left.remove_prefix(std::min<std::size_t>(left.size(), 8))) {
        std::uint64_t word = 0;
        std::memcpy(&word, left.data(), std::min<std::size_t>(left.size(), 8));
        hash = mix(hash ^ word, other_odd);
    }
    return mix(hash ^ key.size(), seed_ | 1);
}

Cache::Answer Cache::find(std::string_view key, std::string& value) {
    const auto hash = hash_of(key);
    const auto slot_hash = static_cast<std::uint32_t>(hash);
    auto& shard = *shards_[shard_of(hash)];
    const std::lock_guard lock(shard.mutex);
    if (const auto kept = shard.present.use(slot_hash, key)) {
        value.assign(*kept);
        ++shard.hits;
        return {.known = Known::present};
    }
    if (shard.absent.use(slot_hash, key)) {
        ++shard.hits;
        return {.known = Known::absent};
    }
    ++shard.misses;
    return {.known = Known::nothing, .ticket = shard.forgotten};
}

void Cache::keep(std::string_view key, std::optional<std::string_view> value, std::uint64_t ticket) {
    const auto hash = hash_of(key);
    auto& shard = *shards_[shard_of(hash)];
    const std::lock_guard lock(shard.mutex);
    if (shard.forgotten != ticket)
        return;
    auto& table = value ? shard.present : shard.absent;
    table.put(static_cast<std::uint32_t>(hash), key, value.value_or(""));
}

std::vector<std::uint64_t> Cache::tickets() const {
    std::vector<std::uint64_t> tickets;
    tickets.reserve(shards_.size());
    for (const auto& shard : shards_) {
        const std::lock_guard lock(shard->mutex);
        tickets.push_back(shard->forgotten);
    }
    return tickets;
}

void Cache::forget(std::string_view key) {
    const auto hash = hash_of(key);
    auto& shard = *shards_[shard_of(hash)];
    const std::lock_guard lock(shard.mutex);
    ++shard.forgotten;
    shard.present.erase(static_cast<std::uint32_t>(hash), key);
    shard.absent.erase(static_cast<std::uint32_t>(hash), key);
}

void Cache::forget_all() {
    for (auto& shard : shards_) {
        const std::lock_guard lock(shard->mutex);
        ++shard->forgotten;
        shard->present.clear();
        shard->absent.clear();
    }
}

Cache::Figures Cache::figures() const {
    Figures sum;
    for (const auto& shard : shards_) {
        const std::lock_guard lock(shard->mutex);
        sum.hits += shard->hits;
        sum.misses += shard->misses;
        sum.bytes += shard->present.bytes() + shard->absent.bytes();
        sum.evictions += shard->present.evicted() + shard->absent.evicted();
    }
    return sum;
}

} // namespace slashpost::redirect
