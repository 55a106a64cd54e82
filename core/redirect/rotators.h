#pragma once
// Whose turn it is at the rotators. By turns each arm gets exactly its share of every whole cycle, however
// many threads serve visitors; turns are counted in memory and begin anew with the process. By weight chance
// decides.
#include "core/base/id.h"
#include "core/schema/routing.h"

#include <array>
#include <mutex>
#include <unordered_map>

namespace slashpost::redirect {

// Safe to use from any thread.
class Rotators {
  public:
    explicit Rotators(Random& random) : random_(random) {}

    // What only looks (a bot, HEAD) uses up nobody's turn.
    enum class Turn : std::uint8_t { take, look };
    // The number that chooses the arm of this visit (core/redirect/choose.h).
    std::uint64_t number_for(const LinkId& link, const Routing& routing, Turn turn);

  private:
    static constexpr std::size_t shard_count = 16;
    // Together with the shards bounds the memory; beyond it the cycle of some link begins anew.
    static constexpr std::size_t links_per_shard_max = 16'384;

    struct HashId {
        std::size_t operator()(const LinkId& id) const { return std::hash<std::string_view>{}(id.view()); }
    };
    struct alignas(64) Shard {
        std::mutex mutex;
        std::unordered_map<LinkId, std::uint64_t, HashId> taken;
    };

    Random& random_;
    std::array<Shard, shard_count> shards_;
};

} // namespace slashpost::redirect
