#include "core/redirect/rotators.h"

#include <span>

namespace slashpost::redirect {

std::uint64_t Rotators::number_for(const LinkId& link, const Routing& routing, Turn turn) {
    if (routing.total_weight() != 0) {
        std::uint64_t number = 0; // of 64 bits, so that what is left over by the modulus favours nobody
        random_.fill(std::span(reinterpret_cast<std::uint8_t*>(&number), sizeof number));
        return number;
    }
    auto& shard = shards_[HashId{}(link) % shard_count];
    const std::lock_guard lock(shard.mutex);
    auto taken = shard.taken.find(link);
    if (taken == shard.taken.end()) {
        if (turn == Turn::look)
            return 0;
        if (shard.taken.size() == links_per_shard_max)
            shard.taken.erase(shard.taken.begin());
        taken = shard.taken.emplace(link, 0).first;
    }
    return turn == Turn::take ? taken->second++ : taken->second;
}

} // namespace slashpost::redirect
