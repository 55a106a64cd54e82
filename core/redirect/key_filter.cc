#include "core/redirect/key_filter.h"

#include "core/base/mix.h"

namespace slashpost::redirect {

namespace {

// One bit in each word of a line.
KeyFilter::Line bits_of(std::uint64_t hash) {
    constexpr std::uint64_t odd = 0xa0761d6478bd642f;
    auto places = mix(hash, odd);
    KeyFilter::Line bits;
    for (auto& word : bits) {
        word = std::uint64_t{1} << (places & 63);
        places >>= 6;
    }
    return bits;
}

} // namespace

// Caches take parts by the hash's last bits, so these say little here.
std::size_t KeyFilter::line_of(std::uint64_t hash) const {
    return static_cast<std::size_t>(Wide{hash * golden_odd} * lines_.size() >> 64);
}

void KeyFilter::add(std::uint64_t hash) {
    if (lines_.empty())
        return;
    auto& line = lines_[line_of(hash)];
    std::uint64_t added = 0;
    const auto bits = bits_of(hash);
    for (std::size_t i = 0; i < bits.size(); ++i) {
        added |= bits[i] & ~line[i];
        line[i] |= bits[i];
    }
    size_ += added != 0 ? 1 : 0;
}

bool KeyFilter::may_have(std::uint64_t hash) const {
    if (lines_.empty())
        return true;
    const auto& line = lines_[line_of(hash)];
    const auto bits = bits_of(hash);
    std::uint64_t lacking = 0;
    for (std::size_t i = 0; i < bits.size(); ++i)
        lacking |= bits[i] & ~line[i];
    return lacking == 0;
}

} // namespace slashpost::redirect
