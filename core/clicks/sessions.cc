#include "core/clicks/sessions.h"

#include <cstring>
#include <new>

namespace slashpost::redirect {

namespace {

// The finisher of splitmix64: every bit of the input changes half of the output.
std::uint64_t mix(std::uint64_t bits) {
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111eb;
    return bits ^ bits >> 31;
}

} // namespace

Sessions::Sessions(unsigned bits)
    : buckets_((std::size_t{1} << bits) / ways),
      memory_(static_cast<Slot*>(std::calloc(buckets_ * ways, sizeof(Slot)))) { // NOLINT(*-no-malloc)
    if (!memory_)
        throw std::bad_alloc();
    slots_ = std::span(memory_.get(), buckets_ * ways);
}

std::uint64_t Sessions::hash_of(const LinkId& link, std::uint64_t visitor) {
    std::uint64_t halves[2]; // NOLINT(*-avoid-c-arrays)
    std::memcpy(halves, link.bytes.data(), sizeof halves);
    const auto hash = mix(mix(halves[0] ^ mix(halves[1])) ^ visitor);
    return hash == 0 ? 1 : hash;
}

void Sessions::set(Slot& slot, Slot value) {
    changes_.push_back({.at = static_cast<std::uint32_t>(&slot - slots_.data()), .before = slot});
    slot = value;
}

bool Sessions::begins(std::uint64_t hash, std::uint32_t seconds) {
    const auto tag = static_cast<std::uint32_t>(hash >> 32);
    const std::span bucket(bucket_of(hash), ways);
    seconds = seconds == 0 ? 1 : seconds;
    auto* oldest = bucket.data();
    for (auto& slot : bucket) {
        if (slot.tag == tag && slot.last != 0) {
            const bool set_back = std::uint64_t{seconds} + session_seconds < slot.last;
            const bool begins = seconds > std::uint64_t{slot.last} + session_seconds;
            if (seconds > slot.last || set_back)
                set(slot, {.tag = tag, .last = seconds});
            return begins;
        }
        if (slot.last < oldest->last)
            oldest = &slot;
    }
    set(*oldest, {.tag = tag, .last = seconds});
    return true;
}

void Sessions::undo() {
    for (; !changes_.empty(); changes_.pop_back())
        slots_[changes_.back().at] = changes_.back().before;
}

} // namespace slashpost::redirect
