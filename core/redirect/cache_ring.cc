#include "core/redirect/cache_ring.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

namespace slashpost::redirect {

namespace {
constexpr std::size_t first_place = 1;
constexpr int spared_max = 16; // bounds how long a `put` takes
} // namespace

void CacheRing::begin(std::span<std::uint32_t> memory, std::size_t entry_words) {
    assert(memory.size() <= memory_words_max);
    const auto buckets = std::max<std::size_t>(1, memory.size() / entry_words / ways);
    slots_ = memory.first(buckets * ways);
    ring_ = memory.subspan(slots_.size());
}

void CacheRing::clear() {
    std::ranges::fill(slots_, 0);
    oldest_ = next_ = first_place;
    anew_ = false;
    entries_ = words_ = 0;
}

void CacheRing::put(std::uint64_t hash, std::string_view bytes) {
    const auto words = 1 + (bytes.size() + sizeof(std::uint32_t) - 1) / sizeof(std::uint32_t);
    if (words > count_mask || words > ring_.size() / ring_part)
        return;
    const auto place = make_room(words);
    auto& slot = free_slot(bucket_of(hash));
    const auto bucket = static_cast<std::size_t>(&slot - slots_.data()) / ways;
    ring_[place + words - 1] = 0;
    ring_[place] = static_cast<std::uint32_t>(bucket << bucket_shift | words);
    std::memcpy(&ring_[place + 1], bytes.data(), bytes.size());
    slot = mark_of(hash) | static_cast<std::uint32_t>(place);
    ++entries_;
    words_ += words;
}

void CacheRing::drop(std::uint32_t& slot) {
    auto& head = ring_[place_of(slot)];
    head |= dropped_bit;
    --entries_;
    words_ -= head & count_mask;
    slot = 0;
}

// When the bucket and the one beside it are full, one that was not used lately has to go.
std::uint32_t& CacheRing::free_slot(std::size_t bucket) {
    const auto slots = slots_of(bucket);
    if (const auto slot = std::ranges::find(slots, 0U); slot != slots.end())
        return *slot;
    const auto others = slots_of(beside(bucket));
    if (const auto slot = std::ranges::find(others, 0U); slot != others.end())
        return *slot;
    auto slot =
        std::ranges::find_if(slots, [&](std::uint32_t one) { return !(ring_[place_of(one)] & used_bit); });
    if (slot == slots.end()) { // all are in use: each has to show it again
        for (const auto one : slots)
            ring_[place_of(one)] &= ~used_bit;
        slot = slots.begin() + static_cast<std::ptrdiff_t>(next_ % ways);
    }
    drop(*slot);
    return *slot;
}

// Where so many words are free, which are taken then.
std::size_t CacheRing::make_room(std::size_t words) {
    for (int spared = 0;;) {
        if (!anew_ && next_ + words > ring_.size()) {
            end_ = next_;
            next_ = first_place;
            anew_ = true;
        }
        if (!anew_ || next_ + words <= oldest_)
            return std::exchange(next_, next_ + words);
        spared += pass_oldest(spared < spared_max);
    }
}

// Drops the oldest entry, or moves it to the end of the ring; whether it did that.
bool CacheRing::pass_oldest(bool may_spare) {
    if (oldest_ == end_) {
        oldest_ = first_place;
        anew_ = false;
        return false;
    }
    const auto place = oldest_;
    auto& head = ring_[place];
    const auto words = head & count_mask;
    oldest_ += words;
    if (head & dropped_bit)
        return false;
    const auto slots = slots_of(head >> bucket_shift & count_mask);
    auto& slot = *std::ranges::find(slots, place, place_of);
    if (!may_spare || (is_full() && !(head & used_bit))) {
        drop(slot);
        return false;
    }
    head &= ~used_bit;
    std::memmove(&ring_[next_], &ring_[place], words * sizeof(std::uint32_t));
    slot += static_cast<std::uint32_t>(next_ - place); // modulo 2^32: the mark stays
    next_ += words;
    return true;
}

} // namespace slashpost::redirect
